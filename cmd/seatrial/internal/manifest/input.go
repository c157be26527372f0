package manifest

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	schedulerconfig "k8s.io/kubernetes/pkg/scheduler/apis/config"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/finding"
)

// Object is an API object with the place it came from.
type Object[T any] struct {
	// Value is decoded strictly, defaulted and validated as the API server does.
	Value T
	// Raw is the document as JSON, before defaulting (what an apply would send).
	Raw []byte
	// Source finds the lines of the document's fields.
	Source *Source
}

// Input is everything that was loaded.
type Input struct {
	Deployments       []Object[*appsv1.Deployment]
	ReplicaSets       []Object[*appsv1.ReplicaSet]
	Pods              []Object[*corev1.Pod]
	Autoscalers       []Object[*autoscalingv2.HorizontalPodAutoscaler]
	DisruptionBudgets []Object[*policyv1.PodDisruptionBudget]
	Nodes             []Object[*corev1.Node]
	Namespaces        []Object[*corev1.Namespace]
	PriorityClasses   []Object[*schedulingv1.PriorityClass]
	Services          []Object[*corev1.Service]
	SchedulerConfig   *Object[*schedulerconfig.KubeSchedulerConfiguration]
	DeschedulerPolicy *Object[[]byte] // the document as JSON
	Scenario          *Object[*scenario.Scenario]
	// LeftOut is what was read and is not part of the model.
	LeftOut []LeftOut
	// Warnings do not stop a check.
	Warnings []finding.Warning
	// Ignores are what objects say of findings about them.
	Ignores []Ignore
	// Files is the number of files read, and Digests what each of them held.
	Files   int
	Digests []Digest

	// later are the objects that events and appliers write.
	later later
	// texts are the files that were read, by their names in locations.
	texts map[string][]byte
	// from is what With loads again.
	from source
}

// Text is a file that was read, by its name in locations.
func (in *Input) Text(file string) ([]byte, bool) {
	data, ok := in.texts[file]
	return data, ok
}

// later are objects that are not there, or not so, from the start.
type later struct {
	Deployments       []Object[*appsv1.Deployment]
	Autoscalers       []Object[*autoscalingv2.HorizontalPodAutoscaler]
	DisruptionBudgets []Object[*policyv1.PodDisruptionBudget]
}

// LeftOut is an object (or a field of one) that the model does not cover.
type LeftOut struct {
	// Name identifies it, and is what a user writes to accept it:
	// Kind/namespace/name, with :field.path for a field.
	Name     string
	Location finding.Location
	// Reason says why in a few words.
	Reason string
	// Raw is the object as JSON, for judging whether it could matter.
	Raw             []byte
	Kind, Namespace string
	// Field is the path of a field that is left out of an object that is
	// modelled otherwise; empty for a whole object.
	Field string
	// held are the pods of a controller that the check holds as they are given.
	held []*corev1.Pod
	// unread: it could not be read, and blocking says whether that matters.
	unread, blocking bool
}
