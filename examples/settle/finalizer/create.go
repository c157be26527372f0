package finalizer

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

const finalizer = "example.com/password"

// create adds the finalizer, and then makes what that is for: a Secret that no owner takes
// with it.
func create(ctx context.Context, c client.Client, db *sample.Database) error {
	if controllerutil.AddFinalizer(db, finalizer) {
		return c.Update(ctx, db) // which brings another reconcile
	}
	s := sample.Secret(db, "password")
	s.OwnerReferences = nil
	return client.IgnoreAlreadyExists(c.Create(ctx, s))
}
