package operator

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// version is the API version of all custom resources of the samples.
var version = schema.GroupVersion{Group: "example.com", Version: "v1"}

// Resource is a custom resource of an operator.
type Resource interface {
	client.Object
	// Observed is its status.
	Observed() *Status
}

// Status is what an operator says of a resource.
type Status struct {
	// ObservedGeneration is the generation of the resource that the rest is about.
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// Replicas is how many pods there are to be.
	Replicas int32 `json:"replicas,omitempty"`
	// ReadyReplicas is how many pods are ready.
	ReadyReplicas int32 `json:"readyReplicas,omitempty"`
	// Conditions are Accepted, whether the spec can be followed, and Available, whether
	// all pods are ready.
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// List is a list of custom resources.
type List[T any] struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`

	Items []T `json:"items"`
}

// DeepCopyObject is part of runtime.Object.
func (l *List[T]) DeepCopyObject() runtime.Object { return Copy(l) }

// Copy gives a copy that has nothing in common with the object, which has to be one that
// can be JSON.
func Copy[T any](object *T) *T {
	data, err := json.Marshal(object)
	if err != nil {
		panic(err) // a mistake of the program: types without a form in JSON
	}
	out := new(T)
	if err := json.Unmarshal(data, out); err != nil {
		panic(err)
	}
	return out
}

// Kind registers a kind of custom resource by its name.
func Kind[T any, P interface {
	*T
	Resource
}](name string) func(*runtime.Scheme) {
	return func(scheme *runtime.Scheme) {
		scheme.AddKnownTypeWithName(version.WithKind(name), P(new(T)))
		scheme.AddKnownTypeWithName(version.WithKind(name+"List"), &List[T]{})
		metav1.AddToGroupVersion(scheme, version)
	}
}
