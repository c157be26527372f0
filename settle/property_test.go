package settle_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle"
)

// operators registers a controller of Bars for each name.
func operators(all map[string]variant) func(ctrl.Manager) error {
	return func(mgr ctrl.Manager) error {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			v := all[name]
			err := ctrl.NewControllerManagedBy(mgr).For(thing(barKind, "")).Owns(thing(fooKind, "")).Named(name).
				Complete(reconcile.Func(func(ctx context.Context, r reconcile.Request) (reconcile.Result, error) {
					bar := thing(barKind, "")
					if err := mgr.GetClient().Get(ctx, r.NamespacedName, bar); err != nil {
						return reconcile.Result{}, client.IgnoreNotFound(err)
					}
					return reconcile.Result{}, v(ctx, mgr.GetClient(), bar)
				}))
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// sized sees to it that there is a Foo of a size.
func sized(size int64) variant {
	return func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
		foo := thing(fooKind, "foo")
		err := c.Get(ctx, client.ObjectKeyFromObject(foo), foo)
		if apierrors.IsNotFound(err) {
			foo = child(bar, "foo", "")
			_ = unstructured.SetNestedField(foo.Object, size, "spec", "size")
			return c.Create(ctx, foo)
		}
		if is, _, _ := unstructured.NestedInt64(foo.Object, "spec", "size"); err != nil || is == size {
			return err
		}
		_ = unstructured.SetNestedField(foo.Object, size, "spec", "size")
		return c.Update(ctx, foo)
	}
}

// exists is a Match: there is a Foo.
func exists(ctx context.Context, c client.Reader, bar client.Object) error {
	owned, err := children(ctx, c, bar)
	if err == nil && len(owned) == 0 {
		err = errors.New("it has no child")
	}
	return err
}

// stealing deletes the Foos of others.
func stealing(ctx context.Context, c client.Client, _ *unstructured.Unstructured) error {
	return client.IgnoreNotFound(c.Delete(ctx, thing(fooKind, "given")))
}

// finalized has a finalizer, which it forgets to remove if there is no Foo.
func finalized(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	if bar.GetDeletionTimestamp() == nil {
		if len(bar.GetFinalizers()) == 0 {
			bar.SetFinalizers([]string{"example.com/foo"})
			return c.Update(ctx, bar)
		}
		return sized(1)(ctx, c, bar)
	}
	if err := c.Delete(ctx, thing(fooKind, "foo")); err != nil {
		return client.IgnoreNotFound(err)
	}
	bar.SetFinalizers(nil)
	return c.Update(ctx, bar)
}

func TestProperties(t *testing.T) {
	one, two := sized(1), sized(2)
	untouched := []settle.Contract{{Controller: "one", Relies: map[string]func(*settle.Write) error{"its size": settle.Untouched("Foo", "spec.size")}}}
	guarantee := func(name string, g func(*settle.Write) error) []settle.Contract {
		return []settle.Contract{{Controller: "one", Guarantees: map[string]func(*settle.Write) error{name: g}}}
	}
	for _, test := range []struct {
		name      string
		operators map[string]variant
		contracts []settle.Contract
		faults    settle.Faults
		// want is the property that is violated, and a part of the reason; empty if all hold.
		want, because string
	}{
		{"one alone", map[string]variant{"one": one}, untouched, settle.Faults{Crash: true}, "", ""},
		{"two alone", map[string]variant{"two": two}, nil, settle.Faults{Crash: true}, "", ""},
		{
			"both break what one relies on",
			map[string]variant{"one": one, "two": two},
			untouched,
			settle.Faults{},
			"one relies on: its size", "two: update foos default/foo: spec.size of a Foo is not its own to write: it was 1, and is 2",
		},
		{"a write with its version", map[string]variant{"one": createThenRecord}, guarantee("versions", settle.WritesWithVersion), settle.Faults{}, "", ""},
		{
			"a patch without",
			map[string]variant{"one": createThenPatch},
			guarantee("versions", settle.WritesWithVersion),
			settle.Faults{},
			"one guarantees: versions", "without a resourceVersion",
		},
		{"it owns what it creates", map[string]variant{"one": one}, guarantee("owns", settle.OwnsWhatItWrites("Bar")), settle.Faults{}, "", ""},
		{
			"it deletes what it does not own",
			map[string]variant{"one": stealing},
			guarantee("owns", settle.OwnsWhatItWrites("Bar")),
			settle.Faults{},
			"one guarantees: owns", "what no Bar controls",
		},
		{
			"it deletes by name",
			map[string]variant{"one": stealing},
			guarantee("preconditions", settle.DeletesWithPreconditions),
			settle.Faults{},
			"one guarantees: preconditions", "without the UID",
		},
		{
			"what it creates is of one that is gone",
			map[string]variant{"one": one},
			guarantee("owns", settle.OwnsWhatItWrites("Bar")),
			settle.Faults{Recreate: true},
			"one guarantees: owns", `belongs to a Bar "a" that is not there any more`,
		},
		{
			"a refused write", map[string]variant{"one": func(ctx context.Context, c client.Client, _ *unstructured.Unstructured) error {
				return c.Create(ctx, thing(fooKind, "Wrong Name"))
			}}, guarantee("accepted", settle.IsAccepted), settle.Faults{}, "one guarantees: accepted", "it is refused",
		},
		{
			"a panic", map[string]variant{"one": func(context.Context, client.Client, *unstructured.Unstructured) error {
				panic("out of cheese")
			}}, nil, settle.Faults{}, settle.Panics, "out of cheese",
		},
		{
			"a finalizer that stays",
			map[string]variant{"one": finalized},
			nil,
			settle.Faults{Recreate: true, Evict: true},
			settle.Goes, "bars default/a is deleted, and kept by its finalizers",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := config(nil, test.faults)
			given := thing(fooKind, "given")
			c.Objects = []client.Object{given}
			c.Setup, c.Always, c.Contracts, c.Match = operators(test.operators), nil, test.contracts, exists
			r, err := settle.Explore(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			if r.Name != test.want || !strings.Contains(r.Reason, test.because) {
				t.Errorf("got %q because %q, want %q because %q\n%s", r.Name, r.Reason, test.want, test.because, r)
			}
		})
	}
}

// TestPanickingProperty: what a Match panics with is told, with its name.
func TestPanickingProperty(t *testing.T) {
	c := config(createThenRecord, settle.Faults{})
	c.Match = func(context.Context, client.Reader, client.Object) error { panic("at the disco") }
	_, err := settle.Explore(t.Context(), c)
	if want := "settle: Match panics: at the disco"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s…", err, want)
	}
	c = config(createThenRecord, settle.Faults{})
	c.Writes = map[string]func(*settle.Write) error{"at-most-one": func(*settle.Write) error { return nil }}
	if _, err := settle.Explore(t.Context(), c); fmt.Sprint(err) != `settle: two properties have the name "at-most-one"` {
		t.Errorf("got %v", err)
	}
}
