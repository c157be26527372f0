// Package unnoticed is an operator
// that does nothing, which its test would not notice.
package unnoticed

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// Buggy does something only for Databases whose name of the Secret is set, which is in no test.
func Buggy(ctx context.Context, c client.Client, db *sample.Database) error {
	if db.Spec.Name == "" || db.Status.Secret != "" {
		return nil
	}
	db.Status.Secret = db.Spec.Name
	return c.Status().Update(ctx, db)
}
