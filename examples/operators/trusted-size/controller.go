// Package trustedsize is an operator for registries of images: a Deployment, a Service and
// a PodDisruptionBudget.
//
// +groupName=example.com
// +versionName=v1
package trustedsize

import (
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// Registry is the custom resource.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=registries
type Registry struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   RegistrySpec    `json:"spec"`
	Status operator.Status `json:"status,omitempty"`
}

// RegistrySpec is what the user asks for.
type RegistrySpec struct {
	// Size is how many pods serve images.
	// +kubebuilder:validation:Maximum=20
	// +kubebuilder:default=3
	Size *int32 `json:"size,omitempty"`
	// Image is what they run.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:default="registry.example.com/registry:3.0"
	Image string `json:"image,omitempty"`
	// Mode is what clients may do.
	// +kubebuilder:validation:Enum=ReadWrite;ReadOnly
	// +kubebuilder:default=ReadWrite
	Mode string `json:"mode,omitempty"`
	// MaxImageMegabytes is how large an image may be.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:default=2048
	MaxImageMegabytes int32 `json:"maxImageMegabytes,omitempty"`
	// Mirrors are where images come from that it does not have.
	// +kubebuilder:validation:MaxItems=10
	// +kubebuilder:validation:items:MinLength=1
	// +listType=set
	Mirrors []string `json:"mirrors,omitempty"`
	// Service is how clients reach it.
	// +kubebuilder:default={}
	Service RegistryService `json:"service,omitempty"`
	// Resources are what each pod may use.
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// Affinity says where they may run.
	Affinity *corev1.Affinity `json:"affinity,omitempty"`
	// Tolerations say of which nodes that others are kept from.
	Tolerations []corev1.Toleration `json:"tolerations,omitempty"`
	// PodLabels are for the pods.
	PodLabels map[string]string `json:"podLabels,omitempty"`
}

// RegistryService is how clients reach it.
type RegistryService struct {
	// +kubebuilder:validation:Enum=ClusterIP;NodePort;LoadBalancer
	// +kubebuilder:default=ClusterIP
	Type corev1.ServiceType `json:"type,omitempty"`
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:default=5000
	Port int32 `json:"port,omitempty"`
	// StickySeconds is how long a client stays with a pod; 0 is not at all.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=86400
	StickySeconds int32 `json:"stickySeconds,omitempty"`
	// Labels are for the Service.
	Labels map[string]string `json:"labels,omitempty"`
}

// DeepCopyObject is part of runtime.Object.
func (r *Registry) DeepCopyObject() runtime.Object { return operator.Copy(r) }

// Observed is part of operator.Resource.
func (r *Registry) Observed() *operator.Status { return &r.Status }

// Sample is the operator.
var Sample = operator.Sample{Buggy: buggy(), Fixed: fixed()}

func base() operator.Operator {
	return operator.Operator{
		Kind: "Registry", Resource: &Registry{}, Children: operator.For(children),
	}
}

// validate says what is wrong with a registry.
func validate(r *Registry) error {
	if *r.Spec.Size < 1 {
		return errors.New("spec.size: it has to be at least 1; delete the registry if nothing is to serve it")
	}
	return nil
}

func children(r *Registry) []client.Object {
	labels := operator.Labels(r, "registry")
	budget := &policyv1.PodDisruptionBudget{ObjectMeta: operator.Meta(r, "registry")}
	budget.Spec.MaxUnavailable = new(intstr.FromInt32(1))
	budget.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
	podLabels := operator.Labels(r, "registry")
	operator.AddLabels(podLabels, r.Spec.PodLabels)
	args := []string{"--mode=" + r.Spec.Mode, fmt.Sprintf("--max=%dM", r.Spec.MaxImageMegabytes)}
	for _, mirror := range r.Spec.Mirrors {
		args = append(args, "--mirror="+mirror)
	}
	return []client.Object{service(r), budget, &appsv1.Deployment{
		ObjectMeta: operator.Meta(r, "registry"),
		Spec: appsv1.DeploymentSpec{
			Replicas: r.Spec.Size,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: podLabels},
				Spec: corev1.PodSpec{
					Affinity: r.Spec.Affinity, Tolerations: r.Spec.Tolerations,
					Containers: []corev1.Container{{
						Name: "registry", Image: r.Spec.Image, Args: args, Resources: r.Spec.Resources,
						Ports: []corev1.ContainerPort{{Name: "registry", ContainerPort: 5000}},
					}},
				},
			},
		},
	}}
}

func service(r *Registry) *corev1.Service {
	wanted := r.Spec.Service
	out := &corev1.Service{ObjectMeta: operator.Meta(r, "registry")}
	operator.AddLabels(out.Labels, wanted.Labels)
	out.Spec.Type, out.Spec.Selector = wanted.Type, operator.Labels(r, "registry")
	out.Spec.Ports = []corev1.ServicePort{{Name: "registry", Port: wanted.Port, TargetPort: intstr.FromString("registry")}}
	if wanted.StickySeconds > 0 {
		out.Spec.SessionAffinity = corev1.ServiceAffinityClientIP
		out.Spec.SessionAffinityConfig = &corev1.SessionAffinityConfig{
			ClientIP: &corev1.ClientIPConfig{TimeoutSeconds: &wanted.StickySeconds},
		}
	}
	return out
}
