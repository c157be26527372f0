// Package unset is an operator
// that notes something in an annotation of an object that has none yet.
package unset

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// Buggy writes into a map that nobody has made.
func Buggy(ctx context.Context, c client.Client, db *sample.Database) error {
	if db.Annotations["example.com/seen"] == "true" {
		return nil
	}
	db.Annotations["example.com/seen"] = "true"
	return c.Update(ctx, db)
}
