package byname

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Fixed deletes what it has read, and nothing else that has its name.
func Fixed(ctx context.Context, c client.Client, is *corev1.PersistentVolumeClaim) error {
	return c.Delete(ctx, is, client.Preconditions{UID: &is.UID})
}
