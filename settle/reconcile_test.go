package settle_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle"
)

// TestTriedFirst: a write that is tried first, as a dry run, is another one than that which is meant, also
// where it is late.
func TestTriedFirst(t *testing.T) {
	tried := func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
		names, err := children(ctx, c, bar)
		if err != nil {
			return err
		}
		if len(names) == 0 {
			if err := c.Create(ctx, child(bar, "", "foo-"), client.DryRunAll); err != nil {
				return err
			}
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
	for want, faults := range map[string]settle.Faults{"holds": {Crash: true}, "K16": {Crash: true, Late: true}} {
		c := config(tried, faults)
		c.Always = nil
		r, err := settle.Explore(t.Context(), c)
		if err != nil || outcome(r) != want {
			t.Errorf("got %v, %v, want %s", r, err, want)
		}
	}
}

// TestTerminal: what controller-runtime does not try again is not tried again here.
func TestTerminal(t *testing.T) {
	soon := reconcile.Result{RequeueAfter: time.Second}
	for _, row := range []struct {
		name string
		end  func(error) (reconcile.Result, error)
		want string
	}{
		{"an error", func(err error) (reconcile.Result, error) { return reconcile.Result{}, err }, "holds"},
		{"some time later", func(error) (reconcile.Result, error) { return soon, nil }, "holds"},
		{"terminal", func(err error) (reconcile.Result, error) { return reconcile.Result{}, reconcile.TerminalError(err) }, "K3"},
		{"terminal, in another error", func(err error) (reconcile.Result, error) {
			return reconcile.Result{}, fmt.Errorf("no foo: %w", reconcile.TerminalError(err))
		}, "K3"},
		{"terminal, with others", func(err error) (reconcile.Result, error) {
			return reconcile.Result{}, errors.Join(err, reconcile.TerminalError(err))
		}, "K3"},
		{"terminal, and some time later", func(err error) (reconcile.Result, error) { return soon, reconcile.TerminalError(err) }, "K3"},
		{"it only says so", func(err error) (reconcile.Result, error) {
			return reconcile.Result{}, fmt.Errorf("terminal error: %w", err)
		}, "holds"},
	} {
		c := config(nil, settle.Faults{Timeout: true})
		c.Always, c.Match = nil, there("x")
		c.Setup = func(mgr ctrl.Manager) error {
			return ctrl.NewControllerManagedBy(mgr).For(thing(barKind, "")).Named("bar").
				Complete(reconcile.Func(func(ctx context.Context, q reconcile.Request) (reconcile.Result, error) {
					bar := thing(barKind, "")
					err := mgr.GetClient().Get(ctx, q.NamespacedName, bar)
					if err == nil {
						err = ensure(ctx, mgr.GetClient(), bar, "x")
					}
					if client.IgnoreNotFound(err) != nil {
						return row.end(err)
					}
					return reconcile.Result{}, nil
				}))
		}
		r, err := settle.Explore(t.Context(), c)
		if err != nil || outcome(r) != row.want {
			t.Errorf("%s: got %v, %v, want %s", row.name, r, err, row.want)
		}
	}
}
