// Package finalizer is an operator
// that cleans up by itself, and comes to its end only the first time.
package finalizer

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// Buggy takes it for an error that there is nothing to delete any more.
func Buggy(ctx context.Context, c client.Client, db *sample.Database) error {
	if db.DeletionTimestamp == nil {
		return create(ctx, c, db)
	}
	if err := c.Delete(ctx, sample.Secret(db, "password")); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(db, finalizer)
	return c.Update(ctx, db)
}
