package lateorphan

import (
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
)

// buggy has a controller for workspaces that are wanted and one for those that are
// not. When an answer to the first is late the second is done in the meantime, and
// the first goes on to make a Secret that nobody deletes.
func buggy(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient(), live: mgr.GetAPIReader()}
	err := ctrl.NewControllerManagedBy(mgr).
		Named("provision").
		For(&Workspace{}).
		Owns(&corev1.ConfigMap{}).
		Complete(&phase{live: r.live, wanted: r.provision})
	if err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).
		Named("release").
		For(&Workspace{}).
		Complete(&phase{live: r.live, unwanted: r.release})
}
