// Package stalefinalizer is an operator for databases: a StatefulSet for each, and a
// finalizer that deletes it with its claims, which nobody else would delete.
package stalefinalizer

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/seatrial/seatrial/examples/controllers/sample"
)

// Spec is what the user asks for.
type Spec struct {
	Replicas int32 `json:"replicas"`
}

// Status is what there is.
type Status struct {
	Ready int32 `json:"ready"`
}

// Database is the custom resource.
type Database = sample.Object[Spec, Status]

// Sample is the controller.
var Sample = sample.Sample{Register: sample.Kind[Spec, Status]("Database"), Buggy: buggy, Fixed: fixed}

const (
	finalizer = "example.com/data"
	instance  = "app.kubernetes.io/instance"
)

type reconciler struct {
	client.Client
	// read is what databases and their children are read from.
	read client.Reader
	// clear deletes what a database has, and tells whether nothing is left.
	clear func(context.Context, *Database) (bool, error)
}

// watch has the reconciler called for databases and what they have.
func (r *reconciler) watch(mgr ctrl.Manager) error {
	claims := handler.EnqueueRequestsFromMapFunc(func(_ context.Context, claim client.Object) []ctrl.Request {
		name := types.NamespacedName{Namespace: claim.GetNamespace(), Name: claim.GetLabels()[instance]}
		return []ctrl.Request{{NamespacedName: name}}
	})
	return ctrl.NewControllerManagedBy(mgr).
		For(&Database{}).
		Owns(&appsv1.StatefulSet{}).
		Watches(&corev1.PersistentVolumeClaim{}, claims).
		Complete(r)
}

// Reconcile is part of reconcile.Reconciler.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	db := &Database{}
	if err := r.read.Get(ctx, request.NamespacedName, db); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !db.DeletionTimestamp.IsZero() {
		return r.finalize(ctx, db)
	}
	if controllerutil.AddFinalizer(db, finalizer) {
		return ctrl.Result{}, r.Update(ctx, db)
	}
	set := &appsv1.StatefulSet{}
	err := r.read.Get(ctx, request.NamespacedName, set)
	if apierrors.IsNotFound(err) {
		if set, err = r.set(db); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.Create(ctx, set)
	}
	if err == nil {
		err = sample.CheckOwner(set, db)
	}
	switch {
	case err != nil:
		return ctrl.Result{}, err
	case *set.Spec.Replicas != db.Spec.Replicas:
		set.Spec.Replicas = &db.Spec.Replicas
		return ctrl.Result{}, r.Update(ctx, set)
	case db.Status.Ready != set.Status.ReadyReplicas:
		db.Status.Ready = set.Status.ReadyReplicas
		return ctrl.Result{}, r.Status().Update(ctx, db)
	}
	return ctrl.Result{}, nil
}

// finalize lets the database go when nothing of it is left.
func (r *reconciler) finalize(ctx context.Context, db *Database) (ctrl.Result, error) {
	if !controllerutil.ContainsFinalizer(db, finalizer) {
		return ctrl.Result{}, nil
	}
	cleared, err := r.clear(ctx, db)
	if err != nil || !cleared {
		return ctrl.Result{RequeueAfter: sample.Soon}, err
	}
	controllerutil.RemoveFinalizer(db, finalizer)
	return ctrl.Result{}, r.Update(ctx, db)
}

// set is the StatefulSet of a database.
func (r *reconciler) set(db *Database) (*appsv1.StatefulSet, error) {
	labels := map[string]string{instance: db.Name}
	set := &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: db.Namespace, Name: db.Name, Labels: labels},
		Spec: appsv1.StatefulSetSpec{
			Replicas: &db.Spec.Replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{
					Name:         "database",
					Image:        "registry.example.com/database:1",
					VolumeMounts: []corev1.VolumeMount{{Name: "data", MountPath: "/data"}},
				}}},
			},
			VolumeClaimTemplates: []corev1.PersistentVolumeClaim{{
				ObjectMeta: metav1.ObjectMeta{Name: "data"},
				Spec: corev1.PersistentVolumeClaimSpec{
					AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
					Resources: corev1.VolumeResourceRequirements{
						Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")},
					},
				},
			}},
		},
	}
	return set, controllerutil.SetControllerReference(db, set, r.Scheme())
}
