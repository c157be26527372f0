package zookeeperlike

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ZooKeeper is an ensemble.
type ZooKeeper struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ZooKeeperSpec `json:"spec,omitempty"`
}

// ZooKeeperSpec is what users say of it.
type ZooKeeperSpec struct {
	// Replicas is how many members it has.
	Replicas int32 `json:"replicas"`
	// Config is the text of zoo.cfg.
	Config string `json:"config,omitempty"`
}

// ZooKeeperList is many of them.
type ZooKeeperList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ZooKeeper `json:"items"`
}

// DeepCopyObject is part of runtime.Object.
func (z *ZooKeeper) DeepCopyObject() runtime.Object {
	out := *z
	out.ObjectMeta = *z.ObjectMeta.DeepCopy()
	return &out
}

// DeepCopyObject is part of runtime.Object.
func (l *ZooKeeperList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopyObject().(*ZooKeeper))
	}
	return &out
}

var version = schema.GroupVersion{Group: "example.com", Version: "v1"}

// Scheme has the types of the operator.
func Scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	s.AddKnownTypes(version, &ZooKeeper{}, &ZooKeeperList{})
	metav1.AddToGroupVersion(s, version)
	_, _ = corev1.AddToScheme(s), appsv1.AddToScheme(s) // they add types, and never fail
	return s
}
