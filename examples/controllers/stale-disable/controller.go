// Package staledisable is an operator for sandboxes: a ConfigMap for each, and a
// NetworkPolicy that isolates it, as long as its user wants that.
package staledisable

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/seatrial/seatrial/examples/controllers/sample"
)

// Spec is what the user asks for.
type Spec struct {
	Isolated bool `json:"isolated"`
}

// Status is what there is.
type Status struct {
	Isolated bool `json:"isolated"`
}

// Sandbox is the custom resource.
type Sandbox = sample.Object[Spec, Status]

// Sample is the controller.
var Sample = sample.Sample{Register: sample.Kind[Spec, Status]("Sandbox"), Buggy: buggy, Fixed: fixed}

type reconciler struct {
	client.Client
	// read is what sandboxes and their children are read from.
	read client.Reader
	// remove deletes a policy that was read.
	remove func(context.Context, *networkingv1.NetworkPolicy) error
}

func (r *reconciler) watch(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&Sandbox{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&networkingv1.NetworkPolicy{}).
		Complete(r)
}

// Reconcile is part of reconcile.Reconciler.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	box := &Sandbox{}
	if err := r.read.Get(ctx, request.NamespacedName, box); err != nil || box.DeletionTimestamp != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	settings := named(&corev1.ConfigMap{}, box, "settings")
	if found, err := r.find(ctx, box, settings, &corev1.ConfigMap{}); err != nil {
		return ctrl.Result{}, err
	} else if !found {
		settings.Data = map[string]string{"sandbox": box.Name}
		return ctrl.Result{}, r.create(ctx, box, settings)
	}
	wanted, policy := named(&networkingv1.NetworkPolicy{}, box, "isolation"), &networkingv1.NetworkPolicy{}
	found, err := r.find(ctx, box, wanted, policy)
	switch {
	case err != nil:
		return ctrl.Result{}, err
	case box.Spec.Isolated && !found:
		wanted.Spec.PodSelector.MatchLabels = map[string]string{"sandbox": box.Name}
		wanted.Spec.PolicyTypes = []networkingv1.PolicyType{networkingv1.PolicyTypeIngress, networkingv1.PolicyTypeEgress}
		return ctrl.Result{}, r.create(ctx, box, wanted)
	case !box.Spec.Isolated && found:
		return ctrl.Result{}, r.remove(ctx, policy)
	case box.Status.Isolated != found:
		box.Status.Isolated = found
		return ctrl.Result{}, r.Status().Update(ctx, box)
	}
	return ctrl.Result{}, nil
}

// named gives a child its name, which is that of the sandbox and its own.
func named[T client.Object](child T, box *Sandbox, name string) T {
	child.SetNamespace(box.Namespace)
	child.SetName(box.Name + "-" + name)
	return child
}

// find reads the child that is wanted, and tells whether there is one.
func (r *reconciler) find(ctx context.Context, box *Sandbox, wanted, child client.Object) (bool, error) {
	if err := r.read.Get(ctx, client.ObjectKeyFromObject(wanted), child); err != nil {
		return false, client.IgnoreNotFound(err)
	}
	return true, sample.CheckOwner(child, box)
}

func (r *reconciler) create(ctx context.Context, box *Sandbox, child client.Object) error {
	if err := controllerutil.SetControllerReference(box, child, r.Scheme()); err != nil {
		return err
	}
	return r.Create(ctx, child)
}
