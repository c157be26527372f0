package byname

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// Buggy deletes what has the name when the request arrives.
func Buggy(ctx context.Context, c client.Client, _ client.Reader, _ *sample.Database, is *corev1.PersistentVolumeClaim) error {
	return c.Delete(ctx, is)
}
