package unset

import (
	"context"
	"fmt"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
	"github.com/seatrial/seatrial/settle"
)

// config: each Database is to be seen.
func config(ensure sample.Ensure) settle.Config {
	c := sample.Config(ensure, settle.Faults{Timeout: true}, "a")
	c.Match = func(_ context.Context, _ client.Reader, desired client.Object) error {
		if desired.GetAnnotations()["example.com/seen"] != "true" {
			return fmt.Errorf("it is not seen")
		}
		return nil
	}
	return c
}

// TestFixed: it does not matter whether there are annotations.
func TestFixed(t *testing.T) { settle.Check(t, config(Fixed)) }

// TestBuggy: the first reconcile panics.
func TestBuggy(t *testing.T) { settle.Finds(t, config(Buggy), settle.Panics) }
