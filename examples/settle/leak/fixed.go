package leak

import (
	"context"
	"errors"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// Fixed has a name that follows from the Database: it is known before the bucket is made, and
// nobody else has it. So nothing need be noted for it to be found again.
func Fixed(cloud Cloud) sample.Ensure {
	return func(ctx context.Context, c client.Client, db *sample.Database) error {
		name := "backups-of-" + string(db.UID)
		if db.DeletionTimestamp != nil {
			if err := cloud.Delete(ctx, name); err != nil {
				return err
			}
			controllerutil.RemoveFinalizer(db, finalizer)
			return client.IgnoreNotFound(c.Update(ctx, db))
		}
		if controllerutil.AddFinalizer(db, finalizer) {
			return c.Update(ctx, db)
		}
		if db.Status.Bucket != "" {
			return nil
		}
		if _, err := cloud.Create(ctx, name); err != nil && !errors.Is(err, ErrExists) {
			return err
		}
		db.Status.Bucket = name
		return c.Status().Update(ctx, db)
	}
}
