package edgetrigger

import ctrl "sigs.k8s.io/controller-runtime"

// fixed goes one version on until it is where the user wants it, however the user got
// there.
func fixed(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient(), live: mgr.GetAPIReader()}
	r.next = func(current, wanted int) (int, bool) {
		return current + 1, wanted > current
	}
	return r.watch(mgr)
}
