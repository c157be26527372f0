// Package leftexporter is an operator for stores of keys and values: a StatefulSet, a
// Service for each replica, and an exporter of metrics if one is asked for.
//
// +groupName=example.com
// +versionName=v1
package leftexporter

import (
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

// KeyStore is the custom resource.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type KeyStore struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   KeyStoreSpec    `json:"spec"`
	Status operator.Status `json:"status,omitempty"`
}

// KeyStoreSpec is what the user asks for.
type KeyStoreSpec struct {
	// Replicas is how many there are.
	// +kubebuilder:validation:Minimum=2
	// +kubebuilder:validation:Maximum=9
	// +kubebuilder:default=3
	Replicas *int32 `json:"replicas,omitempty"`
	// Image is what they run.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:default="registry.example.com/keys:7.2"
	Image string `json:"image,omitempty"`
	// Exporter gives the metrics of the store.
	// +kubebuilder:default={}
	Exporter Exporter `json:"exporter,omitempty"`
	// DisruptionBudget keeps all but one of the replicas from being away on purpose.
	// +kubebuilder:default=false
	DisruptionBudget bool `json:"disruptionBudget,omitempty"`
	// Storage is where the replicas keep what they know; nil is in memory.
	Storage *Storage `json:"storage,omitempty"`
	// Resources are what each replica may use.
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// Tolerations say of which nodes that others are kept from.
	Tolerations []corev1.Toleration `json:"tolerations,omitempty"`
	// Sidecars run beside each replica.
	// +kubebuilder:validation:MaxItems=5
	// +listType=map
	// +listMapKey=name
	Sidecars []Sidecar `json:"sidecars,omitempty"`
}

// Exporter gives the metrics of the store.
type Exporter struct {
	// +kubebuilder:default=false
	Enabled bool `json:"enabled,omitempty"`
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:default="registry.example.com/exporter:1.1"
	Image string `json:"image,omitempty"`
	// +kubebuilder:validation:Minimum=1024
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:default=9121
	Port      int32                       `json:"port,omitempty"`
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// ServiceLabels are for the Service, so that it is found.
	ServiceLabels map[string]string `json:"serviceLabels,omitempty"`
}

// Storage is where the replicas keep what they know, as long as their pod lives.
type Storage struct {
	// +kubebuilder:validation:Enum="";Memory
	Medium corev1.StorageMedium `json:"medium,omitempty"`
	// SizeMegabytes is how much that may be.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100000
	// +kubebuilder:default=100
	SizeMegabytes int64 `json:"sizeMegabytes,omitempty"`
}

// Sidecar runs beside a replica.
type Sidecar struct {
	// +kubebuilder:validation:Pattern=`^[a-z]([-a-z0-9]*[a-z0-9])?$`
	// +kubebuilder:validation:MaxLength=40
	Name string `json:"name"`
	// +kubebuilder:validation:MinLength=1
	Image string   `json:"image"`
	Args  []string `json:"args,omitempty"`
}

// DeepCopyObject is part of runtime.Object.
func (s *KeyStore) DeepCopyObject() runtime.Object { return operator.Copy(s) }

// Observed is part of operator.Resource.
func (s *KeyStore) Observed() *operator.Status { return &s.Status }

// Sample is the operator.
var Sample = operator.Sample{Buggy: buggy(), Fixed: fixed()}

func base() operator.Operator {
	return operator.Operator{
		Kind: "KeyStore", Resource: &KeyStore{}, Children: operator.For(children),
	}
}

func children(s *KeyStore) []client.Object {
	peers := &corev1.Service{ObjectMeta: operator.Meta(s, "peers")}
	peers.Spec.ClusterIP, peers.Spec.Selector = corev1.ClusterIPNone, operator.Labels(s, "store")
	peers.Spec.Ports = []corev1.ServicePort{{Name: "keys", Port: 6379}}
	set := stores(s, peers.Name)
	out := []client.Object{peers, set}
	for ordinal := range *s.Spec.Replicas {
		one := &corev1.Service{ObjectMeta: operator.Meta(s, fmt.Sprintf("replica-%d", ordinal))}
		one.Spec.Selector = map[string]string{appsv1.StatefulSetPodNameLabel: fmt.Sprintf("%s-%d", set.Name, ordinal)}
		one.Spec.Ports = peers.Spec.Ports
		out = append(out, one)
	}
	if s.Spec.DisruptionBudget {
		budget := &policyv1.PodDisruptionBudget{ObjectMeta: operator.Meta(s, "store")}
		budget.Spec.MaxUnavailable = new(intstr.FromInt32(1))
		budget.Spec.Selector = &metav1.LabelSelector{MatchLabels: operator.Labels(s, "store")}
		out = append(out, budget)
	}
	if s.Spec.Exporter.Enabled {
		out = append(out, exporter(s)...)
	}
	return out
}

func stores(s *KeyStore, peers string) *appsv1.StatefulSet {
	labels := operator.Labels(s, "store")
	pod := corev1.PodSpec{
		Tolerations: s.Spec.Tolerations,
		Containers: []corev1.Container{{
			Name: "store", Image: s.Spec.Image, Resources: s.Spec.Resources,
			Ports: []corev1.ContainerPort{{Name: "keys", ContainerPort: 6379}},
		}},
	}
	if s.Spec.Storage != nil {
		pod.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{EmptyDir: s.Spec.Storage.volume()}}}
		pod.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "data", MountPath: "/data"}}
	}
	for _, sidecar := range s.Spec.Sidecars {
		pod.Containers = append(pod.Containers, corev1.Container{
			Name: "sidecar-" + sidecar.Name, Image: sidecar.Image, Args: sidecar.Args,
		})
	}
	return &appsv1.StatefulSet{
		ObjectMeta: operator.Meta(s, "store"),
		Spec: appsv1.StatefulSetSpec{
			Replicas: s.Spec.Replicas, ServiceName: peers,
			PodManagementPolicy: appsv1.ParallelPodManagement,
			Selector:            &metav1.LabelSelector{MatchLabels: labels},
			Template:            corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: pod},
		},
	}
}
