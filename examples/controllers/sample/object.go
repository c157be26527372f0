package sample

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// version is the API version of all custom resources of the samples.
var version = schema.GroupVersion{Group: "example.com", Version: "v1"}

// Object is a custom resource. Spec and Status must be flat: strings, numbers and
// booleans, no pointers, slices or maps, since an assignment is how they are copied.
type Object[Spec, Status any] struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec   Spec   `json:"spec"`
	Status Status `json:"status,omitzero"`
}

// DeepCopyObject is part of runtime.Object.
func (o *Object[Spec, Status]) DeepCopyObject() runtime.Object {
	out := *o
	o.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// List is a list of custom resources.
type List[Spec, Status any] struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`

	Items []Object[Spec, Status] `json:"items"`
}

// DeepCopyObject is part of runtime.Object.
func (l *List[Spec, Status]) DeepCopyObject() runtime.Object {
	out := *l
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = slices.Clone(l.Items)
	for i := range out.Items {
		l.Items[i].ObjectMeta.DeepCopyInto(&out.Items[i].ObjectMeta)
	}
	return &out
}

// Kind registers a kind of custom resource by its name.
func Kind[Spec, Status any](name string) func(*runtime.Scheme) error {
	return func(scheme *runtime.Scheme) error {
		scheme.AddKnownTypeWithName(version.WithKind(name), &Object[Spec, Status]{})
		scheme.AddKnownTypeWithName(version.WithKind(name+"List"), &List[Spec, Status]{})
		metav1.AddToGroupVersion(scheme, version)
		return nil
	}
}
