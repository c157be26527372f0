package unset

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// Fixed makes the map where there is none.
func Fixed(ctx context.Context, c client.Client, db *sample.Database) error {
	if db.Annotations["example.com/seen"] == "true" {
		return nil
	}
	if db.Annotations == nil {
		db.Annotations = map[string]string{}
	}
	db.Annotations["example.com/seen"] = "true"
	return c.Update(ctx, db)
}
