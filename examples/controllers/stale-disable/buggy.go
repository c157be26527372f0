package staledisable

import (
	"context"

	networkingv1 "k8s.io/api/networking/v1"
	ctrl "sigs.k8s.io/controller-runtime"
)

// buggy reads from the cache what the user wants, and deletes what there is now. When
// the cache is old it undoes what the user has asked for since.
func buggy(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient(), read: mgr.GetClient()}
	r.remove = func(ctx context.Context, policy *networkingv1.NetworkPolicy) error {
		return r.Delete(ctx, policy)
	}
	return r.watch(mgr)
}
