// Package stuckfinalizer is an operator for catalogues: a Deployment and a Service, and an index if one is asked for,
// which is taken away first when a catalogue is deleted.
//
// +groupName=example.com
// +versionName=v1
package stuckfinalizer

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// Catalogue is the custom resource.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Catalogue struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   CatalogueSpec   `json:"spec"`
	Status operator.Status `json:"status,omitempty"`
}

// CatalogueSpec is what the user asks for.
type CatalogueSpec struct {
	// Replicas is how many catalogues there are.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=9
	// +kubebuilder:default=2
	Replicas *int32 `json:"replicas,omitempty"`
	// Image is what they run.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:default="registry.example.com/catalogues:1.4"
	Image string `json:"image,omitempty"`
	// Port is where clients reach them.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:default=80
	Port int32 `json:"port,omitempty"`
	// Index has an index made.
	// +kubebuilder:default=false
	Index bool `json:"index,omitempty"`
	// Resources are what each of them may use.
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// NodeSelector says where they may run.
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
}

// DeepCopyObject is part of runtime.Object.
func (r *Catalogue) DeepCopyObject() runtime.Object { return operator.Copy(r) }

// Observed is part of operator.Resource.
func (r *Catalogue) Observed() *operator.Status { return &r.Status }

// Sample is the operator.
var Sample = operator.Sample{Buggy: buggy(), Fixed: fixed()}

// base is the operator, with what is done about the index of a catalogue that is deleted.
func base(clean func(ctx context.Context, w *operator.Writer, index client.Object) error) operator.Operator {
	return operator.Operator{
		Kind: "Catalogue", Resource: &Catalogue{},
		Children: operator.For(func(c *Catalogue) []client.Object {
			all := []client.Object{service(c), deployment(c)}
			if c.Spec.Index {
				all = append(all, index(c))
			}
			return all
		}),
		Finish: func(ctx context.Context, w *operator.Writer, resource operator.Resource) error {
			made := index(resource.(*Catalogue))
			made.Namespace = resource.GetNamespace()
			return clean(ctx, w, made)
		},
	}
}

// index is what is searched.
func index(c *Catalogue) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: operator.Meta(c, "index"), Data: map[string]string{"index.json": `{"image": "` + c.Spec.Image + `"}`}}
}

func service(r *Catalogue) *corev1.Service {
	out := &corev1.Service{ObjectMeta: operator.Meta(r, "catalogue")}
	out.Spec.Selector = operator.Labels(r, "catalogue")
	out.Spec.Ports = []corev1.ServicePort{{Name: "http", Port: r.Spec.Port, TargetPort: intstr.FromString("http")}}
	return out
}

func deployment(r *Catalogue) *appsv1.Deployment {
	return &appsv1.Deployment{
		ObjectMeta: operator.Meta(r, "catalogue"),
		Spec: appsv1.DeploymentSpec{
			Replicas: r.Spec.Replicas,
			Selector: &metav1.LabelSelector{MatchLabels: operator.Labels(r, "catalogue")},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: operator.Labels(r, "catalogue")},
				Spec: corev1.PodSpec{
					NodeSelector: r.Spec.NodeSelector,
					Containers: []corev1.Container{{
						Name: "catalogue", Image: r.Spec.Image, Resources: r.Spec.Resources,
						Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}},
					}},
				},
			},
		},
	}
}
