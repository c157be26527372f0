// Package unconditional is an operator
// that deletes what it has read by its name alone.
package unconditional

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// Buggy deletes whatever has the name by now.
func Buggy(ctx context.Context, c client.Client, db *sample.Database) error {
	var s corev1.Secret
	err := c.Get(ctx, client.ObjectKey{Namespace: db.Namespace, Name: db.Spec.Name}, &s)
	if err != nil {
		return client.IgnoreNotFound(err)
	}
	return client.IgnoreNotFound(c.Delete(ctx, &s))
}
