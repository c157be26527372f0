package skippedsecondcreation

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
)

// buggy takes the first certificate for both. When it ends between the two there is
// never a second.
func buggy(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient(), live: mgr.GetAPIReader()}
	r.secure = func(ctx context.Context, gateway *Gateway) error {
		if there, err := r.has(ctx, gateway, "tls"); err != nil || there {
			return err
		}
		if err := r.issue(ctx, gateway, "tls"); err != nil {
			return err
		}
		return r.issue(ctx, gateway, "tls-internal")
	}
	return r.watch(mgr)
}
