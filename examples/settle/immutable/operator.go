// Package immutable is an operator that gives the labels of a Database to its StatefulSet, the pods of
// it and their volumes. A label is changed, and the operator updates all of them. But the
// volumeClaimTemplates of a StatefulSet cannot be changed: the API server refuses the whole update,
// now and for ever, and with it every other change of that Database from then on.
//
// That was in an operator that had been proved correct, against a model of the API server that
// took such an update (Anvil, issue 282).
package immutable

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/examples/settle/sample"
)

// tier is the label that the pods are to have.
const tier = "example.com/tier"

// setup registers the controller, which changes a StatefulSet that is there: Buggy or Fixed.
func setup(mgr ctrl.Manager, change func(is, want *appsv1.StatefulSet)) error {
	c := mgr.GetClient()
	return ctrl.NewControllerManagedBy(mgr).For(&sample.Database{}).Owns(&appsv1.StatefulSet{}).
		Complete(reconcile.Func(func(ctx context.Context, q reconcile.Request) (reconcile.Result, error) {
			var db sample.Database
			if err := c.Get(ctx, q.NamespacedName, &db); err != nil {
				return reconcile.Result{}, client.IgnoreNotFound(err)
			}
			want := statefulSet(&db)
			var is appsv1.StatefulSet
			err := c.Get(ctx, q.NamespacedName, &is)
			switch {
			case apierrors.IsNotFound(err):
				return reconcile.Result{}, c.Create(ctx, want)
			case err != nil || is.Spec.Template.Labels[tier] == db.Labels[tier]:
				return reconcile.Result{}, err
			}
			change(&is, want)
			return reconcile.Result{}, c.Update(ctx, &is)
		}))
}

func statefulSet(db *sample.Database) *appsv1.StatefulSet {
	labels := map[string]string{"app": db.Name, tier: db.Labels[tier]}
	owner := *metav1.NewControllerRef(db, sample.Version.WithKind("Database"))
	return &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: db.Namespace, Name: db.Name, OwnerReferences: []metav1.OwnerReference{owner}},
		Spec: appsv1.StatefulSetSpec{
			ServiceName: db.Name, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": db.Name}},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "database", Image: "database"}}},
			},
			VolumeClaimTemplates: []corev1.PersistentVolumeClaim{{
				ObjectMeta: metav1.ObjectMeta{Name: "data", Labels: labels},
				Spec: corev1.PersistentVolumeClaimSpec{
					AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
					Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}},
				},
			}},
		},
	}
}
