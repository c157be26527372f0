// Package zookeeperlike is an operator of ZooKeeper ensembles: a ConfigMap, a StatefulSet that is
// restarted when the ConfigMap changes, and the number of members in a znode of the ensemble itself,
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

// configVersion is the annotation of pods that says with which ConfigMap they were started.
const configVersion = "example.com/config-version"

// Reconciler sees to it that each ZooKeeper has a StatefulSet of its size and with its configuration.
type Reconciler struct {
	client.Client
	Tree Tree
	// SetSize notes how many members there are to be: Buggy or Fixed.
	SetSize func(ctx context.Context, tree Tree, path string, size int32) error
}

// SetupWithManager registers the controller.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&ZooKeeper{}).Owns(&corev1.ConfigMap{}).Owns(&appsv1.StatefulSet{}).Complete(r)
}

// Reconcile is part of reconcile.Reconciler.
func (r *Reconciler) Reconcile(ctx context.Context, q ctrl.Request) (ctrl.Result, error) {
	var zk ZooKeeper
	if err := r.Get(ctx, q.NamespacedName, &zk); err != nil || zk.DeletionTimestamp != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	config, err := r.config(ctx, &zk)
	if err != nil {
		return ctrl.Result{}, err
	}
	// The members are to know before one of them goes.
	if err := r.SetSize(ctx, r.Tree, "/"+zk.Name, zk.Spec.Replicas); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.members(ctx, &zk, config.ResourceVersion)
}

// config is the ConfigMap, as it is to be.
func (r *Reconciler) config(ctx context.Context, zk *ZooKeeper) (*corev1.ConfigMap, error) {
	var is corev1.ConfigMap
	err := r.Get(ctx, client.ObjectKeyFromObject(zk), &is)
	switch {
	case apierrors.IsNotFound(err):
		is = corev1.ConfigMap{ObjectMeta: child(zk), Data: map[string]string{"zoo.cfg": zk.Spec.Config}}
		err = r.Create(ctx, &is)
	case err != nil:
	case !metav1.IsControlledBy(&is, zk):
		err = fmt.Errorf("the ConfigMap %s is of another", is.Name)
	case is.Data["zoo.cfg"] != zk.Spec.Config:
		is.Data = map[string]string{"zoo.cfg": zk.Spec.Config}
		err = r.Update(ctx, &is)
	}
	return &is, err
}

// members sees to the StatefulSet.
func (r *Reconciler) members(ctx context.Context, zk *ZooKeeper, version string) error {
	var is appsv1.StatefulSet
	err := r.Get(ctx, client.ObjectKeyFromObject(zk), &is)
	switch {
	case apierrors.IsNotFound(err):
		return r.Create(ctx, statefulSet(zk, version))
	case err != nil:
		return err
	case !metav1.IsControlledBy(&is, zk):
		return fmt.Errorf("the StatefulSet %s is of another", is.Name)
	case *is.Spec.Replicas == zk.Spec.Replicas && is.Spec.Template.Annotations[configVersion] == version:
		return nil
	}
	is.Spec.Replicas, is.Spec.Template.Annotations = &zk.Spec.Replicas, map[string]string{configVersion: version}
	return r.Update(ctx, &is)
}

func statefulSet(zk *ZooKeeper, version string) *appsv1.StatefulSet {
	labels := map[string]string{"app": zk.Name}
	return &appsv1.StatefulSet{ObjectMeta: child(zk), Spec: appsv1.StatefulSetSpec{
		Replicas: &zk.Spec.Replicas, ServiceName: zk.Name, Selector: &metav1.LabelSelector{MatchLabels: labels},
		Template: corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: labels, Annotations: map[string]string{configVersion: version}},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "zookeeper", Image: "zookeeper"}}},
		},
	}}
}

// child is the metadata of what goes with a ZooKeeper.
func child(zk *ZooKeeper) metav1.ObjectMeta {
	owner := *metav1.NewControllerRef(zk, version.WithKind("ZooKeeper"))
	return metav1.ObjectMeta{Namespace: zk.Namespace, Name: zk.Name, OwnerReferences: []metav1.OwnerReference{owner}}
}
