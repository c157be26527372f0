package fluentbit

import (
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Collector is what users ask for: a FluentBit on each node. Defaults and bounds are in crd.yaml.
type Collector struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              CollectorSpec `json:"spec,omitempty"`
}

// CollectorSpec is how it is to be.
type CollectorSpec struct {
	// Config is the name of the Secret with its configuration, which is that of a Config.
	Config      string                      `json:"config,omitempty"`
	Image       string                      `json:"image,omitempty"`
	Args        []string                    `json:"args,omitempty"`
	MetricsPort int32                       `json:"metricsPort,omitempty"`
	Resources   corev1.ResourceRequirements `json:"resources,omitzero"`
	Affinity    *corev1.Affinity            `json:"affinity,omitempty"`
	Tolerations []corev1.Toleration         `json:"tolerations,omitempty"`
	// Labels and Annotations are of everything, and NodeSelector and PriorityClass of the pods.
	Labels        map[string]string `json:"labels,omitempty"`
	Annotations   map[string]string `json:"annotations,omitempty"`
	NodeSelector  map[string]string `json:"nodeSelector,omitempty"`
	PriorityClass string            `json:"priorityClassName,omitempty"`
	HostNetwork   bool              `json:"hostNetwork,omitempty"`
	// ContainerLogs is where nodes have the logs.
	ContainerLogs string `json:"containerLogRealPath,omitempty"`
}

// CollectorList is many of them.
type CollectorList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Collector `json:"items"`
}

// DeepCopyObject is part of runtime.Object.
func (c *Collector) DeepCopyObject() runtime.Object {
	out := *c
	out.ObjectMeta = *c.ObjectMeta.DeepCopy()
	s := &out.Spec
	s.Args = append([]string(nil), s.Args...)
	s.Resources = *s.Resources.DeepCopy()
	s.Affinity = s.Affinity.DeepCopy()
	s.Tolerations = nil
	for i := range c.Spec.Tolerations {
		s.Tolerations = append(s.Tolerations, *c.Spec.Tolerations[i].DeepCopy())
	}
	s.Labels, s.Annotations, s.NodeSelector = maps.Clone(s.Labels), maps.Clone(s.Annotations), maps.Clone(s.NodeSelector)
	return &out
}

// DeepCopyObject is part of runtime.Object.
func (l *CollectorList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopyObject().(*Collector))
	}
	return &out
}

// Config is the configuration of collectors.
type Config struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ConfigSpec `json:"spec,omitempty"`
}

// ConfigSpec are the files of FluentBit.
type ConfigSpec struct {
	FluentBit string `json:"fluentBit,omitempty"`
	Parsers   string `json:"parsers,omitempty"`
}

// ConfigList is many of them.
type ConfigList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Config `json:"items"`
}

// DeepCopyObject is part of runtime.Object.
func (c *Config) DeepCopyObject() runtime.Object {
	out := *c
	out.ObjectMeta = *c.ObjectMeta.DeepCopy()
	return &out
}

// DeepCopyObject is part of runtime.Object.
func (l *ConfigList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopyObject().(*Config))
	}
	return &out
}

var (
	version       = schema.GroupVersion{Group: "fluentbit.example.com", Version: "v1"}
	collectorKind = version.WithKind("Collector")
	configKind    = version.WithKind("Config")
)

// Scheme has the types of the operator.
func Scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	s.AddKnownTypes(version, &Collector{}, &CollectorList{}, &Config{}, &ConfigList{})
	metav1.AddToGroupVersion(s, version)
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, appsv1.AddToScheme, rbacv1.AddToScheme} {
		_ = add(s) // adds types, and never fails
	}
	return s
}
