package settle_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle"
)

// beat changes a field again and again.
func beat(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	on, _, _ := unstructured.NestedBool(bar.Object, "status", "beat")
	_ = unstructured.SetNestedField(bar.Object, !on, "status", "beat")
	return c.Status().Update(ctx, bar)
}

// mark notes once that it was there.
func mark(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	if recorded(bar) != "" {
		return nil
	}
	return record(ctx, c, bar, "foo")
}

// TestClasses: of what kind a violation is, and what would mend it.
func TestClasses(t *testing.T) {
	for _, test := range []struct {
		name   string
		config settle.Config
		change func(*settle.Config)
		want   string
	}{
		{"a retry that fails for ever", config(fixedName, settle.Faults{Crash: true}), nil, "L9: livelock of 4 steps"},
		{"what nobody would do again", config(createThenRecord, settle.Faults{Evict: true}), nil, "K8: stuck"},
		{"a cached list", caching(config(listFirst, settle.Faults{Stale: true})), nil, "S11: needs a stale cache, read-your-writes mends it"},
		{"a cached list, in two lives", caching(config(listFirst, settle.Faults{Stale: true, Crash: true, Late: true})), nil, "S10: "},
		{
			"the child came and went, and nobody heard of it", caching(config(fixedNameChecked, settle.Faults{Stale: true, Evict: true})), nil,
			"K14: stuck, heals only by resync, needs a stale cache",
		},
		{
			"the same, with resync", caching(config(fixedNameChecked, settle.Faults{Stale: true, Evict: true})),
			func(c *settle.Config) { c.Processes[0].Resync = true }, "holds: ",
		},
		{ // and with Recreate as well, but that takes some seconds
			"a fixed name, under all faults", caching(config(fixedNameChecked, settle.Faults{Crash: true, Timeout: true, Late: true, Evict: true, Stale: true})), nil,
			"K14: stuck, heals only by resync, needs a stale cache",
		},
		{"one who writes all the time", config(beat, settle.Faults{}), func(c *settle.Config) {
			c.Setup = operators(map[string]variant{"beat": beat, "mark": mark})
			c.Always, c.Match = nil, func(_ context.Context, _ client.Reader, bar client.Object) error {
				return missing(recorded(bar.(*unstructured.Unstructured)) == "")
			}
		}, "L14: livelock of 10 steps, contention"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.change != nil {
				test.change(&test.config)
			}
			r, err := settle.Explore(t.Context(), test.config)
			if err != nil {
				t.Fatal(err)
			}
			if got := outcome(r) + ": " + strings.Join(r.Classes, ", "); got != test.want {
				t.Errorf("it is %s, want %s\n%s", got, test.want, r)
			}
			if i := slices.IndexFunc(r.Properties, func(p settle.PropertyResult) bool { return p.Name == r.Name }); i >= 0 && !slices.Equal(r.Properties[i].Classes, r.Classes) {
				t.Errorf("the property has %q", r.Properties[i].Classes)
			}
			t.Log(r.States, r.Took)
		})
	}
}

func missing(is bool) error {
	if is {
		return errMissing
	}
	return nil
}

var errMissing = errors.New("it is missing")
