package fight

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
	"github.com/seatrial/seatrial/settle"
)

// config has some of the operators, each in a process of its own.
func config(w write, operators ...operator) settle.Config {
	c := sample.Config(nil, settle.Faults{Crash: true}, "")
	c.Setup = nil
	for _, o := range operators {
		c.Processes = append(c.Processes, settle.Process{Name: o.name, Setup: func(mgr ctrl.Manager) error { return o.setup(mgr, w) }})
	}
	c.Match = func(ctx context.Context, r client.Reader, desired client.Object) error {
		var is corev1.ConfigMap
		if err := r.Get(ctx, client.ObjectKeyFromObject(desired), &is); err != nil {
			return err
		}
		for _, o := range operators {
			if is.Data[o.field] != o.value {
				return fmt.Errorf("%s is %q", o.field, is.Data[o.field])
			}
		}
		return nil
	}
	return c
}

// TestFixed: together, they come to an end.
func TestFixed(t *testing.T) { settle.Check(t, config(Fixed, sizing, security)) }

// TestAlone: with the mistake, too, each does what it is there for.
func TestAlone(t *testing.T) {
	settle.Check(t, config(Buggy, sizing))
	settle.Check(t, config(Buggy, security))
}

// TestBuggy: together, they go on for ever.
func TestBuggy(t *testing.T) {
	r := settle.Finds(t, config(Buggy, sizing, security), settle.Settles, settle.Livelock)
	if len(r.Steps) > 13 {
		t.Errorf("it takes %d steps", len(r.Steps))
	}
}

// TestContract: what one relies on says whose write is wrong, before anything goes on for ever.
func TestContract(t *testing.T) {
	c := config(Buggy, sizing, security)
	c.Contracts = []settle.Contract{{
		Controller: sizing.name,
		Relies:     map[string]func(*settle.Write) error{"its field": settle.Untouched("ConfigMap", "data.memory")},
	}}
	if r := settle.Finds(t, c, "sizing relies on: its field"); len(r.Steps) > 9 {
		t.Errorf("it takes %d steps", len(r.Steps))
	}
	c.Processes = config(Fixed, sizing, security).Processes
	settle.Check(t, c)
}
