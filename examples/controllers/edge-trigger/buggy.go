package edgetrigger

import ctrl "sigs.k8s.io/controller-runtime"

// buggy upgrades only when the user goes one version on, and relies on seeing each
// time that one does. When it has not seen a version it refuses the one after.
func buggy(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient(), live: mgr.GetAPIReader()}
	r.next = func(current, wanted int) (int, bool) {
		return wanted, wanted == current+1
	}
	return r.watch(mgr)
}
