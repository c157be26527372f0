// Package missedlabel is an operator for workers of a web site: a Deployment and a Service, which may lead to one track
// of releases only.
//
// +groupName=example.com
// +versionName=v1
package missedlabel

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// Website is the custom resource.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Website struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WebsiteSpec     `json:"spec"`
	Status operator.Status `json:"status,omitempty"`
}

// WebsiteSpec is what the user asks for.
type WebsiteSpec struct {
	// Replicas is how many websites there are.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=9
	// +kubebuilder:default=2
	Replicas *int32 `json:"replicas,omitempty"`
	// Image is what they run.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:default="registry.example.com/websites:1.4"
	Image string `json:"image,omitempty"`
	// Port is where clients reach them.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:default=80
	Port int32 `json:"port,omitempty"`
	// Track is the track of releases that clients are led to; empty for all of them.
	// +kubebuilder:validation:Pattern=`^([a-z]([-a-z0-9]*[a-z0-9])?)?$`
	// +kubebuilder:validation:MaxLength=40
	Track string `json:"track,omitempty"`
	// Resources are what each of them may use.
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// NodeSelector says where they may run.
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
}

// DeepCopyObject is part of runtime.Object.
func (r *Website) DeepCopyObject() runtime.Object { return operator.Copy(r) }

// Observed is part of operator.Resource.
func (r *Website) Observed() *operator.Status { return &r.Status }

// Sample is the operator.
var Sample = operator.Sample{Buggy: buggy(), Fixed: fixed()}

// trackLabel is the label of the pods of a track.
const trackLabel = "example.com/track"

// base is the operator, with the labels that a track gives to pods.
func base(mark func(labels map[string]string, track string)) operator.Operator {
	return operator.Operator{
		Kind: "Website", Resource: &Website{},
		Children: operator.For(func(w *Website) []client.Object {
			s, d := service(w), deployment(w)
			if w.Spec.Track != "" {
				s.Spec.Selector[trackLabel] = w.Spec.Track
				mark(d.Spec.Template.Labels, w.Spec.Track)
			}
			return []client.Object{s, d}
		}),
	}
}

func service(r *Website) *corev1.Service {
	out := &corev1.Service{ObjectMeta: operator.Meta(r, "website")}
	out.Spec.Selector = operator.Labels(r, "website")
	out.Spec.Ports = []corev1.ServicePort{{Name: "http", Port: r.Spec.Port, TargetPort: intstr.FromString("http")}}
	return out
}

func deployment(r *Website) *appsv1.Deployment {
	return &appsv1.Deployment{
		ObjectMeta: operator.Meta(r, "website"),
		Spec: appsv1.DeploymentSpec{
			Replicas: r.Spec.Replicas,
			Selector: &metav1.LabelSelector{MatchLabels: operator.Labels(r, "website")},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: operator.Labels(r, "website")},
				Spec: corev1.PodSpec{
					NodeSelector: r.Spec.NodeSelector,
					Containers: []corev1.Container{{
						Name: "website", Image: r.Spec.Image, Resources: r.Spec.Resources,
						Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}},
					}},
				},
			},
		},
	}
}
