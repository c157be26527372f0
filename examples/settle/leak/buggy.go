// Package leak is an operator that has a bucket in a cloud for the backups of each Database, and a
// finalizer, so that it goes with the Database. The cloud thinks of a name for the bucket, which the
// operator notes. Killed between the two, it makes another one; and the first is paid for until
// somebody wonders about the bill.
package leak

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// Buggy makes a bucket, and then notes its name.
func Buggy(cloud Cloud) sample.Ensure {
	return func(ctx context.Context, c client.Client, db *sample.Database) error {
		if db.DeletionTimestamp != nil {
			if err := cloud.Delete(ctx, db.Status.Bucket); err != nil {
				return err
			}
			controllerutil.RemoveFinalizer(db, finalizer)
			return client.IgnoreNotFound(c.Update(ctx, db))
		}
		if controllerutil.AddFinalizer(db, finalizer) {
			return c.Update(ctx, db) // which brings another reconcile
		}
		if db.Status.Bucket != "" {
			return nil
		}
		name, err := cloud.Create(ctx, "")
		if err != nil {
			return err
		}
		db.Status.Bucket = name
		return c.Status().Update(ctx, db)
	}
}
