package overlap

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// deleteOthers deletes the Secrets that have another name.
func deleteOthers(ctx context.Context, c client.Client, db *sample.Database) error {
	var all corev1.SecretList
	if err := c.List(ctx, &all, client.InNamespace(db.Namespace)); err != nil {
		return err
	}
	for i := range all.Items {
		if s := &all.Items[i]; s.Name != db.Spec.Name {
			if err := client.IgnoreNotFound(c.Delete(ctx, s)); err != nil {
				return err
			}
		}
	}
	return nil
}
