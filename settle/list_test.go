package settle_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/statespace"
)

// reading explores a reconciler of ConfigMaps that reads, and gives what it has said last.
func reading(t *testing.T, read func(ctx context.Context, mgr ctrl.Manager, of client.ObjectKey) string) (said string, err error) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	named := func(name string) client.Object {
		return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
	}
	r, err := settle.Explore(t.Context(), settle.Config{
		Scheme: scheme, Objects: []client.Object{named("b"), named("c")}, Desired: []client.Object{named("a")}, Workers: 1,
		Setup: func(mgr ctrl.Manager) error {
			return ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}).Complete(reconcile.Func(func(ctx context.Context, q reconcile.Request) (reconcile.Result, error) {
				if text := read(ctx, mgr, q.NamespacedName); q.Name == "a" {
					said = text
				}
				return reconcile.Result{}, nil
			}))
		},
		Match: func(ctx context.Context, c client.Reader, _ client.Object) error {
			return c.Get(ctx, client.ObjectKey{Namespace: "default", Name: "b"}, &corev1.ConfigMap{})
		},
	})
	if err == nil && r.Verdict == statespace.Violated {
		t.Errorf("it is %s", r)
	}
	return said, err
}

// TestKinds: typed objects say their kind where those of controller-runtime's clients do.
func TestKinds(t *testing.T) {
	got, err := reading(t, func(ctx context.Context, mgr ctrl.Manager, of client.ObjectKey) string {
		var cached, live, fresh, again corev1.ConfigMap
		var all corev1.ConfigMapList
		_ = mgr.GetClient().Get(ctx, of, &cached)
		_ = mgr.GetAPIReader().Get(ctx, of, &live)
		_ = mgr.GetClient().List(ctx, &all)
		fresh.Name, fresh.Namespace, fresh.Kind, fresh.APIVersion = "d", "default", "ConfigMap", "v1"
		_ = mgr.GetClient().Create(ctx, &fresh, client.DryRunAll)
		cached.DeepCopyInto(&again)
		_ = mgr.GetClient().Update(ctx, &again)
		return fmt.Sprintf("%q %q %q %q %q", cached.Kind, live.Kind, all.Items[0].Kind, fresh.Kind, again.Kind)
	})
	if want := `"ConfigMap" "" "ConfigMap" "" "ConfigMap"`; err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

// TestLimit: a list has no more than its Limit, and the next page is not made up.
func TestLimit(t *testing.T) {
	count := func(reader func(ctrl.Manager) client.Reader, options ...client.ListOption) func(context.Context, ctrl.Manager, client.ObjectKey) string {
		return func(ctx context.Context, mgr ctrl.Manager, _ client.ObjectKey) string {
			var all corev1.ConfigMapList
			err := reader(mgr).List(ctx, &all, options...)
			return fmt.Sprint(len(all.Items), " ", all.Continue != "", " ", err)
		}
	}
	cached := func(mgr ctrl.Manager) client.Reader { return mgr.GetClient() }
	live := func(mgr ctrl.Manager) client.Reader { return mgr.GetAPIReader() }
	for _, row := range []struct {
		name    string
		reader  func(ctrl.Manager) client.Reader
		options []client.ListOption
		want    string
	}{
		{"all, from the cache", cached, nil, "3 true <nil>"}, // there never is a next page
		{"some, from the cache", cached, []client.ListOption{client.Limit(2)}, "2 true <nil>"},
		{"more, from the cache", cached, []client.ListOption{client.Limit(2), client.Continue("a")}, "0 false continue list option is not supported by the cache"},
		{"all", live, nil, "3 false <nil>"},
		{"as many as there are", live, []client.ListOption{client.Limit(3)}, "3 false <nil>"},
		{"some", live, []client.ListOption{client.Limit(2)}, "2 true <nil>"},
		{"more", live, []client.ListOption{client.Limit(2), client.Continue("a")}, "settle: list configmaps, 2 at most: it goes on with a list that had a Limit"},
	} {
		got, err := reading(t, count(row.reader, row.options...))
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, row.want) {
			t.Errorf("%s: got %s, want %s", row.name, got, row.want)
		}
	}
}
