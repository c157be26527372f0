package operator

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// The conditions of a resource.
const (
	accepted  = "Accepted"
	available = "Available"
)

type reconciler struct {
	Operator
	client.Client
	// read is what resources and their children are read from, one by one.
	read client.Reader
}

// Reconcile is part of reconcile.Reconciler.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	// What the API server takes may still be nothing that the types can hold, such as
	// the quantity 1e1.5: one such resource must not be the end of the watch.
	raw := empty(r.Kind)
	if err := r.read.Get(ctx, request.NamespacedName, raw); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if raw.GetDeletionTimestamp() != nil {
		return ctrl.Result{}, r.finish(ctx, raw)
	}
	if r.Finish != nil && controllerutil.AddFinalizer(raw, finalizer) {
		if err := r.Update(ctx, raw); err != nil {
			return ctrl.Result{}, err
		}
	}
	resource := r.Resource.DeepCopyObject().(Resource)
	refused := decode(raw.Object, resource)
	if refused != nil {
		refused = fmt.Errorf("the resource cannot be read: %w", refused)
	}
	status, before := resource.Observed(), &Status{}
	if err := decode(raw.Object["status"], before); err != nil {
		return ctrl.Result{}, err
	}
	*status = *Copy(before)
	w := &Writer{Client: r.Client, Read: r.read, owner: raw}
	if refused == nil {
		var err error
		if refused, err = r.settle(ctx, w, resource); err != nil {
			return ctrl.Result{}, err
		}
	}
	if err := r.count(ctx, w, status); err != nil {
		return ctrl.Result{}, err
	}
	status.ObservedGeneration = raw.GetGeneration()
	condition := metav1.Condition{
		Type: accepted, Status: metav1.ConditionTrue, Reason: "Valid",
		Message: "the spec is followed", ObservedGeneration: raw.GetGeneration(),
	}
	if refused != nil {
		condition.Status, condition.Reason, condition.Message = metav1.ConditionFalse, "Invalid", refused.Error()
	}
	meta.SetStatusCondition(&status.Conditions, condition)
	if equality.Semantic.DeepEqual(before, status) {
		return ctrl.Result{}, nil
	}
	said := map[string]any{}
	if err := decode(status, &said); err != nil {
		return ctrl.Result{}, err
	}
	raw.Object["status"] = said
	if err := r.Status().Update(ctx, raw); !apierrors.IsConflict(err) {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, nil // it has changed, and that is heard of
}

// finalizer keeps a resource until it is cleaned up for it.
const finalizer = "example.com/finish"

// finish cleans up for a resource that is deleted, and lets it go.
func (r *reconciler) finish(ctx context.Context, raw *unstructured.Unstructured) error {
	if r.Finish == nil || !controllerutil.ContainsFinalizer(raw, finalizer) {
		return nil
	}
	resource := r.Resource.DeepCopyObject().(Resource)
	if err := decode(raw.Object, resource); err != nil {
		// It was never followed, so that there is nothing but its name to go by.
		resource.SetNamespace(raw.GetNamespace())
		resource.SetName(raw.GetName())
	}
	if err := r.Finish(ctx, &Writer{Client: r.Client, Read: r.read, owner: raw}, resource); err != nil {
		return err
	}
	controllerutil.RemoveFinalizer(raw, finalizer)
	return client.IgnoreNotFound(r.Update(ctx, raw))
}

// settle brings the children to what the resource says. It first asks for each of them
// whether the API server would take it, so that a resource is followed as a whole or
// not at all; refused says why it is not.
func (r *reconciler) settle(ctx context.Context, w *Writer, resource Resource) (refused, err error) {
	if r.Validate != nil {
		if err := r.Validate(resource); err != nil {
			return err, nil
		}
	}
	children := r.Children(resource)
	for _, child := range children {
		if err := w.own(child); err != nil {
			return nil, err
		}
	}
	status := resource.Observed()
	condition := meta.FindStatusCondition(status.Conditions, accepted)
	if condition == nil || condition.Status != metav1.ConditionTrue || condition.ObservedGeneration != resource.GetGeneration() {
		for _, child := range children {
			if refused, err := w.check(ctx, child); refused != nil || err != nil {
				return refused, err
			}
		}
	}
	if r.Hold != nil && r.Hold(status) {
		return nil, nil
	}
	write := r.Write
	if write == nil {
		write = func(ctx context.Context, w *Writer, child client.Object) error { return w.Replace(ctx, child) }
	}
	for _, child := range children {
		if err := write(ctx, w, child); err != nil {
			return nil, err
		}
	}
	if !r.Keep {
		if err := w.prune(ctx, children); err != nil {
			return nil, err
		}
	}
	if r.Settle != nil {
		return nil, r.Settle(ctx, w, resource)
	}
	return nil, nil
}

// count writes into the status how many pods there are to be, and are ready.
func (r *reconciler) count(ctx context.Context, w *Writer, status *Status) error {
	children, err := w.Children(ctx)
	if err != nil {
		return err
	}
	status.Replicas, status.ReadyReplicas = 0, 0
	current := true
	for _, child := range children {
		// The API server says 1 where nothing is said.
		switch workload := child.(type) {
		case *appsv1.Deployment:
			wanted, is := ptr.Deref(workload.Spec.Replicas, 1), workload.Status
			status.Replicas += wanted
			status.ReadyReplicas += is.ReadyReplicas
			current = current && is.ObservedGeneration == workload.Generation && is.UpdatedReplicas == wanted && is.Replicas == wanted
		case *appsv1.StatefulSet:
			wanted, is := ptr.Deref(workload.Spec.Replicas, 1), workload.Status
			status.Replicas += wanted
			status.ReadyReplicas += is.ReadyReplicas
			current = current && is.ObservedGeneration == workload.Generation && is.UpdatedReplicas == wanted && is.Replicas == wanted
		}
	}
	if r.Count != nil {
		r.Count(status)
	}
	condition := metav1.Condition{
		Type: available, Status: metav1.ConditionFalse, Reason: "Progressing",
		Message:            fmt.Sprintf("%d of %d pods are ready", status.ReadyReplicas, status.Replicas),
		ObservedGeneration: w.owner.GetGeneration(),
	}
	if current && status.Replicas > 0 && status.ReadyReplicas >= status.Replicas {
		condition.Status, condition.Reason = metav1.ConditionTrue, "AllReady"
	}
	meta.SetStatusCondition(&status.Conditions, condition)
	return nil
}
