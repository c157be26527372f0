// Package rabbitmq is an operator for RabbitMQ as a state machine: ten objects for each Broker, of
// which the StatefulSet is rolled out when its configuration changes, and never has fewer
// servers. What it does follows the published description of the RabbitMQ controller of
// Anvil (Sun et al., OSDI '24).
package rabbitmq

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/settle/resource"
	"github.com/seatrial/seatrial/settle/step"
)

// Operator is the controller. Its zero value is right.
type Operator struct {
	// Blind is a mistake: what is there is written over without its resourceVersion.
	Blind bool
}

// Setup registers the controller.
func (o Operator) Setup(mgr ctrl.Manager) error {
	m := step.Machine[*Broker, resource.Place]{Step: o.step}
	return ctrl.NewControllerManagedBy(mgr).For(&Broker{}).
		Owns(&corev1.Service{}).Owns(&corev1.Secret{}).Owns(&corev1.ConfigMap{}).Owns(&corev1.ServiceAccount{}).
		Owns(&rbacv1.Role{}).Owns(&rbacv1.RoleBinding{}).Owns(&appsv1.StatefulSet{}).
		Complete(m.Reconciler(mgr.GetClient(), nil))
}

func (o Operator) step(b *Broker, at resource.Place, a step.Answer) (resource.Place, step.Request) {
	if b.DeletionTimestamp != nil {
		return at, step.Done() // what it owns goes with it
	}
	if o.Blind && at.Reading() && a.Err == nil {
		a.Object, _ = a.Object.DeepCopyObject().(client.Object)
		a.Object.SetResourceVersion("")
	}
	return children.Step(b, at, a)
}
