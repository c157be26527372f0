package settle_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/fields"
	kube "k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle"
)

// mapping is a Setup whose Foos lead to Bars by a function; an index reads them by one, too.
func mapping(lead handler.MapFunc, index client.IndexerFunc) func(ctrl.Manager) error {
	return func(mgr ctrl.Manager) error {
		if err := mgr.GetFieldIndexer().IndexField(context.Background(), thing(fooKind, ""), "of", index); err != nil {
			return err
		}
		return ctrl.NewControllerManagedBy(mgr).For(thing(barKind, "")).Watches(thing(fooKind, ""), handler.EnqueueRequestsFromMapFunc(lead)).Named("bar").
			Complete(reconcile.Func(func(ctx context.Context, q reconcile.Request) (reconcile.Result, error) {
				bar := thing(barKind, "")
				if err := mgr.GetClient().Get(ctx, q.NamespacedName, bar); err != nil {
					return reconcile.Result{}, client.IgnoreNotFound(err)
				}
				if err := ensure(ctx, mgr.GetClient(), bar, "x"); err != nil {
					return reconcile.Result{}, err
				}
				return reconcile.Result{}, mgr.GetCache().List(ctx, things(fooKind), client.MatchingFieldsSelector{Selector: fields.OneTermEqualSelector("of", "a")})
			}))
	}
}

// TestUnfit: functions that are no reconcilers, and panic, end their goroutine, do not come to an end or do
// not follow from what they are given, are named, with the line where they are.
func TestUnfit(t *testing.T) {
	settle.Endure(t, time.Second, 50)
	nowhere := func(context.Context, client.Object) []reconcile.Request { return nil }
	unindexed := func(client.Object) []string { return nil }
	never := make(chan int)
	asked := 0
	match := func(f func() error) func(*settle.Config) {
		return func(c *settle.Config) {
			c.Match = func(context.Context, client.Reader, client.Object) error { return f() }
		}
	}
	setup := func(f func(ctrl.Manager) error) func(*settle.Config) { return func(c *settle.Config) { c.Setup = f } }
	for name, test := range map[string]struct {
		change func(*settle.Config)
		want   []string
	}{
		"Match waits":         {match(func() error { <-never; return nil }), []string{"settle: Match does not return within 1s: chan receive in settle/guard_test.go:", "not to wait"}},
		"Match ends the test": {match(func() error { runtime.Goexit(); return nil }), []string{"settle: Match ends its goroutine without returning", "FailNow"}},
		"Match counts": {match(func() error {
			if asked++; asked < 3 {
				return errors.New("not yet")
			}
			return nil
		}), []string{`settle: Match says of one and the same cluster "bars default/a: not yet", and then "all is well": it has to follow from what it reads`}},
		"Setup panics":             {setup(func(ctrl.Manager) error { panic("no flags") }), []string{"settle: Setup panics: no flags (settle/guard_test.go:"}},
		"Setup starts the manager": {setup(func(mgr ctrl.Manager) error { return mgr.Start(context.Background()) }), []string{"settle: Setup: the manager is not to be started"}},
		"Setup waits":              {setup(func(ctrl.Manager) error { <-never; return nil }), []string{"settle: Setup does not return within 1s: chan receive in settle/guard_test.go:"}},
		"a handler waits":          {setup(mapping(func(context.Context, client.Object) []reconcile.Request { <-never; return nil }, unindexed)), []string{"settle: a predicate or handler of bar for Foo does not return within 1s: chan receive in settle/guard_test.go:"}},
		"a handler panics":         {setup(mapping(func(context.Context, client.Object) []reconcile.Request { panic("no label") }, unindexed)), []string{"settle: controller bar: a predicate or handler for Foo panics: no label"}},
		"an index panics":          {setup(mapping(nowhere, func(client.Object) []string { panic("no field") })), []string{"settle: the index of of Foo panics: no field (settle/guard_test.go:"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := config(createThenRecord, settle.Faults{})
			c.Always = nil
			test.change(&c)
			r, err := settle.Explore(t.Context(), c)
			if err == nil {
				t.Fatalf("no error, but %s", r)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("there is no %q in: %v", want, err)
				}
			}
		})
	}
}

// TestIncomplete: what a configuration lacks is named, before anything is searched.
func TestIncomplete(t *testing.T) {
	bar, numbered := thing(barKind, "a"), thing(barKind, "a")
	numbered.SetLabels(map[string]string{"id": "123456789012345678"})
	for want, change := range map[string]func(*settle.Config){
		"there is no Scheme":                              func(c *settle.Config) { c.Scheme = nil },
		"there is no Desired":                             func(c *settle.Config) { c.Desired = nil },
		"Setup or Processes are needed":                   func(c *settle.Config) { c.Setup = nil },
		"Desired: number 2 is nil":                        func(c *settle.Config) { c.Desired = []client.Object{bar, nil} },
		"Desired: number 2 is the same as number 1":       func(c *settle.Config) { c.Desired = []client.Object{bar, thing(barKind, "a")} },
		"Desired: a Bar has no name":                      func(c *settle.Config) { c.Desired = []client.Object{thing(barKind, "")} },
		"Desired: the Bar a has no namespace":             func(c *settle.Config) { c.Desired = []client.Object{nowhereIn(thing(barKind, "a"))} },
		`no matches for kind "Baz"`:                       func(c *settle.Config) { c.Desired = []client.Object{thing(bazKind, "a")} },
		"Objects: number 1 is nil":                        func(c *settle.Config) { c.Objects = []client.Object{(*nobody)(nil)} },
		"Objects: number 1, *settle_test.nobody: no kind": func(c *settle.Config) { c.Objects = []client.Object{&nobody{}} },
		"Definitions: number 1 is nil":                    func(c *settle.Config) { c.Definitions = []*apiextensionsv1.CustomResourceDefinition{nil} },
		`Desired: bars default/a has "123456789012345678", which is what resourceVersions`: func(c *settle.Config) { c.Desired = []client.Object{numbered} },
		`Objects: bars default/a has "123456789012345678", which is what resourceVersions`: func(c *settle.Config) { c.Objects = []client.Object{numbered} },
		"Systems: number 1 does nothing":            func(c *settle.Config) { c.Systems = make([]settle.System, 1) },
		`Always: "a" has no function`:               func(c *settle.Config) { c.Always = map[string]func(context.Context, client.Reader) error{"a": nil} },
		`Writes and Contracts: "b" has no function`: func(c *settle.Config) { c.Writes = map[string]func(*settle.Write) error{"b": nil} },
		"MaxObjects is -1":                          func(c *settle.Config) { c.MaxObjects = -1 },
		"MaxStates is -1":                           func(c *settle.Config) { c.MaxStates = -1 },
		"Workers is -1":                             func(c *settle.Config) { c.Workers = -1 },
	} {
		c := config(createThenRecord, settle.Faults{})
		c.Always = nil
		change(&c)
		if r, err := settle.Explore(t.Context(), c); err == nil || !strings.HasPrefix(err.Error(), "settle: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v, %v", want, r, err)
		}
	}
}

func nowhereIn(o client.Object) client.Object {
	o.SetNamespace("")
	return o
}

// nobody is an object that no scheme has.
type nobody struct{ corev1.Pod }

func (n *nobody) DeepCopyObject() kube.Object { return n }
