package sample

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Database is what users ask for.
type Database struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              DatabaseSpec   `json:"spec,omitempty"`
	Status            DatabaseStatus `json:"status,omitempty"`
}

// DatabaseSpec is what users say of it.
type DatabaseSpec struct {
	// Name is that of the Secret with the password; empty if that does not matter.
	Name string `json:"name,omitempty"`
	// Replicas is how many members it has, and TLS tells whether they talk in secret.
	Replicas int32 `json:"replicas,omitempty"`
	TLS      bool  `json:"tls,omitempty"`
}

// DatabaseStatus is what the operator notes.
type DatabaseStatus struct {
	// Secret is the name of the Secret with the password.
	Secret string `json:"secret,omitempty"`
	// Bucket is the name of the bucket with the backups.
	Bucket string `json:"bucket,omitempty"`
}

// DatabaseList is many of them.
type DatabaseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Database `json:"items"`
}

// DeepCopyObject is part of runtime.Object.
func (d *Database) DeepCopyObject() runtime.Object {
	out := *d
	out.ObjectMeta = *d.ObjectMeta.DeepCopy()
	return &out
}

// DeepCopyObject is part of runtime.Object.
func (l *DatabaseList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopyObject().(*Database))
	}
	return &out
}

// Version is that of the types.
var Version = schema.GroupVersion{Group: "example.com", Version: "v1"}

// Scheme has the types of the operator.
func Scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	s.AddKnownTypes(Version, &Database{}, &DatabaseList{})
	metav1.AddToGroupVersion(s, Version)
	_, _ = corev1.AddToScheme(s), appsv1.AddToScheme(s) // they add types, and never fail
	return s
}
