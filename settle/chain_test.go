package settle_test

import (
	"context"
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientgo "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/settle/environment"
)

// The chain: a reconciler that makes ReplicaSets for Deployments, one for each image, and one
// that makes pods for ReplicaSets. Both are under check, and nobody starts the pods.

// rollouts makes the ReplicaSet of the image, and has the others go.
type rollouts struct {
	client.Client
	// hasty notes that it is done before it is, and does nothing where it has noted that.
	hasty bool
}

func (r *rollouts) Reconcile(ctx context.Context, q reconcile.Request) (reconcile.Result, error) {
	d := &appsv1.Deployment{}
	if err := r.Get(ctx, q.NamespacedName, d); err != nil || d.DeletionTimestamp != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if r.hasty && d.Status.ObservedGeneration == d.Generation {
		return reconcile.Result{}, nil
	}
	all := &appsv1.ReplicaSetList{}
	if err := r.List(ctx, all, client.InNamespace(d.Namespace)); err != nil {
		return reconcile.Result{}, err
	}
	image := d.Spec.Template.Spec.Containers[0].Image
	var fresh *appsv1.ReplicaSet
	var old []*appsv1.ReplicaSet
	for i := range all.Items {
		switch s := &all.Items[i]; {
		case !metav1.IsControlledBy(s, d):
		case s.Spec.Template.Spec.Containers[0].Image == image:
			fresh = s
		default:
			old = append(old, s)
		}
	}
	switch {
	case fresh == nil:
		labels := map[string]string{"app": "x", "image": image}
		s := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: d.Namespace, Name: d.Name + "-" + image, Labels: labels}}
		s.Spec = appsv1.ReplicaSetSpec{Replicas: d.Spec.Replicas, Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: *d.Spec.Template.DeepCopy()}
		s.Spec.Template.Labels = labels
		if err := ctrl.SetControllerReference(d, s, r.Scheme()); err != nil {
			return reconcile.Result{}, err
		}
		return reconcile.Result{}, r.Create(ctx, s)
	case *fresh.Spec.Replicas != *d.Spec.Replicas:
		fresh.Spec.Replicas = d.Spec.Replicas
		return reconcile.Result{}, r.Update(ctx, fresh)
	}
	if r.hasty {
		if err := r.note(ctx, d); err != nil {
			return reconcile.Result{}, err
		}
	}
	for _, s := range old {
		if *s.Spec.Replicas != 0 {
			s.Spec.Replicas = new(int32)
			return reconcile.Result{}, r.Update(ctx, s)
		}
	}
	return reconcile.Result{}, nil
}

// note notes that all is as a Deployment asks for.
func (r *rollouts) note(ctx context.Context, d *appsv1.Deployment) error {
	if d.Status.ObservedGeneration == d.Generation {
		return nil
	}
	d.Status.ObservedGeneration = d.Generation
	return r.Status().Update(ctx, d)
}

// replicas makes pods, and deletes surplus ones.
type replicas struct{ client.Client }

func (r *replicas) Reconcile(ctx context.Context, q reconcile.Request) (reconcile.Result, error) {
	s := &appsv1.ReplicaSet{}
	if err := r.Get(ctx, q.NamespacedName, s); err != nil || s.DeletionTimestamp != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	all := &corev1.PodList{}
	if err := r.List(ctx, all, client.InNamespace(s.Namespace)); err != nil {
		return reconcile.Result{}, err
	}
	var own []*corev1.Pod
	for i := range all.Items {
		if p := &all.Items[i]; metav1.IsControlledBy(p, s) && p.DeletionTimestamp == nil {
			own = append(own, p)
		}
	}
	switch n := int(*s.Spec.Replicas); {
	case len(own) < n:
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: s.Namespace, GenerateName: s.Name + "-", Labels: s.Spec.Template.Labels}, Spec: s.Spec.Template.Spec}
		if err := ctrl.SetControllerReference(s, p, r.Scheme()); err != nil {
			return reconcile.Result{}, err
		}
		return reconcile.Result{}, r.Create(ctx, p)
	case len(own) > n:
		return reconcile.Result{}, client.IgnoreNotFound(r.Delete(ctx, own[0], client.Preconditions{UID: &own[0].UID}))
	}
	return reconcile.Result{}, nil
}

// chain has both, and users who ask for a Deployment and then, once, for another image.
func chain(n int32, hasty bool, f settle.Faults) settle.Config {
	f.Budget.Users = 1
	var beside []environment.Actor
	if f.Budget.Environment > 0 {
		beside = []environment.Actor{environment.Killer()}
	}
	return settle.Config{
		Scheme: clientgo.Scheme, Environment: beside,
		Setup: func(mgr ctrl.Manager) error {
			err := ctrl.NewControllerManagedBy(mgr).For(&appsv1.Deployment{}).Owns(&appsv1.ReplicaSet{}).Complete(&rollouts{mgr.GetClient(), hasty})
			if err != nil {
				return err
			}
			return ctrl.NewControllerManagedBy(mgr).For(&appsv1.ReplicaSet{}).Owns(&corev1.Pod{}).Complete(&replicas{mgr.GetClient()})
		},
		Objects: []client.Object{deployment(n, "a")},
		Desired: []client.Object{deployment(n, "a"), deployment(n, "b")},
		Match: func(ctx context.Context, c client.Reader, o client.Object) error {
			d, pods := o.(*appsv1.Deployment), &corev1.PodList{}
			if err := c.List(ctx, pods); err != nil {
				return err
			}
			for _, p := range pods.Items {
				if p.Spec.Containers[0].Image != d.Spec.Template.Spec.Containers[0].Image {
					return fmt.Errorf("pod %s is another", p.Name)
				}
			}
			if len(pods.Items) != int(*d.Spec.Replicas) {
				return fmt.Errorf("it has %d pods", len(pods.Items))
			}
			return nil
		},
		Faults: f, MaxObjects: 9,
	}
}

// TestChain: the size is near that of a prototype, 719. To note that something is done before it is
// matters only when the process is killed in between.
func TestChain(t *testing.T) {
	for _, row := range []struct {
		name   string
		hasty  bool
		faults settle.Faults
		states int
		want   string
	}{
		{"in order", false, settle.Faults{}, 197, "holds"},
		{"in order, killed once", false, settle.Faults{Crash: true, Budget: settle.Budget{Crash: 1}}, 394, "holds"},
		{"hasty", true, settle.Faults{}, 0, "holds"},
		{"hasty, killed once", true, settle.Faults{Crash: true, Budget: settle.Budget{Crash: 1}}, 0, "K"},
	} {
		r, err := settle.Explore(t.Context(), chain(1, row.hasty, row.faults))
		if err != nil {
			t.Fatal(err)
		}
		if got := outcome(r); got[:1] != row.want[:1] || row.states > 0 && r.States != row.states {
			t.Errorf("%s: want %s, %d states: %s", row.name, row.want, row.states, r)
		}
	}
}

// BenchmarkChain: two replicas, and the process is killed, a request fails, and a pod is deleted,
// each once. A prototype had 23,206 states.
func BenchmarkChain(b *testing.B) {
	states := 0
	for b.Loop() {
		r, err := settle.Explore(b.Context(), chain(2, false, settle.Faults{Crash: true, Timeout: true, Budget: settle.Budget{Crash: 1, Timeout: 1, Environment: 1}}))
		if err != nil {
			b.Fatal(err)
		}
		states = r.States
	}
	b.ReportMetric(float64(states), "states")
}
