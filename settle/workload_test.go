package settle_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clientgo "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle"
	"github.com/seatrial/seatrial/settle/environment"
	"github.com/seatrial/seatrial/statespace"
)

func deployment(replicas int32, image string) *appsv1.Deployment {
	labels := map[string]string{"app": "x"}
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "a"}}
	d.Spec = appsv1.DeploymentSpec{Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: labels}}
	d.Spec.Template = corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: image}}}}
	return d
}

// rolled tells why a Deployment has not the pods that it asks for, beside those that failed.
func rolled(ctx context.Context, c client.Reader, o client.Object) error {
	d := o.(*appsv1.Deployment)
	pods := &corev1.PodList{}
	if err := c.List(ctx, pods, client.InNamespace(d.Namespace)); err != nil {
		return err
	}
	pods.Items = slices.DeleteFunc(pods.Items, func(p corev1.Pod) bool { return p.Status.Phase == corev1.PodFailed })
	for _, p := range pods.Items {
		if p.Spec.Containers[0].Image != d.Spec.Template.Spec.Containers[0].Image || p.DeletionTimestamp != nil || p.Status.Phase != corev1.PodRunning {
			return fmt.Errorf("pod %s is another", p.Name)
		}
	}
	if n := int32(len(pods.Items)); n != *d.Spec.Replicas || d.Status.AvailableReplicas != n || d.Status.ObservedGeneration != d.Generation {
		return fmt.Errorf("it has %d pods, and says %d", n, d.Status.AvailableReplicas)
	}
	return nil
}

// TestWorkload: users change the image of a Deployment again and again, and whatever the
// actors are at then, it comes to have the pods that it asks for. Nothing is counted for ever,
// so that the search ends.
func TestWorkload(t *testing.T) {
	r, err := settle.Explore(t.Context(), settle.Config{
		Scheme: clientgo.Scheme, Environment: environment.Cluster(), Desired: []client.Object{deployment(1, "a"), deployment(1, "b")}, Match: rolled, MaxObjects: 4,
	})
	if err != nil || r.Verdict != statespace.Holds || r.States > 2000 {
		t.Errorf("%v: %s", err, r)
	}
}

// TestWorkloadFails: users change how many pods a Deployment asks for, or its image, once, and one
// pod fails: it is replaced, and stays as it is.
func TestWorkloadFails(t *testing.T) {
	r, err := settle.Explore(t.Context(), settle.Config{
		Scheme: clientgo.Scheme,
		Environment: []environment.Actor{
			environment.Deployments(), environment.ReplicaSets(), environment.Scheduler(), environment.FailingKubelet(),
		},
		Objects: []client.Object{deployment(1, "a")}, Desired: []client.Object{deployment(0, "a"), deployment(1, "b")}, Match: rolled,
		Faults: settle.Faults{Budget: settle.Budget{Users: 1, Environment: 1}}, MaxObjects: 9,
	})
	if err != nil || r.Verdict != statespace.Holds {
		t.Errorf("%v: %s", err, r)
	}
	t.Logf("%s", r)
}

// publisher makes a Deployment for each Bar, and notes in the status when its pods are there.
func publisher(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(thing(barKind, "")).Owns(&appsv1.Deployment{}).Named("bar").
		Complete(reconcile.Func(func(ctx context.Context, q reconcile.Request) (reconcile.Result, error) {
			c, bar, d := mgr.GetClient(), thing(barKind, ""), &appsv1.Deployment{}
			if err := c.Get(ctx, q.NamespacedName, bar); err != nil || bar.GetDeletionTimestamp() != nil {
				return reconcile.Result{}, client.IgnoreNotFound(err)
			}
			err := c.Get(ctx, q.NamespacedName, d)
			if apierrors.IsNotFound(err) {
				d = deployment(1, "a")
				d.Name = q.Name
				if err := ctrl.SetControllerReference(bar, d, mgr.GetScheme()); err != nil {
					return reconcile.Result{}, err
				}
				return reconcile.Result{}, c.Create(ctx, d)
			}
			if err != nil || d.Status.AvailableReplicas < 1 || recorded(bar) != "" {
				return reconcile.Result{}, err
			}
			return reconcile.Result{}, record(ctx, c, bar, d.Name)
		}))
}

// TestPublisher: a reconciler that waits for pods needs somebody who starts them.
func TestPublisher(t *testing.T) {
	for _, row := range []struct {
		name string
		with []environment.Actor
		want string
	}{
		{"nobody", nil, "K"},
		{"the controllers", []environment.Actor{environment.Deployments(), environment.ReplicaSets()}, "K"},
		{"all", environment.Cluster(), "h"},
	} {
		r, err := settle.Explore(t.Context(), settle.Config{
			Scheme: clientgo.Scheme, Definitions: []*apiextensionsv1.CustomResourceDefinition{definition("Bar", "bars")},
			Setup: publisher, Environment: row.with, Desired: []client.Object{thing(barKind, "a")},
			Match: func(_ context.Context, _ client.Reader, bar client.Object) error {
				if recorded(bar.(*unstructured.Unstructured)) == "" {
					return errors.New("it is not published")
				}
				return nil
			},
			Faults: settle.Faults{Crash: true},
		})
		if err != nil || outcome(r)[:1] != row.want {
			t.Errorf("with %s: %v: %s", row.name, err, r)
		}
		t.Logf("%s", r)
	}
}
