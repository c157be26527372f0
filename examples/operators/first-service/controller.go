// Package firstservice is an operator for caches: a Deployment, a Service, and a
// PodDisruptionBudget if one is asked for.
//
// +groupName=example.com
// +versionName=v1
package firstservice

import (
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// Cache is the custom resource.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Cache struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   CacheSpec       `json:"spec"`
	Status operator.Status `json:"status,omitempty"`
}

// CacheSpec is what the user asks for.
type CacheSpec struct {
	// Size is how many caches there are.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=20
	// +kubebuilder:default=3
	Size *int32 `json:"size,omitempty"`
	// Image is what they run.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:default="registry.example.com/cache:1.6"
	Image string `json:"image,omitempty"`
	// ImagePullPolicy says when the image is pulled.
	// +kubebuilder:validation:Enum=Always;IfNotPresent;Never
	// +kubebuilder:default=IfNotPresent
	ImagePullPolicy corev1.PullPolicy `json:"imagePullPolicy,omitempty"`
	// MemoryMegabytes is how much a cache keeps.
	// +kubebuilder:validation:Minimum=16
	// +kubebuilder:default=64
	MemoryMegabytes int32 `json:"memoryMegabytes,omitempty"`
	// Eviction is what goes when it is full.
	// +kubebuilder:validation:Enum=LRU;LFU;None
	// +kubebuilder:default=LRU
	Eviction string `json:"eviction,omitempty"`
	// Service is how clients reach the caches.
	// +kubebuilder:default={}
	Service CacheService `json:"service,omitempty"`
	// Disruption says how many caches may be away at once, on purpose.
	Disruption *CacheDisruption `json:"disruption,omitempty"`
	// PodAnnotations are for the pods.
	PodAnnotations map[string]string `json:"podAnnotations,omitempty"`
	// Resources are what each cache may use.
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// NodeSelector says where caches may run.
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
	// Tolerations say of which nodes that others are kept from.
	Tolerations []corev1.Toleration `json:"tolerations,omitempty"`
	// ReadinessProbe tells whether a cache answers.
	ReadinessProbe *corev1.Probe `json:"readinessProbe,omitempty"`
	// SecurityContext is that of the pods.
	SecurityContext *corev1.PodSecurityContext `json:"securityContext,omitempty"`
}

// CacheService is how clients reach the caches.
type CacheService struct {
	// Type is the kind of Service.
	// +kubebuilder:validation:Enum=ClusterIP;NodePort;LoadBalancer
	// +kubebuilder:default=ClusterIP
	Type corev1.ServiceType `json:"type,omitempty"`
	// Port is where clients connect.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:default=11211
	Port int32 `json:"port,omitempty"`
	// Annotations are for the Service.
	Annotations map[string]string `json:"annotations,omitempty"`
	// ExternalTrafficPolicy is used with NodePort and LoadBalancer.
	// +kubebuilder:validation:Enum=Cluster;Local
	// +kubebuilder:default=Cluster
	ExternalTrafficPolicy corev1.ServiceExternalTrafficPolicy `json:"externalTrafficPolicy,omitempty"`
	// LoadBalancerSourceRanges are from where a load balancer lets clients in.
	LoadBalancerSourceRanges []string `json:"loadBalancerSourceRanges,omitempty"`
}

// CacheDisruption says how many caches may be away at once.
type CacheDisruption struct {
	// MaxUnavailable is how many, or which part of them.
	// +kubebuilder:default=1
	MaxUnavailable *intstr.IntOrString `json:"maxUnavailable,omitempty"`
}

// DeepCopyObject is part of runtime.Object.
func (c *Cache) DeepCopyObject() runtime.Object { return operator.Copy(c) }

// Observed is part of operator.Resource.
func (c *Cache) Observed() *operator.Status { return &c.Status }

// Sample is the operator.
var Sample = operator.Sample{Buggy: buggy(), Fixed: fixed()}

func base() operator.Operator {
	return operator.Operator{
		Kind: "Cache", Resource: &Cache{}, Children: operator.For(children),
	}
}

func children(c *Cache) []client.Object {
	selector := operator.Labels(c, "cache")
	caches := &appsv1.Deployment{
		ObjectMeta: operator.Meta(c, "cache"),
		Spec: appsv1.DeploymentSpec{
			Replicas: c.Spec.Size,
			Selector: &metav1.LabelSelector{MatchLabels: selector},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: selector, Annotations: c.Spec.PodAnnotations},
				Spec: corev1.PodSpec{
					NodeSelector: c.Spec.NodeSelector, Tolerations: c.Spec.Tolerations,
					SecurityContext: c.Spec.SecurityContext,
					Containers: []corev1.Container{{
						Name: "cache", Image: c.Spec.Image, ImagePullPolicy: c.Spec.ImagePullPolicy,
						Args: []string{
							"--memory=" + strconv.Itoa(int(c.Spec.MemoryMegabytes)), "--eviction=" + c.Spec.Eviction,
						},
						Ports:     []corev1.ContainerPort{{Name: "cache", ContainerPort: 11211}},
						Resources: c.Spec.Resources, ReadinessProbe: c.Spec.ReadinessProbe,
					}},
				},
			},
		},
	}
	out := []client.Object{caches, service(c)}
	if c.Spec.Disruption != nil {
		out = append(out, &policyv1.PodDisruptionBudget{
			ObjectMeta: operator.Meta(c, "cache"),
			Spec: policyv1.PodDisruptionBudgetSpec{
				MaxUnavailable: c.Spec.Disruption.MaxUnavailable,
				Selector:       &metav1.LabelSelector{MatchLabels: selector},
			},
		})
	}
	return out
}

func service(c *Cache) *corev1.Service {
	wanted := c.Spec.Service
	out := &corev1.Service{
		ObjectMeta: operator.Meta(c, "cache"),
		Spec: corev1.ServiceSpec{
			Type: wanted.Type, Selector: operator.Labels(c, "cache"),
			Ports: []corev1.ServicePort{{Name: "cache", Port: wanted.Port, TargetPort: intstr.FromString("cache")}},
		},
	}
	out.Annotations = wanted.Annotations
	if wanted.Type != corev1.ServiceTypeClusterIP {
		out.Spec.ExternalTrafficPolicy = wanted.ExternalTrafficPolicy
	}
	if wanted.Type == corev1.ServiceTypeLoadBalancer {
		out.Spec.LoadBalancerSourceRanges = wanted.LoadBalancerSourceRanges
	}
	return out
}
