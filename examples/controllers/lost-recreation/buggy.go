package lostrecreation

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	ctrl "sigs.k8s.io/controller-runtime"
)

// buggy knows by the StatefulSet that there is something to do, and deletes that
// first. When it ends between the two the claims stay as they are, and the new
// StatefulSet looks as if all were done.
func buggy(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient(), live: mgr.GetAPIReader()}
	r.resize = func(ctx context.Context, set *appsv1.StatefulSet, size resource.Quantity) error {
		if template(set).Cmp(size) == 0 {
			return nil
		}
		if err := r.discard(ctx, set); err != nil {
			return err
		}
		return r.expand(ctx, set, size)
	}
	return r.watch(mgr)
}
