package edgetriggered

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
	"github.com/seatrial/seatrial/settle"
)

// config: somebody deletes Secrets, and watches break, both as often as they like.
func config(done ctrl.Result) settle.Config {
	c := sample.Config(nil, settle.Faults{Stale: true, Evict: true}, "")
	c.Setup = func(mgr ctrl.Manager) error { return setup(mgr, done) }
	c.Match = func(ctx context.Context, r client.Reader, desired client.Object) error {
		return r.Get(ctx, client.ObjectKeyFromObject(desired), &corev1.Secret{})
	}
	return c
}

// TestFixed: it is noticed some time.
func TestFixed(t *testing.T) { settle.Check(t, config(Fixed())) }

// TestBuggy: nobody notices; only a resync would.
func TestBuggy(t *testing.T) {
	r := settle.Finds(t, config(Buggy()), settle.Settles, settle.Stuck, settle.HealsByResync, settle.NeedsStaleCache)
	if len(r.Steps) > 8 {
		t.Errorf("it takes %d steps", len(r.Steps))
	}
}
