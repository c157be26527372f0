package settle_test

import (
	"context"
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientgo "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"

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

// rolled tells why a Deployment has not the pods that it asks for.
func rolled(ctx context.Context, c client.Reader, o client.Object) error {
	d := o.(*appsv1.Deployment)
	pods := &corev1.PodList{}
	if err := c.List(ctx, pods, client.InNamespace(d.Namespace)); err != nil {
		return err
	}
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
