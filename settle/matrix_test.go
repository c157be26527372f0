package settle_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/statespace"
)

func definition(kind, plural string) *apiextensionsv1.CustomResourceDefinition {
	open := true
	d := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: plural + ".example.com"}}
	d.Spec = apiextensionsv1.CustomResourceDefinitionSpec{
		Group: "example.com", Scope: apiextensionsv1.NamespaceScoped,
		Names: apiextensionsv1.CustomResourceDefinitionNames{Kind: kind, ListKind: kind + "List", Plural: plural, Singular: plural},
		Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
			Name: "v1", Served: true, Storage: true, Subresources: &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}},
			Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: &open}},
		}},
	}
	return d
}

var (
	barKind = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Bar"}
	fooKind = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Foo"}
)

func thing(kind schema.GroupVersionKind, name string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(kind)
	u.SetNamespace("default")
	u.SetName(name)
	return u
}

func things(kind schema.GroupVersionKind) *unstructured.UnstructuredList {
	l := &unstructured.UnstructuredList{}
	l.SetGroupVersionKind(kind.GroupVersion().WithKind(kind.Kind + "List"))
	return l
}

// variant is a way to have one Foo for each Bar, and to note its name.
type variant func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error

func recorded(bar *unstructured.Unstructured) string {
	name, _, _ := unstructured.NestedString(bar.Object, "status", "foo")
	return name
}

func record(ctx context.Context, c client.Client, bar *unstructured.Unstructured, name string) error {
	_ = unstructured.SetNestedField(bar.Object, name, "status", "foo")
	return c.Status().Update(ctx, bar)
}

func child(bar *unstructured.Unstructured, name, prefix string) *unstructured.Unstructured {
	foo := thing(fooKind, name)
	foo.SetGenerateName(prefix)
	own := true
	foo.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: "example.com/v1", Kind: "Bar", Name: bar.GetName(), UID: bar.GetUID(), Controller: &own}})
	return foo
}

// createThenRecord is the operator of the talk.
func createThenRecord(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	if recorded(bar) != "" {
		return nil
	}
	foo := child(bar, "", "foo-")
	if err := c.Create(ctx, foo); err != nil {
		return err
	}
	return record(ctx, c, bar, foo.GetName())
}

// createThenPatch notes it whatever else was noted.
func createThenPatch(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	if recorded(bar) != "" {
		return nil
	}
	foo := child(bar, "", "foo-")
	if err := c.Create(ctx, foo); err != nil {
		return err
	}
	return patch(ctx, c, bar, foo.GetName())
}

func patch(ctx context.Context, c client.Client, bar *unstructured.Unstructured, name string) error {
	return c.Status().Patch(ctx, bar, client.RawPatch("application/merge-patch+json", fmt.Appendf(nil, `{"status":{"foo":%q}}`, name)))
}

// listFirst looks for children before it makes one, where the client reads.
func listFirst(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	return listed(ctx, c, c, bar, false)
}

// listLive looks for them on the API server.
func listLive(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	return listed(ctx, c, c.(operator).live, bar, false)
}

// listLiveAndDelete deletes those that there are too many, as well.
func listLiveAndDelete(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	return listed(ctx, c, c.(operator).live, bar, true)
}

func listed(ctx context.Context, c client.Client, r client.Reader, bar *unstructured.Unstructured, surplus bool) error {
	names, err := children(ctx, r, bar)
	if err != nil {
		return err
	}
	for surplus && len(names) > 1 {
		last := len(names) - 1
		if err := c.Delete(ctx, thing(fooKind, names[last])); client.IgnoreNotFound(err) != nil {
			return err
		}
		names = names[:last]
	}
	if len(names) == 0 {
		foo := child(bar, "", "foo-")
		if err := c.Create(ctx, foo); err != nil {
			return err
		}
		names = []string{foo.GetName()}
	}
	if recorded(bar) == names[0] {
		return nil
	}
	return record(ctx, c, bar, names[0])
}

