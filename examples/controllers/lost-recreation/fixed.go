package lostrecreation

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	ctrl "sigs.k8s.io/controller-runtime"
)

// fixed looks at each claim whatever the StatefulSet says, and takes the StatefulSet
// last.
func fixed(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient(), live: mgr.GetAPIReader()}
	r.resize = func(ctx context.Context, set *appsv1.StatefulSet, size resource.Quantity) error {
		if err := r.expand(ctx, set, size); err != nil {
			return err
		}
		if template(set).Cmp(size) == 0 {
			return nil
		}
		return r.discard(ctx, set)
	}
	return r.watch(mgr)
}
