// Package informerlag is an operator for pools of runners: as many pods as the user
// asks for. It deletes none, as a runner that has work must not be stopped.
package informerlag

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/seatrial/seatrial/examples/controllers/sample"
)

// Spec is what the user asks for.
type Spec struct {
	Size int `json:"size"`
}

// Status is what there is.
type Status struct {
	Ready int `json:"ready"`
}

// RunnerPool is the custom resource.
type RunnerPool = sample.Object[Spec, Status]

// Sample is the controller.
var Sample = sample.Sample{Register: sample.Kind[Spec, Status]("RunnerPool"), Buggy: buggy, Fixed: fixed}

const label = "example.com/pool"

type reconciler struct {
	client.Client
	live client.Reader
	// fill creates the runners that are missing, and tells whether it created any.
	fill func(ctx context.Context, pool *RunnerPool, runners []corev1.Pod) (bool, error)
	// runners is what they are listed from.
	runners client.Reader
}

func (r *reconciler) watch(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&RunnerPool{}).Owns(&corev1.Pod{}).Complete(r)
}

// Reconcile is part of reconcile.Reconciler.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	pool := &RunnerPool{}
	if err := r.live.Get(ctx, request.NamespacedName, pool); err != nil || pool.DeletionTimestamp != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	pods := &corev1.PodList{}
	if err := r.runners.List(ctx, pods, client.InNamespace(pool.Namespace), client.MatchingLabels{label: pool.Name}); err != nil {
		return ctrl.Result{}, err
	}
	if created, err := r.fill(ctx, pool, pods.Items); err != nil || created {
		return ctrl.Result{}, err // the rest is for when there are events of them
	}
	ready := 0
	for i := range pods.Items {
		for _, condition := range pods.Items[i].Status.Conditions {
			if condition.Type == corev1.PodReady && condition.Status == corev1.ConditionTrue {
				ready++
			}
		}
	}
	if pool.Status.Ready == ready {
		return ctrl.Result{}, nil
	}
	pool.Status.Ready = ready
	return ctrl.Result{}, r.Status().Update(ctx, pool)
}

// create creates one runner, whose name or the beginning of it is in meta.
func (r *reconciler) create(ctx context.Context, pool *RunnerPool, meta metav1.ObjectMeta) error {
	meta.Namespace = pool.Namespace
	meta.Labels = map[string]string{label: pool.Name}
	pod := &corev1.Pod{
		ObjectMeta: meta,
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "runner", Image: "registry.example.com/runner:1"}}},
	}
	if err := controllerutil.SetControllerReference(pool, pod, r.Scheme()); err != nil {
		return err
	}
	return r.Create(ctx, pod)
}
