package leftexporter

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// exporter is what gives the metrics of a store, and how it is found.
func exporter(s *KeyStore) []client.Object {
	wanted, labels := s.Spec.Exporter, operator.Labels(s, "exporter")
	service := &corev1.Service{ObjectMeta: operator.Meta(s, "exporter")}
	operator.AddLabels(service.Labels, wanted.ServiceLabels)
	service.Spec.Selector = labels
	service.Spec.Ports = []corev1.ServicePort{{Name: "metrics", Port: wanted.Port}}
	return []client.Object{service, &appsv1.Deployment{
		ObjectMeta: operator.Meta(s, "exporter"),
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{
					Name: "exporter", Image: wanted.Image, Resources: wanted.Resources,
					Args:  []string{fmt.Sprintf("--store=%s-peers:6379", s.Name), fmt.Sprintf("--port=%d", wanted.Port)},
					Ports: []corev1.ContainerPort{{Name: "metrics", ContainerPort: wanted.Port}},
				}}},
			},
		},
	}}
}

// volume is what the pods have for it.
func (s *Storage) volume() *corev1.EmptyDirVolumeSource {
	size := resource.NewQuantity(s.SizeMegabytes<<20, resource.BinarySI)
	return &corev1.EmptyDirVolumeSource{Medium: s.Medium, SizeLimit: size}
}
