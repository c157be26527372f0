package finalizer

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// Fixed is content with what is gone already.
func Fixed(ctx context.Context, c client.Client, db *sample.Database) error {
	if db.DeletionTimestamp == nil {
		return create(ctx, c, db)
	}
	if err := c.Delete(ctx, sample.Secret(db, "password")); client.IgnoreNotFound(err) != nil {
		return err
	}
	controllerutil.RemoveFinalizer(db, finalizer)
	return client.IgnoreNotFound(c.Update(ctx, db))
}
