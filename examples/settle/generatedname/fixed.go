package generatedname

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// Fixed has a name that follows from the Database, so that a second creation is refused, and
// takes no Secret for its own that is another's.
func Fixed(ctx context.Context, c client.Client, db *sample.Database) error {
	s := secret(db)
	s.Name = db.Name
	switch err := c.Get(ctx, client.ObjectKeyFromObject(s), s); {
	case apierrors.IsNotFound(err):
		if err := c.Create(ctx, s); err != nil {
			return err
		}
	case err != nil:
		return err
	case !metav1.IsControlledBy(s, db):
		return fmt.Errorf("the secret %s is of another", s.Name)
	}
	if db.Status.Secret == s.Name {
		return nil
	}
	db.Status.Secret = s.Name
	return c.Status().Update(ctx, db)
}
