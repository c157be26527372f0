package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clientgo "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// pods reconciles ConfigMaps that own Pods, and those that a Secret names.
func pods(mgr ctrl.Manager) error {
	named := func(_ context.Context, o client.Object) []reconcile.Request {
		return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: o.GetNamespace(), Name: o.GetAnnotations()["for"]}}}
	}
	if err := mgr.GetFieldIndexer().IndexField(context.Background(), &corev1.Pod{}, "node", func(o client.Object) []string {
		return []string{o.(*corev1.Pod).Spec.NodeName}
	}); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.ConfigMap{}, builder.WithPredicates(predicate.AnnotationChangedPredicate{})).
		Owns(&corev1.Pod{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(named)).
		Complete(reconcile.Func(func(_ context.Context, r reconcile.Request) (reconcile.Result, error) {
			return reconcile.Result{}, errors.New(r.Name)
		}))
}

func object(o client.Object, name string, annotations ...string) client.Object {
	o.SetNamespace("default")
	o.SetName(name)
	if len(annotations) == 2 {
		o.SetAnnotations(map[string]string{annotations[0]: annotations[1]})
	}
	return o
}

// mapper knows that ConfigMaps are in namespaces.
func mapper() meta.RESTMapper {
	m := meta.NewDefaultRESTMapper(nil)
	m.Add(corev1.SchemeGroupVersion.WithKind("ConfigMap"), meta.RESTScopeNamespace)
	return m
}

func newManager(t *testing.T, o Options) *Manager {
	t.Helper()
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

type change struct{ before, after client.Object }

func (c change) Of(client.Object) (before, after client.Object, err error) {
	return c.before, c.after, nil
}

func (c change) Missed() bool { return false }

// TestDeliver: a user's own registration decides what is put into the queue.
func TestDeliver(t *testing.T) {
	m := newManager(t, Options{Scheme: clientgo.Scheme, Mapper: mapper()})
	if err := pods(m); err != nil {
		t.Fatal(err)
	}
	if err := m.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(m.Controllers) != 1 || len(m.Indexes()) != 1 {
		t.Fatalf("%d controllers, %d indexes", len(m.Controllers), len(m.Indexes()))
	}
	c := m.Controllers[0]
	var kinds []string
	for _, s := range c.Sources() {
		kinds = append(kinds, s.Kind.Kind)
	}
	if got := strings.Join(kinds, " "); got != "ConfigMap Pod Secret" || c.Name != "configmap" || c.Concurrent != 1 {
		t.Errorf("controller %s watches %s, %d at once", c.Name, got, c.Concurrent)
	}
	owned := object(&corev1.Pod{}, "p")
	owned.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "owner", Controller: ptr(true)}})
	for _, test := range []struct {
		name     string
		old, now client.Object
		want     string
	}{
		{"a new one", nil, object(&corev1.ConfigMap{}, "a"), "a"},
		{"a change that the predicate drops", object(&corev1.ConfigMap{}, "a"), object(&corev1.ConfigMap{}, "a"), ""},
		{"a change that it lets through", object(&corev1.ConfigMap{}, "a"), object(&corev1.ConfigMap{}, "a", "x", "y"), "a"},
		{"a child", nil, owned, "owner"},
		{"a child that is gone", owned, nil, "owner"},
		{"a child of nobody", nil, object(&corev1.Pod{}, "q"), ""},
		{"by a function, of the old and the new", object(&corev1.Secret{}, "s", "for", "a"), object(&corev1.Secret{}, "s", "for", "b"), "a b"},
		{"a kind that is not watched", nil, object(&corev1.Service{}, "s"), ""},
	} {
		any := test.now
		if any == nil {
			any = test.old
		}
		kinds, _, err := clientgo.Scheme.ObjectKinds(any)
		if err != nil {
			t.Fatal(err)
		}
		added, err := c.Deliver(Source{Kind: kinds[0]}, change{test.old, test.now}, false)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, a := range added {
			names = append(names, a.Request.Name)
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	if _, err := c.Reconcile(t.Context(), reconcile.Request{NamespacedName: types.NamespacedName{Name: "x"}}); err == nil || err.Error() != "x" {
		t.Errorf("the reconciler says %v", err)
	}
}

// TestPanicOfAPredicate is an error, not the end of the search.
func TestPanicOfAPredicate(t *testing.T) {
	m := newManager(t, Options{Scheme: clientgo.Scheme})
	err := ctrl.NewControllerManagedBy(m).For(&corev1.ConfigMap{}, builder.WithPredicates(predicate.NewPredicateFuncs(func(client.Object) bool { panic("no") }))).
		Complete(reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) { return reconcile.Result{}, nil }))
	if err := errors.Join(err, m.Begin(t.Context())); err != nil {
		t.Fatal(err)
	}
	_, err = m.Controllers[0].Deliver(Source{Kind: corev1.SchemeGroupVersion.WithKind("ConfigMap")}, change{nil, object(&corev1.ConfigMap{}, "a")}, false)
	if err == nil || !strings.Contains(err.Error(), "controller configmap: a predicate or handler for ConfigMap panics: no") {
		t.Error(err)
	}
}

// TestBypass: a client of the manager's configuration is refused and told why; what is
// added beside controllers is not run, and can be named.
func TestBypass(t *testing.T) {
	m := newManager(t, Options{Scheme: clientgo.Scheme})
	c, err := client.New(m.GetConfig(), client.Options{Scheme: clientgo.Scheme})
	if err == nil {
		err = c.Get(t.Context(), client.ObjectKey{Name: "a"}, &corev1.Node{})
	}
	if !errors.Is(err, ErrBypass) || !errors.Is(m.Bypassed(), ErrBypass) {
		t.Errorf("%v, %v", err, m.Bypassed())
	}
	if err := m.Add(ctrl.Manager(m)); err != nil || !slices.Equal(m.Ignored, []string{fmt.Sprintf("%T", m)}) {
		t.Errorf("%v, %v", err, m.Ignored)
	}
}
