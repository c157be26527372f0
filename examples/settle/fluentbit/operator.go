// Package fluentbit is an operator for FluentBit as two state machines: one makes five objects for
// each Collector, with a DaemonSet among them, as soon as there is the Secret with its configuration;
// the other makes that Secret of a Config. What they do follows the published description of
// the FluentBit controllers of Anvil (Sun et al., OSDI '24).
package fluentbit

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/seatrial/seatrial/examples/settle/resource"
	"github.com/seatrial/seatrial/settle/step"
)

// Setup registers both controllers.
func Setup(mgr ctrl.Manager) error {
	collectors := step.Machine[*Collector, State]{Step: collect}
	err := ctrl.NewControllerManagedBy(mgr).For(&Collector{}).
		Owns(&corev1.ServiceAccount{}).Owns(&corev1.Service{}).Owns(&rbacv1.Role{}).Owns(&rbacv1.RoleBinding{}).Owns(&appsv1.DaemonSet{}).
		Complete(collectors.Reconciler(mgr.GetClient(), nil))
	if err != nil {
		return err
	}
	configs := step.Machine[*Config, resource.Place]{Step: configure}
	return ctrl.NewControllerManagedBy(mgr).For(&Config{}).Owns(&corev1.Secret{}).Complete(configs.Reconciler(mgr.GetClient(), nil))
}

// State is where a reconcile of a Collector is.
type State struct {
	// Configured: it has asked for the Secret.
	Configured     bool `json:"configured,omitempty"`
	resource.Place `json:"place"`
}

// collect fails as long as there is no Secret, and is tried again.
func collect(c *Collector, s State, a step.Answer) (State, step.Request) {
	switch {
	case c.DeletionTimestamp != nil:
		return s, step.Done() // what it owns goes with it
	case !s.Configured:
		s.Configured = true
		return s, step.Get(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: c.Namespace, Name: c.Spec.Config}})
	case s.Place.Begins() && a.Err != nil:
		return s, step.Fail(fmt.Errorf("its configuration: %w", a.Err))
	}
	var next step.Request
	s.Place, next = collectorChildren.Step(c, s.Place, a)
	return s, next
}

func configure(c *Config, at resource.Place, a step.Answer) (resource.Place, step.Request) {
	if c.DeletionTimestamp != nil {
		return at, step.Done()
	}
	return configChildren.Step(c, at, a)
}
