// Package lateorphan is an operator for workspaces: a ConfigMap for each, and a Secret
// with its credentials. The Secret has no owner, since it must not go before the
// credentials are revoked: a finalizer deletes it.
package lateorphan

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/seatrial/seatrial/examples/controllers/sample"
)

// Spec is what the user asks for.
type Spec struct {
	Owner string `json:"owner"`
}

// Status is what there is.
type Status struct {
	Ready bool `json:"ready"`
}

// Workspace is the custom resource.
type Workspace = sample.Object[Spec, Status]

// Sample is the controller.
var Sample = sample.Sample{Register: sample.Kind[Spec, Status]("Workspace"), Buggy: buggy, Fixed: fixed}

const finalizer = "example.com/credentials"

type reconciler struct {
	client.Client
	live client.Reader
}

// provision makes what a workspace that is wanted needs.
func (r *reconciler) provision(ctx context.Context, workspace *Workspace) (ctrl.Result, error) {
	if controllerutil.AddFinalizer(workspace, finalizer) {
		return ctrl.Result{}, r.Update(ctx, workspace)
	}
	settings := &corev1.ConfigMap{ObjectMeta: named(workspace, "settings"), Data: map[string]string{"owner": workspace.Spec.Owner}}
	if err := controllerutil.SetControllerReference(workspace, settings, r.Scheme()); err != nil {
		return ctrl.Result{}, err
	}
	found := &corev1.ConfigMap{}
	switch err := r.live.Get(ctx, client.ObjectKeyFromObject(settings), found); {
	case apierrors.IsNotFound(err):
		if err := r.Create(ctx, settings); err != nil {
			return ctrl.Result{}, err
		}
	case err != nil:
		return ctrl.Result{}, err
	default:
		if err := sample.CheckOwner(found, workspace); err != nil {
			return ctrl.Result{}, err
		}
	}
	credentials := &corev1.Secret{ObjectMeta: named(workspace, "credentials"), StringData: map[string]string{"user": workspace.Spec.Owner}}
	err := r.live.Get(ctx, client.ObjectKeyFromObject(credentials), &corev1.Secret{})
	if apierrors.IsNotFound(err) {
		err = r.Create(ctx, credentials)
	}
	if err != nil || workspace.Status.Ready {
		return ctrl.Result{}, err
	}
	workspace.Status.Ready = true
	return ctrl.Result{}, r.Status().Update(ctx, workspace)
}

// release deletes what only the finalizer deletes, and lets the workspace go.
func (r *reconciler) release(ctx context.Context, workspace *Workspace) (ctrl.Result, error) {
	credentials := &corev1.Secret{}
	err := r.live.Get(ctx, client.ObjectKey{Namespace: workspace.Namespace, Name: workspace.Name + "-credentials"}, credentials)
	if err == nil {
		err = r.Delete(ctx, credentials, sample.Unchanged(credentials))
	}
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if controllerutil.RemoveFinalizer(workspace, finalizer) {
		return ctrl.Result{}, r.Update(ctx, workspace)
	}
	return ctrl.Result{}, nil
}

func named(workspace *Workspace, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: workspace.Namespace, Name: workspace.Name + "-" + name}
}

// phase is a reconciler that has a workspace if it is being deleted, or if it is not.
type phase struct {
	live     client.Reader
	wanted   func(context.Context, *Workspace) (ctrl.Result, error)
	unwanted func(context.Context, *Workspace) (ctrl.Result, error)
}

// Reconcile is part of reconcile.Reconciler.
func (p *phase) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	workspace := &Workspace{}
	if err := p.live.Get(ctx, request.NamespacedName, workspace); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	do := p.wanted
	if workspace.DeletionTimestamp != nil {
		do = p.unwanted
	}
	if do == nil {
		return ctrl.Result{}, nil
	}
	return do(ctx, workspace)
}
