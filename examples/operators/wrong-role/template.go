package wrongrole

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// template is that of the pods of a role.
func template(s *DocumentStore, name string, role Role) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: operator.Labels(s, name), Annotations: role.Annotations},
		Spec: corev1.PodSpec{
			NodeSelector: role.NodeSelector, Tolerations: role.Tolerations,
			Containers: []corev1.Container{{
				Name: name, Image: s.Spec.Image, Resources: role.Resources, Env: role.Env,
				Args: []string{
					"--role=" + name, fmt.Sprintf("--heap=%dm", role.HeapMegabytes), fmt.Sprintf("--port=%d", role.Port),
				},
				Ports: []corev1.ContainerPort{{Name: "documents", ContainerPort: role.Port}},
			}},
		},
	}
}
