// Package overlap is an operator
// that replaces a Secret by one with another name: for a moment there are two.
package overlap

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// Buggy makes the new Secret, and then deletes the old one.
func Buggy(ctx context.Context, c client.Client, db *sample.Database) error {
	if err := c.Create(ctx, sample.Secret(db, db.Spec.Name)); client.IgnoreAlreadyExists(err) != nil {
		return err
	}
	return deleteOthers(ctx, c, db)
}
