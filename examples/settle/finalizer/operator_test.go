package finalizer

import (
	"context"
	"fmt"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
	"github.com/seatrial/seatrial/settle"
)

// config: users ask for a Database and delete it, and the process may be killed.
func config(ensure sample.Ensure) settle.Config {
	c := sample.Config(ensure, settle.Faults{Crash: true, Recreate: true}, "")
	c.Match = func(ctx context.Context, c client.Reader, _ client.Object) error {
		names, err := sample.Secrets(ctx, c)
		if err == nil && len(names) != 1 {
			err = fmt.Errorf("the secrets are %q", names)
		}
		return err
	}
	c.Gone = func(ctx context.Context, c client.Reader, _ client.ObjectKey) error {
		names, err := sample.Secrets(ctx, c)
		if err == nil && len(names) > 0 {
			err = fmt.Errorf("the secrets %q are left", names)
		}
		return err
	}
	return c
}

// TestFixed: what is deleted goes.
func TestFixed(t *testing.T) { settle.Check(t, config(Fixed)) }

// TestBuggy: killed after it has deleted the Secret, it never gets any further.
func TestBuggy(t *testing.T) { settle.Finds(t, config(Buggy), settle.Goes) }
