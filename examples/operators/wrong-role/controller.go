// Package wrongrole is an operator for a store of documents with two roles: coordinators,
// which take requests, and those that have the data.
//
// +groupName=example.com
// +versionName=v1
package wrongrole

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// DocumentStore is the custom resource.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type DocumentStore struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   DocumentStoreSpec `json:"spec"`
	Status operator.Status   `json:"status,omitempty"`
}

// DocumentStoreSpec is what the user asks for.
type DocumentStoreSpec struct {
	// Image is what all pods run.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:default="registry.example.com/documents:3.3"
	Image string `json:"image,omitempty"`
	// Coordinators take requests.
	// +kubebuilder:default={}
	Coordinators Role `json:"coordinators,omitempty"`
	// Data have the documents.
	// +kubebuilder:default={}
	Data Role `json:"data,omitempty"`
}

// Role is how pods of one role are to be.
type Role struct {
	// Replicas is how many there are.
	// +kubebuilder:validation:Minimum=2
	// +kubebuilder:validation:Maximum=20
	// +kubebuilder:default=2
	Replicas *int32 `json:"replicas,omitempty"`
	// Port is where they listen.
	// +kubebuilder:validation:Minimum=1024
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:default=7000
	Port int32 `json:"port,omitempty"`
	// HeapMegabytes is the heap of each.
	// +kubebuilder:validation:Minimum=64
	// +kubebuilder:validation:MultipleOf=64
	// +kubebuilder:default=256
	HeapMegabytes int32 `json:"heapMegabytes,omitempty"`
	// Resources are what each may use.
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// NodeSelector says where they may run.
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
	// Tolerations say of which nodes that others are kept from.
	Tolerations []corev1.Toleration `json:"tolerations,omitempty"`
	// Annotations are for the pods.
	Annotations map[string]string `json:"annotations,omitempty"`
	// Env are more variables.
	// +listType=map
	// +listMapKey=name
	Env []corev1.EnvVar `json:"env,omitempty"`
}

// DeepCopyObject is part of runtime.Object.
func (s *DocumentStore) DeepCopyObject() runtime.Object { return operator.Copy(s) }

// Observed is part of operator.Resource.
func (s *DocumentStore) Observed() *operator.Status { return &s.Status }

// Sample is the operator.
var Sample = operator.Sample{Buggy: buggy(), Fixed: fixed()}

// base is the operator, with the tolerations of the pods that have the data.
func base(tolerations func(DocumentStoreSpec) []corev1.Toleration) operator.Operator {
	return operator.Operator{
		Kind: "DocumentStore", Resource: &DocumentStore{},
		Children: operator.For(func(s *DocumentStore) []client.Object {
			return children(s, tolerations(s.Spec))
		}),
	}
}

func children(s *DocumentStore, tolerations []corev1.Toleration) []client.Object {
	coordinators := template(s, "coordinator", s.Spec.Coordinators)
	data := template(s, "data", s.Spec.Data)
	data.Spec.Tolerations = tolerations
	peers := service(s, "data", s.Spec.Data)
	peers.Spec.ClusterIP, peers.Spec.PublishNotReadyAddresses = corev1.ClusterIPNone, true
	return []client.Object{
		service(s, "coordinator", s.Spec.Coordinators), peers,
		&appsv1.Deployment{
			ObjectMeta: operator.Meta(s, "coordinator"),
			Spec: appsv1.DeploymentSpec{
				Replicas: s.Spec.Coordinators.Replicas, Template: coordinators,
				Selector: &metav1.LabelSelector{MatchLabels: operator.Labels(s, "coordinator")},
			},
		},
		&appsv1.StatefulSet{
			ObjectMeta: operator.Meta(s, "data"),
			Spec: appsv1.StatefulSetSpec{
				Replicas: s.Spec.Data.Replicas, Template: data, ServiceName: peers.Name,
				PodManagementPolicy: appsv1.ParallelPodManagement,
				Selector:            &metav1.LabelSelector{MatchLabels: operator.Labels(s, "data")},
			},
		},
	}
}

func service(s *DocumentStore, name string, role Role) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: operator.Meta(s, name),
		Spec: corev1.ServiceSpec{
			Selector: operator.Labels(s, name),
			Ports:    []corev1.ServicePort{{Name: "documents", Port: role.Port}},
		},
	}
}