// fixedName has a name that is known before.
func fixedName(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	if recorded(bar) != "" {
		return nil
	}
	if err := c.Create(ctx, child(bar, "foo", "")); err != nil {
		return err
	}
	return record(ctx, c, bar, "foo")
}

// fixedNameBlindly takes what is there for its own.
func fixedNameBlindly(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	if recorded(bar) != "" {
		return nil
	}
	if err := c.Create(ctx, child(bar, "foo", "")); err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	return record(ctx, c, bar, "foo")
}

// fixedNameChecked looks whose it is.
func fixedNameChecked(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	foo := thing(fooKind, "foo")
	err := c.Get(ctx, client.ObjectKeyFromObject(foo), foo)
	switch {
	case apierrors.IsNotFound(err):
		if err := c.Create(ctx, child(bar, "foo", "")); err != nil {
			return err
		}
	case err != nil:
		return err
	case !metav1.IsControlledBy(foo, bar):
		return errors.New("it is of another")
	}
	if recorded(bar) == "foo" {
		return nil
	}
	return record(ctx, c, bar, "foo")
}

// nameFirst notes the name of the child before it makes it.
func nameFirst(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	return nameThenChild(ctx, c, bar, func(name string) error { return record(ctx, c, bar, name) })
}

// nameFirstByPatch notes it whatever else was noted.
func nameFirstByPatch(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	return nameThenChild(ctx, c, bar, func(name string) error { return patch(ctx, c, bar, name) })
}

func nameThenChild(ctx context.Context, c client.Client, bar *unstructured.Unstructured, note func(string) error) error {
	name := recorded(bar)
	if name == "" {
		drawn := child(bar, "", "foo-")
		if err := c.Create(ctx, drawn, client.DryRunAll); err != nil {
			return err
		}
		name = drawn.GetName()
		if err := note(name); err != nil {
			return err
		}
	}
	err := c.Get(ctx, client.ObjectKey{Namespace: "default", Name: name}, thing(fooKind, ""))
	if apierrors.IsNotFound(err) {
		return c.Create(ctx, child(bar, name, ""))
	}
	return err
}

// operator is what a way is given: its manager's client, and what reads the API server.
type operator struct {
	client.Client
	live client.Reader
}

func config(v variant, f settle.Faults) settle.Config {
	return settle.Config{
		Scheme:      runtime.NewScheme(),
		Definitions: []*apiextensionsv1.CustomResourceDefinition{definition("Bar", "bars"), definition("Foo", "foos")},
		Setup: func(mgr ctrl.Manager) error {
			return ctrl.NewControllerManagedBy(mgr).For(thing(barKind, "")).Owns(thing(fooKind, "")).Named("bar").
				Complete(reconcile.Func(func(ctx context.Context, r reconcile.Request) (reconcile.Result, error) {
					bar := thing(barKind, "")
					if err := mgr.GetClient().Get(ctx, r.NamespacedName, bar); err != nil || bar.GetDeletionTimestamp() != nil {
						return reconcile.Result{}, client.IgnoreNotFound(err)
					}
					return reconcile.Result{}, v(ctx, operator{mgr.GetClient(), mgr.GetAPIReader()}, bar)
				}))
		},
		Desired: []client.Object{thing(barKind, "a")},
		Match: func(ctx context.Context, c client.Reader, bar client.Object) error {
			owned, err := children(ctx, c, bar)
			if err != nil {
				return err
			}
			if name := recorded(bar.(*unstructured.Unstructured)); len(owned) != 1 || owned[0] != name {
				return fmt.Errorf("it has the children %v, and %q is noted", owned, name)
			}
			return nil
		},
		Always: map[string]func(context.Context, client.Reader) error{
			"at-most-one": func(ctx context.Context, c client.Reader) error {
				bar := thing(barKind, "a")
				if err := c.Get(ctx, client.ObjectKeyFromObject(bar), bar); err != nil {
					return client.IgnoreNotFound(err)
				}
				owned, err := children(ctx, c, bar)
				if err == nil && len(owned) > 1 {
					err = fmt.Errorf("it has the children %v", owned)
				}
				return err
			},
		},
		Faults:     f,
		MaxObjects: 3,
		MaxStates:  40_000,
	}
}

