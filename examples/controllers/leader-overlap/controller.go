// Package leaderoverlap is an operator for routes: an Ingress for each, which leads to
// the backend that the user wants. It has replicas, of which one is the leader.
package leaderoverlap

import (
	"context"

	networkingv1 "k8s.io/api/networking/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/controllers/sample"
)

// Spec is what the user asks for.
type Spec struct {
	Backend string `json:"backend"`
}

// Status is what there is.
type Status struct {
	Backend string `json:"backend,omitempty"`
}

// Route is the custom resource.
type Route = sample.Object[Spec, Status]

// Sample is the controller.
var Sample = sample.Sample{
	Register: sample.Kind[Spec, Status]("Route"), Buggy: buggy, Fixed: fixed, Lease: "routes.example.com",
}

type reconciler struct {
	client.Client
	live client.Reader
	// lead makes the Ingress of a route lead to its backend.
	lead func(context.Context, *Route) error
}

func (r *reconciler) watch(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Route{}).Owns(&networkingv1.Ingress{}).Complete(r)
}

// Reconcile is part of reconcile.Reconciler.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	route := &Route{}
	if err := r.live.Get(ctx, request.NamespacedName, route); err != nil || route.DeletionTimestamp != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.lead(ctx, route); err != nil || route.Status.Backend == route.Spec.Backend {
		return ctrl.Result{}, err
	}
	route.Status.Backend = route.Spec.Backend
	return ctrl.Result{}, r.Status().Update(ctx, route)
}
