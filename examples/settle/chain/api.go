package chain

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Deployment asks for as many Pods of a version.
type Deployment struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec `json:"spec,omitempty"`
}

// ReplicaSet has as many Pods of a version, and says how many there are.
type ReplicaSet struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec             `json:"spec,omitempty"`
	Status            ReplicaSetStatus `json:"status,omitempty"`
}

// Spec is what both say of their Pods.
type Spec struct {
	Replicas int    `json:"replicas"`
	Version  string `json:"version"`
}

// ReplicaSetStatus is what its controller notes.
type ReplicaSetStatus struct {
	Replicas int `json:"replicas,omitempty"`
}

// Pod runs a version.
type Pod struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              PodSpec `json:"spec,omitempty"`
}

// PodSpec is what it runs.
type PodSpec struct {
	Version string `json:"version"`
}

// DeploymentList is many of them.
type DeploymentList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Deployment `json:"items"`
}

// ReplicaSetList is many of them.
type ReplicaSetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ReplicaSet `json:"items"`
}

// PodList is many of them.
type PodList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Pod `json:"items"`
}

// DeepCopyObject is part of runtime.Object.
func (d *Deployment) DeepCopyObject() runtime.Object {
	out := *d
	out.ObjectMeta = *d.ObjectMeta.DeepCopy()
	return &out
}

// DeepCopyObject is part of runtime.Object.
func (s *ReplicaSet) DeepCopyObject() runtime.Object {
	out := *s
	out.ObjectMeta = *s.ObjectMeta.DeepCopy()
	return &out
}

// DeepCopyObject is part of runtime.Object.
func (p *Pod) DeepCopyObject() runtime.Object {
	out := *p
	out.ObjectMeta = *p.ObjectMeta.DeepCopy()
	return &out
}

// DeepCopyObject is part of runtime.Object.
func (l *DeploymentList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopyObject().(*Deployment))
	}
	return &out
}

// DeepCopyObject is part of runtime.Object.
func (l *ReplicaSetList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopyObject().(*ReplicaSet))
	}
	return &out
}

// DeepCopyObject is part of runtime.Object.
func (l *PodList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopyObject().(*Pod))
	}
	return &out
}

var version = schema.GroupVersion{Group: "example.com", Version: "v1"}

// Scheme has the types of the controllers.
func Scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	s.AddKnownTypes(version, &Deployment{}, &DeploymentList{}, &ReplicaSet{}, &ReplicaSetList{}, &Pod{}, &PodList{})
	metav1.AddToGroupVersion(s, version)
	return s
}
