package byname

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// Fixed deletes what it has read, and nothing else of that name. What is of another Database of the name was
// there before, or is of a later one: which of them it is, the API server knows.
func Fixed(ctx context.Context, c client.Client, live client.Reader, db *sample.Database, is *corev1.PersistentVolumeClaim) error {
	if is.Annotations[of] != string(db.UID) {
		var now sample.Database
		if err := live.Get(ctx, client.ObjectKeyFromObject(db), &now); err != nil || now.UID != db.UID {
			return err
		}
	}
	return c.Delete(ctx, is, client.Preconditions{UID: &is.UID})
}
