// Package shareddefault is an operator for queues of work: a Deployment of workers, whose
// settings are usual ones and those of the user.
//
// +groupName=example.com
// +versionName=v1
package shareddefault

import (
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// WorkQueue is the custom resource.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type WorkQueue struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WorkQueueSpec   `json:"spec"`
	Status operator.Status `json:"status,omitempty"`
}

// WorkQueueSpec is what the user asks for.
type WorkQueueSpec struct {
	// Workers is how many work on it.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=20
	// +kubebuilder:default=2
	Workers *int32 `json:"workers,omitempty"`
	// Image is what they run.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:default="registry.example.com/worker:1.0"
	Image string `json:"image,omitempty"`
	// Settings are environment variables of the workers, beside the usual ones and
	// before them.
	// +kubebuilder:validation:MaxProperties=50
	Settings map[string]string `json:"settings,omitempty"`
	// Order is which work comes first.
	// +kubebuilder:validation:Enum=Oldest;Newest;Priority
	// +kubebuilder:default=Oldest
	Order string `json:"order,omitempty"`
	// ProgressDeadlineSeconds is after what time a rollout counts as failed.
	// +kubebuilder:validation:Minimum=60
	// +kubebuilder:validation:Maximum=3600
	// +kubebuilder:default=600
	ProgressDeadlineSeconds *int32 `json:"progressDeadlineSeconds,omitempty"`
	// Resources are what each worker may use.
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// Tolerations say of which nodes that others are kept from.
	Tolerations []corev1.Toleration `json:"tolerations,omitempty"`
	// TopologySpread says how workers are spread.
	// +listType=map
	// +listMapKey=topologyKey
	TopologySpread []Spread `json:"topologySpread,omitempty"`
	// PriorityClassName is that of the workers.
	PriorityClassName string `json:"priorityClassName,omitempty"`
}

// Spread says how workers are spread over one topology.
type Spread struct {
	// +kubebuilder:validation:MinLength=1
	TopologyKey string `json:"topologyKey"`
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:default=1
	MaxSkew int32 `json:"maxSkew,omitempty"`
}

// DeepCopyObject is part of runtime.Object.
func (q *WorkQueue) DeepCopyObject() runtime.Object { return operator.Copy(q) }

// Observed is part of operator.Resource.
func (q *WorkQueue) Observed() *operator.Status { return &q.Status }

// Sample is the operator.
var Sample = operator.Sample{Buggy: buggy(), Fixed: fixed()}

// usual are settings of all workers.
var usual = map[string]string{"BATCH": "16", "RETRIES": "3", "TIMEOUT": "30s"}

// base is the operator, with how the settings of a user and the usual ones go together.
func base(together func(settings map[string]string) map[string]string) operator.Operator {
	return operator.Operator{
		Kind: "WorkQueue", Resource: &WorkQueue{},
		Children: operator.For(func(q *WorkQueue) []client.Object {
			return []client.Object{workers(q, together(q.Spec.Settings))}
		}),
	}
}

func workers(q *WorkQueue, settings map[string]string) *appsv1.Deployment {
	worker := corev1.Container{
		Name: "worker", Image: q.Spec.Image, Resources: q.Spec.Resources, Args: []string{"--order=" + q.Spec.Order},
	}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		worker.Env = append(worker.Env, corev1.EnvVar{Name: name, Value: settings[name]})
	}
	pod := corev1.PodSpec{
		Tolerations: q.Spec.Tolerations, PriorityClassName: q.Spec.PriorityClassName,
		Containers: []corev1.Container{worker},
	}
	selector := &metav1.LabelSelector{MatchLabels: operator.Labels(q, "worker")}
	for _, spread := range q.Spec.TopologySpread {
		pod.TopologySpreadConstraints = append(pod.TopologySpreadConstraints, corev1.TopologySpreadConstraint{
			TopologyKey: spread.TopologyKey, MaxSkew: spread.MaxSkew,
			WhenUnsatisfiable: corev1.ScheduleAnyway, LabelSelector: selector,
		})
	}
	return &appsv1.Deployment{
		ObjectMeta: operator.Meta(q, "worker"),
		Spec: appsv1.DeploymentSpec{
			Replicas: q.Spec.Workers, Selector: selector,
			ProgressDeadlineSeconds: q.Spec.ProgressDeadlineSeconds,
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: operator.Labels(q, "worker")}, Spec: pod,
			},
		},
	}
}