func children(ctx context.Context, c client.Reader, bar client.Object) (names []string, err error) {
	all := things(fooKind)
	if err := c.List(ctx, all); err != nil {
		return nil, err
	}
	for _, foo := range all.Items {
		if metav1.IsControlledBy(&foo, bar) {
			names = append(names, foo.GetName())
		}
	}
	return names, nil
}

// caching is a configuration whose client reads these unstructured objects from caches, as
// it does typed ones.
func caching(c settle.Config) settle.Config {
	c.Processes = []settle.Process{{Name: "process", Setup: c.Setup, Cache: client.CacheOptions{Unstructured: true}}}
	c.Setup = nil
	return c
}

// outcome is a result in a word: holds, or what is violated (S at one moment, K if nothing
// happens any more, L if it goes on for ever) and after how many steps.
func outcome(r *settle.Result) string {
	kind := "L"
	switch {
	case r.Verdict == statespace.Holds:
		return "holds"
	case r.Verdict == statespace.Inconclusive:
		return "open"
	case r.Loop < 0:
		kind = "S"
	case r.Loop == len(r.Steps):
		kind = "K"
	}
	return fmt.Sprint(kind, len(r.Steps))
}

// TestMatrix: what each way of the demo comes to under each fault. A way that makes two children
// for a moment is asked as well what becomes of them. A retry after an error is a step here, so that
// some ways are a step longer than those of the prototype in which the verdicts were found first,
// and a loop is told with the way to it.
func TestMatrix(t *testing.T) {
	faults := []struct {
		name string
		settle.Faults
	}{
		{"none", settle.Faults{}},
		{"crash", settle.Faults{Crash: true}},
		{"timeout", settle.Faults{Timeout: true}},
		{"late", settle.Faults{Crash: true, Late: true}},
		{"evict", settle.Faults{Evict: true}},
		{"recreate", settle.Faults{Recreate: true}},
		{"stale", settle.Faults{Stale: true}},
	}
	for _, row := range []struct {
		name string
		way  variant
		want string
	}{
		{"create, then record", createThenRecord, "holds S8,K11 S7,K11 S8,K11 K8 holds S9,K14"},
		{"create, then patch", createThenPatch, "holds S8,K11 S7,K11 S8,K11 K8 K10 S9,K13"},
		{"list first, cached", listFirst, "holds holds holds S10,K14 holds holds S11,K20"},
		{"list first, live", listLive, "holds holds holds S10,K14 holds holds holds"},
		{"list first, live, delete the surplus", listLiveAndDelete, "holds holds holds S10,holds holds holds holds"},
		{"a fixed name", fixedName, "holds L9 L8 L9 K8 holds holds"},
		{"a fixed name, blindly", fixedNameBlindly, "holds holds holds holds K8 K14 holds"},
		{"a fixed name, checked", fixedNameChecked, "holds holds holds holds holds holds holds"},
		{"a drawn name, recorded first", nameFirst, "holds holds holds holds holds holds holds"},
		{"a drawn name, patched first", nameFirstByPatch, "holds holds holds S16,K19 holds holds S14,K18"},
	} {
		got := ""
		for _, f := range faults {
			c := config(row.way, f.Faults)
			if f.Stale {
				c = caching(c)
			}
			if f.Recreate { // with as many objects as with others, a cell takes a second, and says the same
				c.MaxObjects = 2
			}
			r, err := settle.Explore(t.Context(), c)
			if err != nil {
				t.Fatalf("%s, %s: %v", row.name, f.name, err)
			}
			t.Logf("%s, %s: %s", row.name, f.name, r)
			got += outcome(r)
			if r.Name == "at-most-one" { // does it settle, for all that?
				c.Always = nil
				if r, err = settle.Explore(t.Context(), c); err != nil {
					t.Fatalf("%s, %s: %v", row.name, f.name, err)
				}
				got += "," + outcome(r)
			}
			got += " "
		}
		if got != row.want+" " {
			t.Errorf("%s:\n got %s\nwant %s", row.name, got, row.want)
		}
	}
}
