package lostacknowledgement

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
)

// buggy has the API server draw the name. When an answer is lost the Secret is there
// all the same, and trying again makes a second, which nobody knows of.
func buggy(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient(), live: mgr.GetAPIReader()}
	r.name = func(token *AccessToken) metav1.ObjectMeta {
		return metav1.ObjectMeta{GenerateName: token.Name + "-"}
	}
	return r.watch(mgr)
}
