package staledisable

import (
	"context"

	networkingv1 "k8s.io/api/networking/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/seatrial/seatrial/examples/controllers/sample"
)

// fixed asks the API server what the user wants, and deletes the policy that it has
// read and no later one.
func fixed(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient(), read: mgr.GetAPIReader()}
	r.remove = func(ctx context.Context, policy *networkingv1.NetworkPolicy) error {
		return r.Delete(ctx, policy, sample.Unchanged(policy))
	}
	return r.watch(mgr)
}
