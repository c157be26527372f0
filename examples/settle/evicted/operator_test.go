package evicted

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/settle/environment"
)

// config: a Database has a pod that runs, and a kubelet evicts one of them.
func config(counts counts) settle.Config {
	c := sample.Config(nil, settle.Faults{Budget: settle.Budget{Environment: 1, Users: 1}}, "")
	c.Environment = []environment.Actor{environment.FailingKubelet()}
	c.Setup = func(mgr ctrl.Manager) error {
		return ctrl.NewControllerManagedBy(mgr).For(&sample.Database{}).Owns(&corev1.Pod{}).Complete(sample.New(mgr.GetClient(), operator(counts)))
	}
	c.Match = func(ctx context.Context, r client.Reader, desired client.Object) error {
		var all corev1.PodList
		if err := r.List(ctx, &all, client.InNamespace(desired.GetNamespace())); err != nil {
			return err
		}
		for _, p := range all.Items {
			if p.Status.Phase == corev1.PodRunning {
				return nil
			}
		}
		return fmt.Errorf("none of %d pods runs", len(all.Items))
	}
	return c
}

// TestFixed: there comes another.
func TestFixed(t *testing.T) { settle.Check(t, config(Fixed)) }

// TestBuggy: what was evicted is waited for.
func TestBuggy(t *testing.T) {
	if r := settle.Finds(t, config(Buggy), settle.Settles, settle.Stuck); len(r.Steps) > 10 {
		t.Errorf("it takes %d steps", len(r.Steps))
	}
}
