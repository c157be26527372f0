// Package restlessstamp is an operator for front ends: a Deployment and a Service, which says, if that is asked for,
// which version of the resource it is of.
//
// +groupName=example.com
// +versionName=v1
package restlessstamp

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// Frontend is the custom resource.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Frontend struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   FrontendSpec    `json:"spec"`
	Status operator.Status `json:"status,omitempty"`
}

// FrontendSpec is what the user asks for.
type FrontendSpec struct {
	// Replicas is how many frontends there are.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=9
	// +kubebuilder:default=2
	Replicas *int32 `json:"replicas,omitempty"`
	// Image is what they run.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:default="registry.example.com/frontends:1.4"
	Image string `json:"image,omitempty"`
	// Port is where clients reach them.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:default=80
	Port int32 `json:"port,omitempty"`
	// Stamp has the Service say which version of the resource it is of.
	// +kubebuilder:default=false
	Stamp bool `json:"stamp,omitempty"`
	// Resources are what each of them may use.
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// NodeSelector says where they may run.
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
}

// DeepCopyObject is part of runtime.Object.
func (r *Frontend) DeepCopyObject() runtime.Object { return operator.Copy(r) }

// Observed is part of operator.Resource.
func (r *Frontend) Observed() *operator.Status { return &r.Status }

// Sample is the operator.
var Sample = operator.Sample{Buggy: buggy(), Fixed: fixed()}

// base is the operator, with what a stamp says.
func base(stamp func(f *Frontend) string) operator.Operator {
	return operator.Operator{
		Kind: "Frontend", Resource: &Frontend{},
		Children: operator.For(func(f *Frontend) []client.Object {
			s := service(f)
			if f.Spec.Stamp {
				s.Annotations = map[string]string{"example.com/stamp": stamp(f)}
			}
			return []client.Object{s, deployment(f)}
		}),
	}
}

func service(r *Frontend) *corev1.Service {
	out := &corev1.Service{ObjectMeta: operator.Meta(r, "frontend")}
	out.Spec.Selector = operator.Labels(r, "frontend")
	out.Spec.Ports = []corev1.ServicePort{{Name: "http", Port: r.Spec.Port, TargetPort: intstr.FromString("http")}}
	return out
}

func deployment(r *Frontend) *appsv1.Deployment {
	return &appsv1.Deployment{
		ObjectMeta: operator.Meta(r, "frontend"),
		Spec: appsv1.DeploymentSpec{
			Replicas: r.Spec.Replicas,
			Selector: &metav1.LabelSelector{MatchLabels: operator.Labels(r, "frontend")},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: operator.Labels(r, "frontend")},
				Spec: corev1.PodSpec{
					NodeSelector: r.Spec.NodeSelector,
					Containers: []corev1.Container{{
						Name: "frontend", Image: r.Spec.Image, Resources: r.Spec.Resources,
						Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}},
					}},
				},
			},
		},
	}
}
