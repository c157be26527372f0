// Package blockedrepair is an operator for ledgers: a StatefulSet whose replicas are
// changed with care, and Services.
//
// +groupName=example.com
// +versionName=v1
package blockedrepair

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
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
	// Members is how many there are.
	// +kubebuilder:validation:Minimum=3
	// +kubebuilder:validation:Maximum=9
	// +kubebuilder:default=3
	Members *int32 `json:"members,omitempty"`
	// Image is what they run.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:default="registry.example.com/ledger:2.6"
	Image string `json:"image,omitempty"`
	// Resources are what each member may use.
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// NodeSelector says where members may run.
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
	// Affinity says that more exactly.
	Affinity *corev1.Affinity `json:"affinity,omitempty"`
	// PodSecurityContext is that of the pods.
	PodSecurityContext *corev1.PodSecurityContext `json:"podSecurityContext,omitempty"`
	// Env are more variables of the members.
	// +listType=map
	// +listMapKey=name
	Env []corev1.EnvVar `json:"env,omitempty"`
	// StartupProbe tells when a member has started.
	StartupProbe *corev1.Probe `json:"startupProbe,omitempty"`
	// Consensus is how members agree.
	// +kubebuilder:default={}
	Consensus Consensus `json:"consensus,omitempty"`
}

// Consensus is how members agree.
type Consensus struct {
	// +kubebuilder:validation:Enum=Majority;All
	// +kubebuilder:default=Majority
	Quorum string `json:"quorum,omitempty"`
	// Heartbeat is how often the leader is heard of.
	// +kubebuilder:validation:Pattern=`^[1-9][0-9]{0,3}(ms|s)$`
	// +kubebuilder:default="500ms"
	Heartbeat string `json:"heartbeat,omitempty"`
}

// DeepCopyObject is part of runtime.Object.
func (l *Ledger) DeepCopyObject() runtime.Object { return operator.Copy(l) }

// Observed is part of operator.Resource.
func (l *Ledger) Observed() *operator.Status { return &l.Status }

// Sample is the operator.
var Sample = operator.Sample{Buggy: buggy(), Fixed: fixed()}

func base() operator.Operator {
	return operator.Operator{
		Kind: "Ledger", Resource: &Ledger{}, Children: operator.For(children),
	}
}

func children(l *Ledger) []client.Object {
	labels := operator.Labels(l, "member")
	service := func(name string) *corev1.Service {
		out := &corev1.Service{ObjectMeta: operator.Meta(l, name)}
		out.Spec.Selector = labels
		out.Spec.Ports = []corev1.ServicePort{{Name: "ledger", Port: 8200}}
		return out
	}
	peers := service("peers")
	peers.Spec.ClusterIP, peers.Spec.PublishNotReadyAddresses = corev1.ClusterIPNone, true
	return []client.Object{peers, service("ledger"), &appsv1.StatefulSet{
		ObjectMeta: operator.Meta(l, "member"),
		Spec: appsv1.StatefulSetSpec{
			Replicas: l.Spec.Members, ServiceName: peers.Name,
			PodManagementPolicy: appsv1.ParallelPodManagement,
			Selector:            &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					NodeSelector: l.Spec.NodeSelector, Affinity: l.Spec.Affinity,
					SecurityContext: l.Spec.PodSecurityContext,
					Containers: []corev1.Container{{
						Name: "member", Image: l.Spec.Image, Resources: l.Spec.Resources, Env: l.Spec.Env,
						Args:         []string{"--quorum=" + l.Spec.Consensus.Quorum, "--heartbeat=" + l.Spec.Consensus.Heartbeat},
						Ports:        []corev1.ContainerPort{{Name: "ledger", ContainerPort: 8200}},
						StartupProbe: l.Spec.StartupProbe,
					}},
				},
			},
		},
	}}
}
