package lateorphan

import (
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
)

// fixed has one controller. It is called for a workspace once at a time, so that
// nothing of it is being made while its finalizer runs.
func fixed(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient(), live: mgr.GetAPIReader()}
	return ctrl.NewControllerManagedBy(mgr).
		For(&Workspace{}).
		Owns(&corev1.ConfigMap{}).
		Complete(&phase{live: r.live, wanted: r.provision, unwanted: r.release})
}
