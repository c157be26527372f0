// Package lostrecreation is an operator for stores that can grow: a StatefulSet for
// each, whose claims are as large as the user asks. The template of claims of a
// StatefulSet cannot be changed: it is deleted, without its pods, and created again.
package lostrecreation

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
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/examples/controllers/sample"
)

// Spec is what the user asks for.
type Spec struct {
	Size string `json:"size"`
}

// Status is what there is.
type Status struct {
	Size string `json:"size"`
}

// Store is the custom resource.
type Store = sample.Object[Spec, Status]

// Sample is the controller.
var Sample = sample.Sample{Register: sample.Kind[Spec, Status]("Store"), Buggy: buggy, Fixed: fixed}

const instance = "app.kubernetes.io/instance"

type reconciler struct {
	client.Client
	live client.Reader
	// resize makes the claims of a store as large as size, and deletes its
	// StatefulSet if that has another.
	resize func(ctx context.Context, set *appsv1.StatefulSet, size resource.Quantity) error
}

func (r *reconciler) watch(mgr ctrl.Manager) error {
	claims := handler.EnqueueRequestsFromMapFunc(func(_ context.Context, claim client.Object) []ctrl.Request {
		name := types.NamespacedName{Namespace: claim.GetNamespace(), Name: claim.GetLabels()[instance]}
		return []ctrl.Request{{NamespacedName: name}}
	})
	return ctrl.NewControllerManagedBy(mgr).
		For(&Store{}).
		Owns(&appsv1.StatefulSet{}).
		Watches(&corev1.PersistentVolumeClaim{}, claims).
		Complete(r)
}

// Reconcile is part of reconcile.Reconciler.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	store := &Store{}
	if err := r.live.Get(ctx, request.NamespacedName, store); err != nil || store.DeletionTimestamp != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	size, err := resource.ParseQuantity(store.Spec.Size)
	if err != nil {
		return ctrl.Result{}, reconcile.TerminalError(err)
	}
	set := &appsv1.StatefulSet{}
	err = r.live.Get(ctx, request.NamespacedName, set)
	if apierrors.IsNotFound(err) {
		if set, err = r.set(store, size); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.Create(ctx, set)
	}
	if err == nil {
		err = sample.CheckOwner(set, store)
	}
	if err == nil && set.DeletionTimestamp != nil {
		return ctrl.Result{RequeueAfter: sample.Soon}, nil
	}
	if err == nil {
		err = r.resize(ctx, set, size)
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	if set.Status.ReadyReplicas == 1 && template(set).Cmp(size) == 0 && store.Status.Size != store.Spec.Size {
		store.Status.Size = store.Spec.Size
		return ctrl.Result{}, r.Status().Update(ctx, store)
	}
	return ctrl.Result{}, nil
}

// template is the size of the claims that a StatefulSet makes.
func template(set *appsv1.StatefulSet) *resource.Quantity {
	return set.Spec.VolumeClaimTemplates[0].Spec.Resources.Requests.Storage()
}

// expand lets the claims of a StatefulSet grow to a size. One that is not bound yet
// cannot grow; it is an event when it is.
func (r *reconciler) expand(ctx context.Context, set *appsv1.StatefulSet, size resource.Quantity) error {
	claims := &corev1.PersistentVolumeClaimList{}
	if err := r.live.List(ctx, claims, client.InNamespace(set.Namespace), client.MatchingLabels(set.Spec.Selector.MatchLabels)); err != nil {
		return err
	}
	for i := range claims.Items {
		claim := &claims.Items[i]
		if claim.Status.Phase != corev1.ClaimBound || claim.Spec.Resources.Requests.Storage().Cmp(size) >= 0 {
			continue
		}
		claim.Spec.Resources.Requests[corev1.ResourceStorage] = size
		if err := r.Update(ctx, claim); err != nil {
			return err
		}
	}
	return nil
}

// discard deletes the StatefulSet as it was read, and leaves its pods alone.
func (r *reconciler) discard(ctx context.Context, set *appsv1.StatefulSet) error {
	return r.Delete(ctx, set, sample.Unchanged(set), client.PropagationPolicy(metav1.DeletePropagationOrphan))
}

// set is the StatefulSet of a store.
func (r *reconciler) set(store *Store, size resource.Quantity) (*appsv1.StatefulSet, error) {
	labels := map[string]string{instance: store.Name}
	set := &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: store.Namespace, Name: store.Name, Labels: labels},
		Spec: appsv1.StatefulSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{
					Name:         "store",
					Image:        "registry.example.com/store:1",
					VolumeMounts: []corev1.VolumeMount{{Name: "data", MountPath: "/data"}},
				}}},
			},
			VolumeClaimTemplates: []corev1.PersistentVolumeClaim{{
				ObjectMeta: metav1.ObjectMeta{Name: "data"},
				Spec: corev1.PersistentVolumeClaimSpec{
					AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
					Resources: corev1.VolumeResourceRequirements{
						Requests: corev1.ResourceList{corev1.ResourceStorage: size},
					},
				},
			}},
		},
	}
	return set, controllerutil.SetControllerReference(store, set, r.Scheme())
}
