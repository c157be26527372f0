package leaderoverlap

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	acmetav1 "k8s.io/client-go/applyconfigurations/meta/v1"
	acnetworkingv1 "k8s.io/client-go/applyconfigurations/networking/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// buggy applies what it wants, whatever there is, once for each change of a route. A
// write of a leader that is slow on its way comes after those of the next leader, and
// undoes them.
func buggy(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient(), live: mgr.GetAPIReader()}
	r.lead = func(ctx context.Context, route *Route) error {
		if route.Status.Backend == route.Spec.Backend {
			return nil
		}
		kind, err := r.GroupVersionKindFor(route)
		if err != nil {
			return err
		}
		owner := metav1.NewControllerRef(route, kind)
		backend := acnetworkingv1.IngressServiceBackend().
			WithName(route.Spec.Backend).
			WithPort(acnetworkingv1.ServiceBackendPort().WithNumber(80))
		ingress := acnetworkingv1.Ingress(route.Name, route.Namespace).
			WithOwnerReferences(acmetav1.OwnerReference().
				WithAPIVersion(owner.APIVersion).WithKind(owner.Kind).WithName(owner.Name).WithUID(owner.UID).
				WithController(true).WithBlockOwnerDeletion(true)).
			WithSpec(acnetworkingv1.IngressSpec().
				WithDefaultBackend(acnetworkingv1.IngressBackend().WithService(backend)))
		return r.Apply(ctx, ingress, client.FieldOwner("routes"), client.ForceOwnership)
	}
	return r.watch(mgr)
}
