package unconditional

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
	"github.com/seatrial/seatrial/settle"
)

// config: Secrets of old releases are to go, and the operator is to look which it deletes.
func config(ensure sample.Ensure) settle.Config {
	c := sample.Config(ensure, settle.Faults{Crash: true}, "old")
	old := &corev1.Secret{}
	old.Namespace, old.Name = "default", "old"
	c.Objects = []client.Object{old}
	c.Match = func(ctx context.Context, c client.Reader, _ client.Object) error {
		names, err := sample.Secrets(ctx, c)
		if err == nil && len(names) > 0 {
			err = fmt.Errorf("there are still %q", names)
		}
		return err
	}
	c.Contracts = []settle.Contract{{
		Controller: "database",
		Guarantees: map[string]func(*settle.Write) error{"it deletes what it has read": settle.DeletesWithPreconditions},
	}}
	return c
}

// TestFixed: it says which it deletes.
func TestFixed(t *testing.T) { settle.Check(t, config(Fixed)) }

// TestBuggy: it settles, and breaks its contract.
func TestBuggy(t *testing.T) {
	settle.Finds(t, config(Buggy), "database guarantees: it deletes what it has read")
}
