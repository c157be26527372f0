package rabbitmq

import (
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Broker is what users ask for. Defaults and bounds are in crd.yaml; replicas never become fewer.
type Broker struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              BrokerSpec `json:"spec,omitempty"`
}

// BrokerSpec is how the servers are to be.
type BrokerSpec struct {
	Replicas    int32                       `json:"replicas,omitempty"`
	Image       string                      `json:"image,omitempty"`
	Config      Config                      `json:"config,omitzero"`
	Persistence Persistence                 `json:"persistence,omitzero"`
	Resources   corev1.ResourceRequirements `json:"resources,omitzero"`
	Affinity    *corev1.Affinity            `json:"affinity,omitempty"`
	Tolerations []corev1.Toleration         `json:"tolerations,omitempty"`
	// Labels and Annotations are of everything.
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
	// PodManagement is how pods are begun, and Retention what becomes of their claims.
	PodManagement appsv1.PodManagementPolicyType                          `json:"podManagementPolicy,omitempty"`
	Retention     *appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy `json:"persistentVolumeClaimRetentionPolicy,omitempty"`
}

// Config is what servers are told, in three files, and which plugins they have.
type Config struct {
	Additional string   `json:"additionalConfig,omitempty"`
	Advanced   string   `json:"advancedConfig,omitempty"`
	Env        string   `json:"envConfig,omitempty"`
	Plugins    []string `json:"additionalPlugins,omitempty"`
}

// Persistence is the volume of a server.
type Persistence struct {
	Storage          string  `json:"storage,omitempty"`
	StorageClassName *string `json:"storageClassName,omitempty"`
}

// BrokerList is many of them.
type BrokerList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Broker `json:"items"`
}

// DeepCopyObject is part of runtime.Object.
func (b *Broker) DeepCopyObject() runtime.Object {
	out := *b
	out.ObjectMeta = *b.ObjectMeta.DeepCopy()
	s := &out.Spec
	s.Resources = *s.Resources.DeepCopy()
	s.Affinity = s.Affinity.DeepCopy()
	s.Retention = s.Retention.DeepCopy()
	s.Tolerations = nil
	for i := range b.Spec.Tolerations {
		s.Tolerations = append(s.Tolerations, *b.Spec.Tolerations[i].DeepCopy())
	}
	s.Config.Plugins = append([]string(nil), s.Config.Plugins...)
	s.Labels, s.Annotations = maps.Clone(s.Labels), maps.Clone(s.Annotations)
	if class := s.Persistence.StorageClassName; class != nil {
		name := *class
		s.Persistence.StorageClassName = &name
	}
	return &out
}

// DeepCopyObject is part of runtime.Object.
func (l *BrokerList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopyObject().(*Broker))
	}
	return &out
}

var (
	version = schema.GroupVersion{Group: "rabbitmq.example.com", Version: "v1"}
	kind    = version.WithKind("Broker")
)

// Scheme has the types of the operator.
func Scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	s.AddKnownTypes(version, &Broker{}, &BrokerList{})
	metav1.AddToGroupVersion(s, version)
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, appsv1.AddToScheme, rbacv1.AddToScheme} {
		_ = add(s) // adds types, and never fails
	}
	return s
}
