// Package hopefulstatus is an operator for ledgers: a StatefulSet and the Service that its pods are known by.
//
// +groupName=example.com
// +versionName=v1
package hopefulstatus

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// Ledger is the custom resource.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Ledger struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   LedgerSpec      `json:"spec"`
	Status operator.Status `json:"status,omitempty"`
}

// LedgerSpec is what the user asks for.
type LedgerSpec struct {
	// Replicas is how many members the ledger has.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=9
	// +kubebuilder:default=3
	Replicas *int32 `json:"replicas,omitempty"`
	// Image is what they run.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:default="registry.example.com/ledger:2.1"
	Image string `json:"image,omitempty"`
	// Port is where they speak to each other.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:default=7000
	Port int32 `json:"port,omitempty"`
	// Sync tells whether a write waits for the disk.
	Sync bool `json:"sync,omitempty"`
	// Resources are what each of them may use.
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// NodeSelector says where they may run.
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
}

// DeepCopyObject is part of runtime.Object.
func (r *Ledger) DeepCopyObject() runtime.Object { return operator.Copy(r) }

// Observed is part of operator.Resource.
func (r *Ledger) Observed() *operator.Status { return &r.Status }

// Sample is the operator.
var Sample = operator.Sample{Buggy: buggy(), Fixed: fixed()}

func base() operator.Operator {
	return operator.Operator{
		Kind: "Ledger", Resource: &Ledger{},
		Children: operator.For(func(l *Ledger) []client.Object { return []client.Object{service(l), members(l)} }),
	}
}

func service(l *Ledger) *corev1.Service {
	out := &corev1.Service{ObjectMeta: operator.Meta(l, "member")}
	out.Spec.ClusterIP = corev1.ClusterIPNone
	out.Spec.Selector = operator.Labels(l, "member")
	out.Spec.Ports = []corev1.ServicePort{{Name: "peers", Port: l.Spec.Port, TargetPort: intstr.FromString("peers")}}
	return out
}

func members(l *Ledger) *appsv1.StatefulSet {
	arguments := []string{}
	if l.Spec.Sync {
		arguments = append(arguments, "--sync")
	}
	return &appsv1.StatefulSet{
		ObjectMeta: operator.Meta(l, "member"),
		Spec: appsv1.StatefulSetSpec{
			Replicas: l.Spec.Replicas, ServiceName: operator.Meta(l, "member").Name,
			PodManagementPolicy: appsv1.ParallelPodManagement,
			Selector:            &metav1.LabelSelector{MatchLabels: operator.Labels(l, "member")},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: operator.Labels(l, "member")},
				Spec: corev1.PodSpec{
					NodeSelector: l.Spec.NodeSelector,
					Containers: []corev1.Container{{
						Name: "ledger", Image: l.Spec.Image, Args: arguments, Resources: l.Spec.Resources,
						Ports: []corev1.ContainerPort{{Name: "peers", ContainerPort: l.Spec.Port}},
					}},
				},
			},
		},
	}
}
