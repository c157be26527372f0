package operator

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// version is the API version of all custom resources of the samples.
var version = schema.GroupVersion{Group: "example.com", Version: "v1"}

// empty is a resource of a kind of which nothing is known.
func empty(kind string) *unstructured.Unstructured {
	out := &unstructured.Unstructured{}
	out.SetGroupVersionKind(version.WithKind(kind))
	return out
}

// decode reads a part of JSON that was read already into something typed.
func decode(from, into any) error {
	data, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

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

// Copy gives a copy that has nothing in common with the object, which has to be one that
// can be JSON.
func Copy[T any](object *T) *T {
	out := new(T)
	if err := decode(object, out); err != nil {
		panic(err) // a mistake of the program: types without a form in JSON
	}
	return out
}
