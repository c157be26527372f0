package settle_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle"
)

// barReconciler has fields of all kinds; its way may use them.
type barReconciler struct {
	client.Client
	way func(*barReconciler, context.Context, *unstructured.Unstructured) error

	lock   sync.Mutex
	seen   map[string]int
	all    sync.Map
	last   *time.Time
	runs   atomic.Int64
	nested struct{ names []string }
	wake   chan string
}

func (b *barReconciler) Reconcile(ctx context.Context, r reconcile.Request) (reconcile.Result, error) {
	bar := thing(barKind, "")
	if err := b.Get(ctx, r.NamespacedName, bar); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	return reconcile.Result{}, b.way(b, ctx, bar)
}

// rememberingReconciler says what it remembers: which Bars it has made a Foo for.
type rememberingReconciler struct{ *barReconciler }

func (r rememberingReconciler) Snapshot() []byte {
	if len(r.seen) == 0 {
		return nil
	}
	text, _ := json.Marshal(r.seen)
	return text
}

func (r rememberingReconciler) Restore(snapshot []byte) {
	clear(r.seen)
	if len(snapshot) > 0 {
		_ = json.Unmarshal(snapshot, &r.seen)
	}
}

// forgetful cannot restore what it says.
type forgetful struct{ rememberingReconciler }

func (r forgetful) Restore([]byte) {}

// reconciling is a configuration of a reconciler with fields.
func reconciling(way func(*barReconciler, context.Context, *unstructured.Unstructured) error, wrap func(*barReconciler) reconcile.Reconciler) settle.Config {
	c := config(nil, settle.Faults{})
	c.Always, c.Match = nil, there("x")
	c.Setup = func(mgr ctrl.Manager) error {
		r := &barReconciler{Client: mgr.GetClient(), way: way, seen: map[string]int{}, wake: make(chan string, 5)}
		return ctrl.NewControllerManagedBy(mgr).For(thing(barKind, "")).Owns(thing(fooKind, "")).Named("bar").Complete(wrap(r))
	}
	return c
}

func plain(r *barReconciler) reconcile.Reconciler { return r }

func remembering(r *barReconciler) reconcile.Reconciler { return rememberingReconciler{r} }

// TestRemembers: a reconciler that is not as it was is found out, and its field is named.
func TestRemembers(t *testing.T) {
	type way = func(*barReconciler, context.Context, *unstructured.Unstructured) error
	for _, test := range []struct {
		name string
		way  way
		want string // nothing: it may be so
	}{
		{"nothing", func(b *barReconciler, ctx context.Context, bar *unstructured.Unstructured) error {
			b.lock.Lock()
			defer b.lock.Unlock()
			return ensure(ctx, b, bar, "x")
		}, ""},
		{"a lock without defer, abandoned", func(b *barReconciler, ctx context.Context, bar *unstructured.Unstructured) error {
			b.lock.Lock()
			err := ensure(ctx, b, bar, "x")
			b.lock.Unlock()
			return err
		}, ""},
		{"a lock that stays", func(b *barReconciler, _ context.Context, _ *unstructured.Unstructured) error {
			b.lock.Lock()
			return nil
		}, "holds a lock when the reconcile has returned"},
		{"a map", func(b *barReconciler, _ context.Context, bar *unstructured.Unstructured) error {
			b.seen[bar.GetName()]++
			return nil
		}, "settle_test.barReconciler.seen[a] is 1, and there is nothing in a new one"},
		{"a sync.Map", func(b *barReconciler, _ context.Context, bar *unstructured.Unstructured) error {
			b.all.Store(bar.GetName(), "yes")
			return nil
		}, `settle_test.barReconciler.all[a] is "yes"`},
		{"a pointer", func(b *barReconciler, _ context.Context, _ *unstructured.Unstructured) error {
			now := time.Now()
			b.last = &now
			return nil
		}, "settle_test.barReconciler.last is 2026-01-01"},
		{"a number", func(b *barReconciler, _ context.Context, _ *unstructured.Unstructured) error {
			b.runs.Add(1)
			return nil
		}, "settle_test.barReconciler.runs.v is 1, and 0 in a new one"},
		{"a list", func(b *barReconciler, _ context.Context, bar *unstructured.Unstructured) error {
			b.nested.names = append(b.nested.names, bar.GetName())
			return nil
		}, `settle_test.barReconciler.nested.names[0] is "a"`},
		{"a channel", func(b *barReconciler, _ context.Context, bar *unstructured.Unstructured) error {
			b.wake <- bar.GetName()
			return nil
		}, "settle_test.barReconciler.wake is a channel of 1, and a channel of 0 in a new one"},
		{"before it asks", func(b *barReconciler, ctx context.Context, bar *unstructured.Unstructured) error {
			b.seen[bar.GetName()] = 7
			return ensure(ctx, b, bar, "x")
		}, "settle_test.barReconciler.seen[a] is 7"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := settle.Explore(t.Context(), reconciling(test.way, plain))
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "settle: bar, reconcile default/a: the reconciler ") {
				t.Errorf("there is no %q in: %v", test.want, err)
			}
		})
	}
}

// once makes a Foo for each Bar, once: it does not look whether it is still there.
func onceOnly(b *barReconciler, ctx context.Context, bar *unstructured.Unstructured) error {
	if b.seen[string(bar.GetUID())] > 0 {
		return nil
	}
	err := b.Create(ctx, child(bar, "x", ""))
	if apierrors.IsAlreadyExists(err) {
		err = nil
	}
	if err == nil {
		b.seen[string(bar.GetUID())]++
	}
	return err
}

// TestMemory: what a reconciler says that it remembers is a part of each state, and a killed
// process remembers nothing.
func TestMemory(t *testing.T) {
	for _, test := range []struct {
		name   string
		faults settle.Faults
		want   string
	}{
		{"alone", settle.Faults{}, "holds"},
		{"what it has made is made once", settle.Faults{Evict: true}, "K7"},
		{"unless it is killed", settle.Faults{Crash: true}, "holds"},
		{"what it takes for its own is that of another", settle.Faults{Recreate: true}, "K12"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := reconciling(onceOnly, remembering)
			c.Faults = test.faults
			r, err := settle.Explore(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			if got := outcome(r); got != test.want {
				t.Errorf("got %s, want %s\n%s", got, test.want, r)
			}
		})
	}
	_, err := settle.Explore(t.Context(), reconciling(onceOnly, func(b *barReconciler) reconcile.Reconciler {
		return forgetful{rememberingReconciler{b}}
	}))
	if err == nil || !strings.Contains(err.Error(), `the Snapshot of settle_test.forgetful is`) {
		t.Error(err)
	}
}

// TestLarge: what is not looked at is said.
func TestLarge(t *testing.T) {
	c := reconciling(func(b *barReconciler, ctx context.Context, bar *unstructured.Unstructured) error {
		return ensure(ctx, b, bar, "x")
	}, func(b *barReconciler) reconcile.Reconciler {
		b.nested.names = make([]string, 30_000)
		return b
	})
	r, err := settle.Explore(t.Context(), c)
	if err != nil || !strings.Contains(strings.Join(r.Report("").Assumptions, "\n"), "bar remembers nothing beyond 20000 fields and elements") {
		t.Errorf("%v, %v", r, err)
	}
}
