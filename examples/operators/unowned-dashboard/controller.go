// Package unowneddashboard is an operator for collectors of metrics: a Deployment and a Service, and a dashboard if one
// is asked for, which is a ConfigMap that others read.
//
// +groupName=example.com
// +versionName=v1
package unowneddashboard

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// Collector is the custom resource.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Collector struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   CollectorSpec   `json:"spec"`
	Status operator.Status `json:"status,omitempty"`
}

// CollectorSpec is what the user asks for.
type CollectorSpec struct {
	// Replicas is how many collectors there are.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=9
	// +kubebuilder:default=2
	Replicas *int32 `json:"replicas,omitempty"`
	// Image is what they run.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:default="registry.example.com/collectors:1.4"
	Image string `json:"image,omitempty"`
	// Port is where clients reach them.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:default=80
	Port int32 `json:"port,omitempty"`
	// Dashboard has a ConfigMap with a dashboard made.
	// +kubebuilder:default=false
	Dashboard bool `json:"dashboard,omitempty"`
	// Resources are what each of them may use.
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// NodeSelector says where they may run.
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
}

// DeepCopyObject is part of runtime.Object.
func (r *Collector) DeepCopyObject() runtime.Object { return operator.Copy(r) }

// Observed is part of operator.Resource.
func (r *Collector) Observed() *operator.Status { return &r.Status }

// Sample is the operator.
var Sample = operator.Sample{Buggy: buggy(), Fixed: fixed()}

func base() operator.Operator {
	return operator.Operator{
		Kind: "Collector", Resource: &Collector{}, Children: operator.For(children),
	}
}

func children(c *Collector) []client.Object { return []client.Object{service(c), deployment(c)} }

// dashboard is what others show of a collector.
func dashboard(c *Collector) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: operator.Meta(c, "dashboard"), Data: map[string]string{"dashboard.json": `{"title": "` + c.Name + `"}`}}
}

func service(r *Collector) *corev1.Service {
	out := &corev1.Service{ObjectMeta: operator.Meta(r, "collector")}
	out.Spec.Selector = operator.Labels(r, "collector")
	out.Spec.Ports = []corev1.ServicePort{{Name: "http", Port: r.Spec.Port, TargetPort: intstr.FromString("http")}}
	return out
}

func deployment(r *Collector) *appsv1.Deployment {
	return &appsv1.Deployment{
		ObjectMeta: operator.Meta(r, "collector"),
		Spec: appsv1.DeploymentSpec{
			Replicas: r.Spec.Replicas,
			Selector: &metav1.LabelSelector{MatchLabels: operator.Labels(r, "collector")},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: operator.Labels(r, "collector")},
				Spec: corev1.PodSpec{
					NodeSelector: r.Spec.NodeSelector,
					Containers: []corev1.Container{{
						Name: "collector", Image: r.Spec.Image, Resources: r.Spec.Resources,
						Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}},
					}},
				},
			},
		},
	}
}
