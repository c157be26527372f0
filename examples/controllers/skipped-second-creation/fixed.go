package skippedsecondcreation

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
)

// fixed looks for each certificate by itself.
func fixed(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient(), live: mgr.GetAPIReader()}
	r.secure = func(ctx context.Context, gateway *Gateway) error {
		for _, name := range []string{"tls", "tls-internal"} {
			if there, err := r.has(ctx, gateway, name); err != nil {
				return err
			} else if there {
				continue
			}
			if err := r.issue(ctx, gateway, name); err != nil {
				return err
			}
		}
		return nil
	}
	return r.watch(mgr)
}
