package unconditional

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// Fixed deletes the Secret that it has read, and no other that has its name.
func Fixed(ctx context.Context, c client.Client, db *sample.Database) error {
	var s corev1.Secret
	err := c.Get(ctx, client.ObjectKey{Namespace: db.Namespace, Name: db.Spec.Name}, &s)
	if err != nil {
		return client.IgnoreNotFound(err)
	}
	return client.IgnoreNotFound(c.Delete(ctx, &s, client.Preconditions{UID: &s.UID}))
}
