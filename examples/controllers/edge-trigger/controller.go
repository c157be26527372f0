// Package edgetrigger is an operator for platforms that are upgraded one version at a
// time, as each version migrates the data of the one before. A new platform begins with
// the first.
package edgetrigger

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/examples/controllers/sample"
)

// Spec is what the user asks for.
type Spec struct {
	Version int `json:"version"`
}

// Status is what there is.
type Status struct {
	Version int    `json:"version,omitempty"`
	Message string `json:"message,omitempty"`
}

// Platform is the custom resource.
type Platform = sample.Object[Spec, Status]

// Sample is the controller.
var Sample = sample.Sample{Register: sample.Kind[Spec, Status]("Platform"), Buggy: buggy, Fixed: fixed}

const image = "registry.example.com/platform:"

type reconciler struct {
	client.Client
	live client.Reader
	// next is the version to go to from one that runs, on the way to another; false
	// if there is no way.
	next func(current, wanted int) (int, bool)
}

func (r *reconciler) watch(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Platform{}).Owns(&appsv1.StatefulSet{}).Complete(r)
}

// Reconcile is part of reconcile.Reconciler.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	platform := &Platform{}
	if err := r.live.Get(ctx, request.NamespacedName, platform); err != nil || platform.DeletionTimestamp != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	set := &appsv1.StatefulSet{}
	err := r.live.Get(ctx, request.NamespacedName, set)
	if apierrors.IsNotFound(err) {
		if set, err = r.set(platform); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.Create(ctx, set)
	}
	if err == nil {
		err = sample.CheckOwner(set, platform)
	}
	if err != nil || !ready(set) {
		return ctrl.Result{}, err // it is an event when it is ready
	}
	return ctrl.Result{}, r.upgrade(ctx, platform, set)
}

// upgrade goes to the next version, or says where the platform is.
func (r *reconciler) upgrade(ctx context.Context, platform *Platform, set *appsv1.StatefulSet) error {
	container := &set.Spec.Template.Spec.Containers[0]
	current, err := strconv.Atoi(strings.TrimPrefix(container.Image, image))
	if err != nil {
		return reconcile.TerminalError(err)
	}
	next, possible := current, true
	if current != platform.Spec.Version {
		next, possible = r.next(current, platform.Spec.Version)
	}
	if next != current && possible {
		container.Image = image + strconv.Itoa(next)
		return r.Update(ctx, set)
	}
	status := Status{Version: current}
	if !possible {
		status.Message = fmt.Sprintf("cannot go from version %d to %d", current, platform.Spec.Version)
	}
	if platform.Status == status {
		return nil
	}
	platform.Status = status
	return r.Status().Update(ctx, platform)
}

// ready tells whether a StatefulSet runs what it says.
func ready(set *appsv1.StatefulSet) bool {
	status := set.Status
	return status.ObservedGeneration == set.Generation && status.UpdateRevision == status.CurrentRevision &&
		status.Replicas == 1 && status.ReadyReplicas == 1
}

// set is the StatefulSet of a new platform.
func (r *reconciler) set(platform *Platform) (*appsv1.StatefulSet, error) {
	labels := map[string]string{"app.kubernetes.io/instance": platform.Name}
	set := &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: platform.Namespace, Name: platform.Name, Labels: labels},
		Spec: appsv1.StatefulSetSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{
					Name:  "platform",
					Image: image + "1",
				}}},
			},
		},
	}
	return set, controllerutil.SetControllerReference(platform, set, r.Scheme())
}
