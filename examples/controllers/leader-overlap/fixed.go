package leaderoverlap

import (
	"context"

	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/seatrial/seatrial/examples/controllers/sample"
)

// fixed reads the Ingress and updates it as it was read: whoever has read an older one
// is refused. And it looks at the Ingress each time, not at what it has once written.
func fixed(mgr ctrl.Manager) error {
	r := &reconciler{Client: mgr.GetClient(), live: mgr.GetAPIReader()}
	r.lead = func(ctx context.Context, route *Route) error {
		ingress := &networkingv1.Ingress{}
		err := r.live.Get(ctx, client.ObjectKeyFromObject(route), ingress)
		switch {
		case apierrors.IsNotFound(err):
			ingress = &networkingv1.Ingress{ObjectMeta: metav1.ObjectMeta{Namespace: route.Namespace, Name: route.Name}}
			ingress.Spec.DefaultBackend = backend(route)
			if err := controllerutil.SetControllerReference(route, ingress, r.Scheme()); err != nil {
				return err
			}
			return r.Create(ctx, ingress)
		case err != nil:
			return err
		}
		if err := sample.CheckOwner(ingress, route); err != nil || equality.Semantic.DeepEqual(ingress.Spec.DefaultBackend, backend(route)) {
			return err
		}
		ingress.Spec.DefaultBackend = backend(route)
		return r.Update(ctx, ingress)
	}
	return r.watch(mgr)
}

// backend is where a route leads.
func backend(route *Route) *networkingv1.IngressBackend {
	return &networkingv1.IngressBackend{Service: &networkingv1.IngressServiceBackend{
		Name: route.Spec.Backend, Port: networkingv1.ServiceBackendPort{Number: 80},
	}}
}
