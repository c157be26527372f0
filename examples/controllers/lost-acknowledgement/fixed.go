package lostacknowledgement

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
)

// fixed says the name, so that trying again creates nothing if the first was heard.
func fixed(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient(), live: mgr.GetAPIReader()}
	r.name = func(token *AccessToken) metav1.ObjectMeta {
		return metav1.ObjectMeta{Name: token.Name + "-token"}
	}
	return r.watch(mgr)
}
