package overlap

import (
	"context"
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
	"github.com/seatrial/seatrial/settle"
)

// config: there is a Secret of an old name, and there is never more than one.
func config(ensure sample.Ensure) settle.Config {
	c := sample.Config(ensure, settle.Faults{Crash: true}, "new")
	old := &corev1.Secret{}
	old.Namespace, old.Name = "default", "old"
	c.Objects = []client.Object{old}
	c.Match = func(ctx context.Context, c client.Reader, desired client.Object) error {
		names, err := sample.Secrets(ctx, c)
		if want := []string{desired.(*sample.Database).Spec.Name}; err == nil && !slices.Equal(names, want) {
			err = fmt.Errorf("the secrets are %q, and are to be %q", names, want)
		}
		return err
	}
	c.Always = map[string]func(context.Context, client.Reader) error{
		"at-most-one": func(ctx context.Context, c client.Reader) error {
			names, err := sample.Secrets(ctx, c)
			if err == nil && len(names) > 1 {
				err = fmt.Errorf("there are the secrets %q", names)
			}
			return err
		},
	}
	return c
}

// TestFixed: there is never more than one.
func TestFixed(t *testing.T) { settle.Check(t, config(Fixed)) }

// TestBuggy: there are two for a moment.
func TestBuggy(t *testing.T) { settle.Finds(t, config(Buggy), "at-most-one") }
