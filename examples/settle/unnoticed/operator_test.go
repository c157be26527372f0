package unnoticed

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
	"github.com/seatrial/seatrial/settle"
)

// config: the Secret that is noted exists. If none is noted, all is well.
func config(ensure sample.Ensure) settle.Config {
	c := sample.Config(ensure, settle.Faults{Crash: true}, "")
	c.Match = func(ctx context.Context, c client.Reader, desired client.Object) error {
		names, err := sample.Secrets(ctx, c)
		if noted := desired.(*sample.Database).Status.Secret; err == nil && noted != "" && !slices.Contains(names, noted) {
			err = fmt.Errorf("%q is noted, and the secrets are %q", noted, names)
		}
		return err
	}
	return c
}

// TestFixed: something is missing on the way, and there in the end.
func TestFixed(t *testing.T) { settle.Check(t, config(Fixed)) }

// TestBuggy: nothing is ever missing, so that nothing is shown.
func TestBuggy(t *testing.T) { settle.Finds(t, config(Buggy), settle.Vacuity) }
