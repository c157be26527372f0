package unnoticed

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// Fixed takes the name of the Database where none is set.
func Fixed(ctx context.Context, c client.Client, db *sample.Database) error {
	if db.Spec.Name == "" {
		db.Spec.Name = db.Name
	}
	if db.Status.Secret == "" {
		db.Status.Secret = db.Spec.Name
		return c.Status().Update(ctx, db) // which brings another reconcile
	}
	return client.IgnoreAlreadyExists(c.Create(ctx, sample.Secret(db, db.Status.Secret)))
}
