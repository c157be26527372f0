package overlap

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// Fixed deletes the old Secret, and then makes the new one.
func Fixed(ctx context.Context, c client.Client, db *sample.Database) error {
	if err := deleteOthers(ctx, c, db); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(c.Create(ctx, sample.Secret(db, db.Spec.Name)))
}
