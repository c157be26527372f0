package immutable

import (
	"context"
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
	"github.com/seatrial/seatrial/settle"
)

// config: users change a label of a Database.
func config(change func(is, want *appsv1.StatefulSet), faults settle.Faults) settle.Config {
	c := sample.Config(nil, faults, "")
	c.Setup = func(mgr ctrl.Manager) error { return setup(mgr, change) }
	gold := c.Desired[0].DeepCopyObject().(*sample.Database)
	gold.Labels = map[string]string{tier: "gold"}
	c.Desired = append(c.Desired, gold)
	c.Match = func(ctx context.Context, r client.Reader, desired client.Object) error {
		var is appsv1.StatefulSet
		if err := r.Get(ctx, client.ObjectKeyFromObject(desired), &is); err != nil {
			return err
		}
		if got := is.Spec.Template.Labels[tier]; got != desired.GetLabels()[tier] {
			return fmt.Errorf("the tier of the pods is %q", got)
		}
		return nil
	}
	return c
}

// TestFixed: the pods have the label.
func TestFixed(t *testing.T) {
	settle.Check(t, config(Fixed, settle.Faults{Crash: true, Timeout: true}))
}

// TestBuggy: the update is refused for ever.
func TestBuggy(t *testing.T) {
	r := settle.Finds(t, config(Buggy, settle.Faults{}), settle.Settles, settle.Livelock)
	if len(r.Steps) > 11 {
		t.Errorf("it takes %d steps", len(r.Steps))
	}
}

// TestContract: no write of an operator is ever to be refused as invalid, which no repetition mends.
func TestContract(t *testing.T) {
	c := config(Buggy, settle.Faults{})
	c.Writes = map[string]func(*settle.Write) error{"accepted": settle.IsAccepted}
	if r := settle.Finds(t, c, "accepted"); len(r.Steps) > 10 {
		t.Errorf("it takes %d steps", len(r.Steps))
	}
}
