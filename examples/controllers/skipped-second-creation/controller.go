// Package skippedsecondcreation is an operator for gateways: a Secret with the
// certificate that clients see for each, and one with that for the traffic inside.
package skippedsecondcreation

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/seatrial/seatrial/examples/controllers/sample"
)

// Spec is what the user asks for.
type Spec struct {
	Host string `json:"host"`
}

// Status is what there is.
type Status struct {
	Secured bool `json:"secured"`
}

// Gateway is the custom resource.
type Gateway = sample.Object[Spec, Status]

// Sample is the controller.
var Sample = sample.Sample{Register: sample.Kind[Spec, Status]("Gateway"), Buggy: buggy, Fixed: fixed}

type reconciler struct {
	client.Client
	live client.Reader
	// secure sees to it that both certificates are there.
	secure func(context.Context, *Gateway) error
}

func (r *reconciler) watch(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Gateway{}).Owns(&corev1.Secret{}).Complete(r)
}

// Reconcile is part of reconcile.Reconciler.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	gateway := &Gateway{}
	if err := r.live.Get(ctx, request.NamespacedName, gateway); err != nil || gateway.DeletionTimestamp != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.secure(ctx, gateway); err != nil || gateway.Status.Secured {
		return ctrl.Result{}, err
	}
	gateway.Status.Secured = true
	return ctrl.Result{}, r.Status().Update(ctx, gateway)
}

// has tells whether the gateway has the certificate.
func (r *reconciler) has(ctx context.Context, gateway *Gateway, name string) (bool, error) {
	key := types.NamespacedName{Namespace: gateway.Namespace, Name: gateway.Name + "-" + name}
	secret := &corev1.Secret{}
	if err := r.live.Get(ctx, key, secret); err != nil {
		return false, client.IgnoreNotFound(err)
	}
	return true, sample.CheckOwner(secret, gateway)
}

// issue makes a certificate.
func (r *reconciler) issue(ctx context.Context, gateway *Gateway, name string) error {
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: gateway.Namespace, Name: gateway.Name + "-" + name},
		StringData: map[string]string{"tls.crt": "a certificate for " + gateway.Spec.Host},
	}
	if err := controllerutil.SetControllerReference(gateway, secret, r.Scheme()); err != nil {
		return err
	}
	return r.Create(ctx, secret)
}
