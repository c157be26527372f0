package predicate

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/seatrial/seatrial/examples/settle/sample"
	"github.com/seatrial/seatrial/settle"
)

// config: users pause a Database, and let it go on.
func config(changes predicate.Predicate, faults settle.Faults) settle.Config {
	c := sample.Config(nil, faults, "")
	c.Setup = func(mgr ctrl.Manager) error { return setup(mgr, changes) }
	resting := c.Desired[0].DeepCopyObject().(*sample.Database)
	resting.Annotations = map[string]string{paused: "true"}
	c.Desired = append(c.Desired, resting)
	c.Match = func(ctx context.Context, r client.Reader, desired client.Object) error {
		if desired.GetAnnotations()[paused] != "" {
			return nil
		}
		return r.Get(ctx, client.ObjectKeyFromObject(desired), &corev1.Secret{})
	}
	return c
}

// TestFixed: it goes on.
func TestFixed(t *testing.T) {
	settle.Check(t, config(Fixed(), settle.Faults{Crash: true, Timeout: true}))
}

// TestBuggy: it does not, though nothing goes wrong. A resync does not help: that brings an event whose
// generation is what it was.
func TestBuggy(t *testing.T) {
	r := settle.Finds(t, config(Buggy(), settle.Faults{}), settle.Settles, settle.Stuck)
	if len(r.Steps) > 4 {
		t.Errorf("it takes %d steps", len(r.Steps))
	}
}
