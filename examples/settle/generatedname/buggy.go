package generatedname

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// Buggy creates a Secret, and then notes its name. Killed between the two, it creates another.
func Buggy(ctx context.Context, c client.Client, db *sample.Database) error {
	if db.Status.Secret != "" {
		return nil
	}
	s := secret(db)
	s.GenerateName = db.Name + "-"
	if err := c.Create(ctx, s); err != nil {
		return err
	}
	db.Status.Secret = s.Name
	return c.Status().Update(ctx, db)
}
