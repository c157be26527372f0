package fight

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// Fixed applies its field only, in its name (server-side apply): the API server knows whose the
// others are, and leaves them.
func Fixed(ctx context.Context, c client.Client, o operator, db *sample.Database) error {
	want := o.settings(db)
	var is corev1.ConfigMap
	err := c.Get(ctx, client.ObjectKeyFromObject(want), &is)
	if client.IgnoreNotFound(err) != nil || is.Data[o.field] == o.value {
		return err
	}
	want.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMap")) // what is applied says what it is
	return c.Patch(ctx, want, client.Apply, client.FieldOwner(o.name))
}
