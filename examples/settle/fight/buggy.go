package fight

import (
	"context"
	"maps"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// Buggy writes all of the settings, as if they were its own.
func Buggy(ctx context.Context, c client.Client, o operator, db *sample.Database) error {
	want := o.settings(db)
	var is corev1.ConfigMap
	err := c.Get(ctx, client.ObjectKeyFromObject(want), &is)
	if apierrors.IsNotFound(err) {
		return c.Create(ctx, want)
	}
	if err != nil || maps.Equal(is.Data, want.Data) {
		return err
	}
	is.Data = want.Data
	return c.Update(ctx, &is)
}
