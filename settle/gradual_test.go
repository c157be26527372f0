package settle_test

import (
	"context"
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle"
)

// size is a field that users change.
func size(bar *unstructured.Unstructured) int64 {
	n, _, _ := unstructured.NestedInt64(bar.Object, "spec", "size")
	return n
}

// backwards is wrong where its cache has a size, and then a later one, behind the API server which has a later one
// still.
func backwards(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	now, later := thing(barKind, bar.GetName()), thing(barKind, bar.GetName())
	if err := c.(operator).live.Get(ctx, client.ObjectKeyFromObject(bar), now); err != nil {
		return client.IgnoreNotFound(err)
	}
	if recorded(now) == "" {
		return record(ctx, c, now, "foo")
	}
	if err := c.Get(ctx, client.ObjectKeyFromObject(bar), bar); err != nil {
		return client.IgnoreNotFound(err)
	}
	if err := c.Get(ctx, client.ObjectKeyFromObject(bar), later); err != nil {
		return client.IgnoreNotFound(err)
	}
	if size(now) != 3 || size(bar) != 1 || size(later) != 2 {
		return nil
	}
	if err := c.(operator).live.Get(ctx, client.ObjectKeyFromObject(bar), now); err != nil || size(now) != 3 {
		return client.IgnoreNotFound(err)
	}
	return client.IgnoreAlreadyExists(c.Create(ctx, child(now, "wrong", "")))
}

// TestGradual: with caches that go on by a part, what was for a while is seen late.
func TestGradual(t *testing.T) {
	for _, test := range []struct {
		name   string
		faults settle.Faults
		want   string
	}{
		{"all at once", settle.Faults{Stale: true, Budget: settle.Budget{Users: 3, Stale: 1}}, "holds"},
		{"by a part", settle.Faults{Stale: true, Gradual: true, Budget: settle.Budget{Users: 3, Stale: 1}}, "S17"},
	} {
		c := caching(config(backwards, test.faults))
		c.Desired = nil
		for n := range int64(3) {
			bar := thing(barKind, "a")
			_ = unstructured.SetNestedField(bar.Object, n+1, "spec", "size")
			c.Desired = append(c.Desired, bar)
		}
		c.Match = func(_ context.Context, _ client.Reader, bar client.Object) error {
			return missing(recorded(bar.(*unstructured.Unstructured)) == "")
		}
		c.Always = map[string]func(context.Context, client.Reader) error{"never backwards": func(ctx context.Context, c client.Reader) error {
			foos := things(fooKind)
			if err := c.List(ctx, foos); err != nil || len(foos.Items) == 0 {
				return err
			}
			return errors.New("it is")
		}}
		r, err := settle.Explore(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if got := outcome(r); got != test.want {
			t.Errorf("%s: it is %s, want %s\n%s", test.name, got, test.want, r)
		}
		t.Log(r.States, r.Took)
	}
	c := config(fixedName, settle.Faults{Gradual: true})
	if _, err := settle.Explore(t.Context(), c); err == nil || err.Error() != "settle: Faults.Gradual is about caches that are behind: it needs Faults.Stale" {
		t.Error(err)
	}
}
