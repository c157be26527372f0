package settle_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
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

var bazKind = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Baz"}

// managed is a Setup whose reconciler has the manager.
func managed(f func(context.Context, ctrl.Manager, *unstructured.Unstructured) error) func(ctrl.Manager) error {
	return func(mgr ctrl.Manager) error {
		return ctrl.NewControllerManagedBy(mgr).For(thing(barKind, "")).Named("bar").
			Complete(reconcile.Func(func(ctx context.Context, r reconcile.Request) (reconcile.Result, error) {
				bar := thing(barKind, "")
				if err := mgr.GetClient().Get(ctx, r.NamespacedName, bar); err != nil {
					return reconcile.Result{}, client.IgnoreNotFound(err)
				}
				return reconcile.Result{}, f(ctx, mgr, bar)
			}))
	}
}

// TestMisuse: what is wrong with a configuration ends the search, and is neither taken for
// something that the reconciler has to bear nor for something that it does.
func TestMisuse(t *testing.T) {
	quiet := func(context.Context, ctrl.Manager, *unstructured.Unstructured) error { return nil }
	for _, test := range []struct {
		name  string
		setup func(ctrl.Manager) error
		match func(context.Context, client.Reader, client.Object) error
		want  []string
	}{
		{
			"a client of its own", managed(func(ctx context.Context, mgr ctrl.Manager, bar *unstructured.Unstructured) error {
				c, err := client.New(mgr.GetConfig(), client.Options{Scheme: mgr.GetScheme(), Mapper: mgr.GetRESTMapper()})
				if err == nil {
					_ = c.Create(ctx, child(bar, "x", "")) // nobody hears of it
				}
				return nil
			}), nil,
			[]string{"bar, reconcile default/a: POST /apis/example.com/v1/namespaces/default/foos", "goes past the manager's client", "mgr.GetClient()"},
		},
		{
			"a client of its own, in Setup", func(mgr ctrl.Manager) error {
				_, err := client.New(mgr.GetConfig(), client.Options{})
				_ = err
				c, _ := client.New(mgr.GetConfig(), client.Options{Mapper: mgr.GetRESTMapper()})
				return client.IgnoreNotFound(c.Get(context.Background(), client.ObjectKey{Name: "n"}, &corev1.Node{}))
			}, nil,
			[]string{"settle: Setup: GET /api/v1/nodes/n: ", "goes past the manager's client"},
		},
		{"no controller", func(ctrl.Manager) error { return nil }, nil, []string{"settle: Setup of process registers no controller"}},
		{
			"a type that the scheme lacks, in Setup", func(mgr ctrl.Manager) error {
				return ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}).Complete(reconcile.Func(nil))
			}, nil,
			[]string{"settle: Setup: ", "no kind is registered for the type v1.ConfigMap", "AddToScheme"},
		},
		{
			"a type that the scheme lacks, and nobody hears of it", managed(func(ctx context.Context, mgr ctrl.Manager, _ *unstructured.Unstructured) error {
				_ = mgr.GetClient().Get(ctx, client.ObjectKey{Name: "c", Namespace: "default"}, &corev1.ConfigMap{})
				return nil
			}), nil,
			[]string{"no kind is registered for the type v1.ConfigMap", "add it to Config.Scheme with AddToScheme"},
		},
		{
			"a type that the scheme lacks, in an owner", managed(func(_ context.Context, mgr ctrl.Manager, _ *unstructured.Unstructured) error {
				err := ctrl.SetControllerReference(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default"}}, thing(fooKind, "x"), mgr.GetScheme())
				return errors.Join(errors.New("no owner"), fmt.Errorf("for x: %w", err))
			}), nil,
			[]string{"bar, reconcile default/a: it returns: ", "no kind is registered for the type v1.Pod", "AddToScheme"},
		},
		{
			"a kind that is not served", managed(func(ctx context.Context, mgr ctrl.Manager, _ *unstructured.Unstructured) error {
				return mgr.GetClient().Get(ctx, client.ObjectKey{Name: "z", Namespace: "default"}, thing(bazKind, ""))
			}), nil,
			[]string{`bar, reconcile default/a: it returns: no matches for kind "Baz"`, "Config.CRDs"},
		},
		{
			"a kind that is not served, in Match", managed(quiet), func(ctx context.Context, c client.Reader, _ client.Object) error {
				return c.Get(ctx, client.ObjectKey{Name: "z", Namespace: "default"}, thing(bazKind, ""))
			},
			[]string{`settle: no matches for kind "Baz"`, "Config.CRDs"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := config(nil, settle.Faults{})
			c.Always, c.Setup = nil, test.setup
			c.Scheme = runtime.NewScheme()
			if c.Match = there(); test.match != nil {
				c.Match = test.match
			}
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

// TestOptionalKind: a reconciler that can do without a kind is no misuse.
func TestOptionalKind(t *testing.T) {
	c := config(nil, settle.Faults{})
	c.Always, c.Match = nil, there("x")
	c.Setup = managed(func(ctx context.Context, mgr ctrl.Manager, bar *unstructured.Unstructured) error {
		err := mgr.GetClient().Get(ctx, client.ObjectKey{Name: "z", Namespace: "default"}, thing(bazKind, ""))
		if !meta.IsNoMatchError(err) {
			return err
		}
		return ensure(ctx, mgr.GetClient(), bar, "x")
	})
	if r, err := settle.Explore(t.Context(), c); err != nil || r.Verdict != statespace.Holds {
		t.Errorf("%v, %v", r, err)
	}
}

// TestCancelled: no write is made whose context is done, as when the first error of several
// goroutines ends the others.
func TestCancelled(t *testing.T) {
	r, err := exploring(t, func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		var all sync.WaitGroup
		all.Go(func() {
			if c.Get(ctx, client.ObjectKey{Namespace: "default", Name: "y"}, thing(fooKind, "")) != nil {
				cancel()
			}
		})
		all.Wait()
		return c.Create(ctx, child(bar, "x", ""))
	}, settle.Faults{}, "x")
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != statespace.Violated || strings.Contains(r.String(), "create foos") {
		t.Errorf("nothing is created, and it is tried for ever:\n%s", r)
	}
}
