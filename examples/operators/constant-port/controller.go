// Package constantport is an operator for gateways: a Deployment and a Service, whose ports may have another name, by
// which meshes tell protocols.
//
// +groupName=example.com
// +versionName=v1
package constantport

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// Gateway is the custom resource.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Gateway struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   GatewaySpec     `json:"spec"`
	Status operator.Status `json:"status,omitempty"`
}

// GatewaySpec is what the user asks for.
type GatewaySpec struct {
	// Replicas is how many gateways there are.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=9
	// +kubebuilder:default=2
	Replicas *int32 `json:"replicas,omitempty"`
	// Image is what they run.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:default="registry.example.com/gateways:2.1"
	Image string `json:"image,omitempty"`
	// Port is where clients reach them.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:default=80
	Port int32 `json:"port,omitempty"`
	// PortName is what their port is called.
	// +kubebuilder:validation:Pattern=`^[a-z]([-a-z0-9]*[a-z0-9])?$`
	// +kubebuilder:validation:MaxLength=15
	// +kubebuilder:default=http
	PortName string `json:"portName,omitempty"`
	// Resources are what each of them may use.
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// NodeSelector says where they may run.
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
}

// DeepCopyObject is part of runtime.Object.
func (r *Gateway) DeepCopyObject() runtime.Object { return operator.Copy(r) }

// Observed is part of operator.Resource.
func (r *Gateway) Observed() *operator.Status { return &r.Status }

// Sample is the operator.
var Sample = operator.Sample{Buggy: buggy(), Fixed: fixed()}

// base is the operator, with the port of the pods that its Service leads to.
func base(target func(g *Gateway) string) operator.Operator {
	return operator.Operator{
		Kind: "Gateway", Resource: &Gateway{},
		Children: operator.For(func(g *Gateway) []client.Object {
			return []client.Object{service(g, target(g)), deployment(g)}
		}),
	}
}

func service(g *Gateway, target string) *corev1.Service {
	out := &corev1.Service{ObjectMeta: operator.Meta(g, "gateway")}
	out.Spec.Selector = operator.Labels(g, "gateway")
	out.Spec.Ports = []corev1.ServicePort{{Name: g.Spec.PortName, Port: g.Spec.Port, TargetPort: intstr.FromString(target)}}
	return out
}

func deployment(g *Gateway) *appsv1.Deployment {
	return &appsv1.Deployment{
		ObjectMeta: operator.Meta(g, "gateway"),
		Spec: appsv1.DeploymentSpec{
			Replicas: g.Spec.Replicas,
			Selector: &metav1.LabelSelector{MatchLabels: operator.Labels(g, "gateway")},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: operator.Labels(g, "gateway")},
				Spec: corev1.PodSpec{
					NodeSelector: g.Spec.NodeSelector,
					Containers: []corev1.Container{{
						Name: "gateway", Image: g.Spec.Image, Resources: g.Spec.Resources,
						Ports: []corev1.ContainerPort{{Name: g.Spec.PortName, ContainerPort: 8080}},
					}},
				},
			},
		},
	}
}
