// Package chain is Deployments, ReplicaSets and Pods, on kinds of its own and with a controller for each
// of the first two. A new version is rolled out: a ReplicaSet is made for it, and when its Pods are there
// those of the former go.
//
// ReplicaSets get drawn names, and the one with the version of the Deployment is the new one. The
// controller is killed while its request for a ReplicaSet is still on its way, and its successor asks for
// another. Then there are two new ones, and the Deployment has twice as many Pods as it is to have, for
// ever. With several new ReplicaSets a verified controller was never done, too (Anvil, pull request 648).
package chain

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// setup registers the controllers. What a new ReplicaSet is called is Buggy or Fixed.
func setup(mgr ctrl.Manager, name func(*Deployment, *ReplicaSet)) error {
	c := mgr.GetClient()
	deployments := func(ctx context.Context, q reconcile.Request) (reconcile.Result, error) {
		return reconcile.Result{}, deployment(ctx, c, q.NamespacedName, name)
	}
	replicaSets := func(ctx context.Context, q reconcile.Request) (reconcile.Result, error) {
		return reconcile.Result{}, replicaSet(ctx, c, q.NamespacedName)
	}
	if err := ctrl.NewControllerManagedBy(mgr).For(&Deployment{}).Owns(&ReplicaSet{}).Complete(reconcile.Func(deployments)); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).For(&ReplicaSet{}).Owns(&Pod{}).Complete(reconcile.Func(replicaSets))
}

// deployment has a ReplicaSet for its version, and lets the others shrink when its Pods are there.
func deployment(ctx context.Context, c client.Client, key client.ObjectKey, name func(*Deployment, *ReplicaSet)) error {
	var d Deployment
	if err := c.Get(ctx, key, &d); err != nil {
		return client.IgnoreNotFound(err)
	}
	var all ReplicaSetList
	if err := c.List(ctx, &all); err != nil {
		return err
	}
	found, ready := false, true
	for i := range all.Items {
		s := &all.Items[i]
		if !metav1.IsControlledBy(s, &d) || s.Spec.Version != d.Spec.Version {
			continue
		}
		found, ready = true, ready && s.Status.Replicas >= d.Spec.Replicas
		if err := scale(ctx, c, s, d.Spec.Replicas); err != nil {
			return err
		}
	}
	if !found {
		s := &ReplicaSet{Spec: d.Spec}
		s.Namespace, s.OwnerReferences = d.Namespace, []metav1.OwnerReference{*metav1.NewControllerRef(&d, version.WithKind("Deployment"))}
		name(&d, s)
		return c.Create(ctx, s)
	}
	for i := range all.Items {
		if s := &all.Items[i]; ready && metav1.IsControlledBy(s, &d) && s.Spec.Version != d.Spec.Version {
			if err := scale(ctx, c, s, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

func scale(ctx context.Context, c client.Client, s *ReplicaSet, replicas int) error {
	if s.Spec.Replicas == replicas {
		return nil
	}
	s.Spec.Replicas = replicas
	return c.Update(ctx, s)
}
