package settle_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle"
)

// buckets are what a cloud has, by name, with whom each is for.
type buckets map[string]string

// order is a request for a bucket, or to delete one.
type order struct{ Create, For, Delete string }

func cloud() settle.System {
	return settle.NewSystem("cloud", buckets{}, func(has buckets, o order) (buckets, string, error) {
		switch _, found := has[o.Create]; {
		case o.Delete != "":
			delete(has, o.Delete)
			return has, "", nil
		case o.Create == "": // the cloud thinks of a name
			for i := 1; o.Create == "" || has[o.Create] != ""; i++ {
				o.Create = fmt.Sprint("bucket-", i)
			}
		case found:
			return nil, "", errors.New("there is one of this name")
		}
		has[o.Create] = o.For
		return has, o.Create, nil
	})
}

// bucketed has a bucket in the cloud, by a name that it says or, if it says none, that the cloud
// thinks of and that it notes then.
func bucketed(cloud *settle.Remote, say func(bar client.Object) string) variant {
	const finalizer = "example.com/bucket"
	return func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
		if bar.GetDeletionTimestamp() != nil {
			name := recorded(bar)
			if name == "" {
				name = say(bar)
			}
			if name != "" {
				if err := cloud.Ask(ctx, order{Delete: name}, nil); err != nil {
					return err
				}
			}
			bar.SetFinalizers(nil)
			return client.IgnoreNotFound(c.Update(ctx, bar))
		}
		if len(bar.GetFinalizers()) == 0 {
			bar.SetFinalizers([]string{finalizer})
			return c.Update(ctx, bar)
		}
		if recorded(bar) != "" {
			return nil
		}
		name := say(bar)
		err := cloud.Ask(ctx, order{Create: name, For: string(bar.GetUID())}, &name)
		if err != nil && err.Error() != "there is one of this name" {
			return err
		}
		return record(ctx, c, bar, name)
	}
}

func TestSystems(t *testing.T) {
	for _, test := range []struct {
		name   string
		say    func(client.Object) string
		faults settle.Faults
		want   string
	}{
		{"the cloud's name", func(client.Object) string { return "" }, settle.Faults{}, ""},
		// The status is refused when the user has deleted it meanwhile: no crash is needed.
		{"the cloud's name", func(client.Object) string { return "" }, settle.Faults{Recreate: true}, settle.Goes},
		{"the cloud's name", func(client.Object) string { return "" }, settle.Faults{Crash: true, Recreate: true}, settle.Goes},
		{"the cloud's name", func(client.Object) string { return "" }, settle.Faults{Timeout: true, Recreate: true}, settle.Goes},
		{"a name that is known", func(o client.Object) string { return "of-" + string(o.GetUID()) }, settle.Faults{Crash: true, Timeout: true, Recreate: true}, ""},
		{"a name that is known", func(o client.Object) string { return "of-" + string(o.GetUID()) }, settle.Faults{Crash: true, Late: true, Recreate: true}, settle.Goes},
	} {
		c := config(nil, test.faults)
		c.Systems, c.Always = []settle.System{cloud()}, nil
		c.Setup = func(mgr ctrl.Manager) error {
			remote, err := settle.Connect(mgr, "cloud")
			if err != nil {
				return err
			}
			return operators(map[string]variant{"bar": bucketed(remote, test.say)})(mgr)
		}
		c.Match = func(_ context.Context, r client.Reader, o client.Object) error {
			var has buckets
			name := recorded(o.(*unstructured.Unstructured))
			err := settle.Look(r, "cloud", &has)
			if err == nil && has[name] != string(o.GetUID()) {
				err = fmt.Errorf("%q is not its own: %v", name, has)
			}
			return err
		}
		c.Gone = func(_ context.Context, r client.Reader, _ client.ObjectKey) error {
			var has buckets
			err := settle.Look(r, "cloud", &has)
			if err == nil && len(has) > 0 {
				err = fmt.Errorf("the cloud still has %v", has)
			}
			return err
		}
		c.MaxStates = 5000
		r, err := settle.Explore(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if r.Name != test.want {
			t.Errorf("%s: got %q, want %q\n%s", test.name, r.Name, test.want, r)
		}
	}
}

func TestConnectToNothing(t *testing.T) {
	c := config(createThenRecord, settle.Faults{})
	c.Setup = func(mgr ctrl.Manager) error {
		_, err := settle.Connect(mgr, "cloud")
		return err
	}
	_, err := settle.Explore(t.Context(), c)
	if want := `settle: Setup: settle: Connect: there is no System "cloud" in the Config`; fmt.Sprint(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
