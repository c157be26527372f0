// Package zookeeperlike is an operator of ZooKeeper ensembles: a StatefulSet whose pods have the configuration,
// and are restarted when it changes, and the number of members in a znode of the ensemble itself,
// which its members read before they leave. That znode has a parent. Killed after it has made the
// parent, the operator with the mistake finds it there when it tries again, returns the error, and
// never scales that ensemble any more.
//
// The same was found in a verified controller while its proof was written (Anvil, pull request 217).
package zookeeperlike

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// configured is the variable of the pods that has the text of zoo.cfg.
const configured = "ZOO_CFG"

// Reconciler sees to it that each ZooKeeper has a StatefulSet of its size and with its configuration.
type Reconciler struct {
	client.Client
	Tree Tree
	// SetSize notes how many members there are to be: Buggy or Fixed.
	SetSize func(ctx context.Context, tree Tree, path string, size int32) error
}

// SetupWithManager registers the controller.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&ZooKeeper{}).Owns(&appsv1.StatefulSet{}).Complete(r)
}

// Reconcile is part of reconcile.Reconciler.
func (r *Reconciler) Reconcile(ctx context.Context, q ctrl.Request) (ctrl.Result, error) {
	var zk ZooKeeper
	if err := r.Get(ctx, q.NamespacedName, &zk); err != nil || zk.DeletionTimestamp != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	// The members are to know before one of them goes.
	if err := r.SetSize(ctx, r.Tree, "/"+zk.Name, zk.Spec.Replicas); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.members(ctx, &zk)
}

// members sees to the StatefulSet.
func (r *Reconciler) members(ctx context.Context, zk *ZooKeeper) error {
	var is appsv1.StatefulSet
	err := r.Get(ctx, client.ObjectKeyFromObject(zk), &is)
	switch {
	case apierrors.IsNotFound(err):
		return r.Create(ctx, statefulSet(zk))
	case err != nil:
		return err
	case !metav1.IsControlledBy(&is, zk):
		return fmt.Errorf("the StatefulSet %s is of another", is.Name)
	case *is.Spec.Replicas == zk.Spec.Replicas && configOf(&is) == zk.Spec.Config:
		return nil
	}
	to := statefulSet(zk)
	is.Spec.Replicas, is.Spec.Template = to.Spec.Replicas, to.Spec.Template
	return r.Update(ctx, &is)
}

// configOf is the configuration that the members have.
func configOf(s *appsv1.StatefulSet) string { return s.Spec.Template.Spec.Containers[0].Env[0].Value }

func statefulSet(zk *ZooKeeper) *appsv1.StatefulSet {
	labels := map[string]string{"app": zk.Name}
	env := []corev1.EnvVar{{Name: configured, Value: zk.Spec.Config}}
	return &appsv1.StatefulSet{ObjectMeta: child(zk), Spec: appsv1.StatefulSetSpec{
		Replicas: &zk.Spec.Replicas, ServiceName: zk.Name, Selector: &metav1.LabelSelector{MatchLabels: labels},
		Template: corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: labels},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "zookeeper", Image: "zookeeper", Env: env}}},
		},
	}}
}

// child is the metadata of what goes with a ZooKeeper.
func child(zk *ZooKeeper) metav1.ObjectMeta {
	owner := *metav1.NewControllerRef(zk, version.WithKind("ZooKeeper"))
	return metav1.ObjectMeta{Namespace: zk.Namespace, Name: zk.Name, OwnerReferences: []metav1.OwnerReference{owner}}
}
