package zookeeper

import (
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Cluster is what users ask for. Defaults and bounds are in crd.yaml.
type Cluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ClusterSpec   `json:"spec,omitempty"`
	Status            ClusterStatus `json:"status,omitempty"`
}

// ClusterSpec is how the servers are to be.
type ClusterSpec struct {
	Replicas    int32                       `json:"replicas,omitempty"`
	Image       string                      `json:"image,omitempty"`
	Ports       Ports                       `json:"ports,omitzero"`
	Config      Config                      `json:"config,omitzero"`
	Persistence Persistence                 `json:"persistence,omitzero"`
	Resources   corev1.ResourceRequirements `json:"resources,omitzero"`
	Affinity    *corev1.Affinity            `json:"affinity,omitempty"`
	Tolerations []corev1.Toleration         `json:"tolerations,omitempty"`
	// Labels and Annotations are of everything, and NodeSelector and PodAnnotations of the pods.
	Labels         map[string]string `json:"labels,omitempty"`
	Annotations    map[string]string `json:"annotations,omitempty"`
	NodeSelector   map[string]string `json:"nodeSelector,omitempty"`
	PodAnnotations map[string]string `json:"podAnnotations,omitempty"`
}

// Ports are those of each server.
type Ports struct {
	Client         int32 `json:"client,omitempty"`
	Quorum         int32 `json:"quorum,omitempty"`
	LeaderElection int32 `json:"leaderElection,omitempty"`
	Metrics        int32 `json:"metrics,omitempty"`
	AdminServer    int32 `json:"adminServer,omitempty"`
}

// Config are the parameters of zoo.cfg by their names there.
type Config struct {
	InitLimit               int64 `json:"initLimit,omitempty"`
	TickTime                int64 `json:"tickTime,omitempty"`
	SyncLimit               int64 `json:"syncLimit,omitempty"`
	GlobalOutstandingLimit  int64 `json:"globalOutstandingLimit,omitempty"`
	PreAllocSize            int64 `json:"preAllocSize,omitempty"`
	SnapCount               int64 `json:"snapCount,omitempty"`
	CommitLogCount          int64 `json:"commitLogCount,omitempty"`
	SnapSizeLimitInKb       int64 `json:"snapSizeLimitInKb,omitempty"`
	MaxCnxns                int64 `json:"maxCnxns,omitempty"`
	MaxClientCnxns          int64 `json:"maxClientCnxns,omitempty"`
	MinSessionTimeout       int64 `json:"minSessionTimeout,omitempty"`
	MaxSessionTimeout       int64 `json:"maxSessionTimeout,omitempty"`
	SnapRetainCount         int64 `json:"autopurgeSnapRetainCount,omitempty"`
	PurgeInterval           int64 `json:"autopurgePurgeInterval,omitempty"`
	FsyncWarningThresholdMs int64 `json:"fsyncWarningThresholdMs,omitempty"`
	MaxResponseCacheSize    int64 `json:"maxResponseCacheSize,omitempty"`
	QuorumListenOnAllIPs    bool  `json:"quorumListenOnAllIPs,omitempty"`
}

// Persistence is where the data of a server is: in a volume of its own, or with the pod only. It
// cannot be changed, since the claims of a StatefulSet cannot.
type Persistence struct {
	Enabled          *bool   `json:"enabled,omitempty"`
	StorageSize      string  `json:"storageSize,omitempty"`
	StorageClassName *string `json:"storageClassName,omitempty"`
}

// ClusterStatus is what the operator says.
type ClusterStatus struct {
	Replicas      int32 `json:"replicas,omitempty"`
	ReadyReplicas int32 `json:"readyReplicas,omitempty"`
}

// ClusterList is many of them.
type ClusterList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Cluster `json:"items"`
}

// DeepCopyObject is part of runtime.Object.
func (c *Cluster) DeepCopyObject() runtime.Object {
	out := *c
	out.ObjectMeta = *c.ObjectMeta.DeepCopy()
	s := &out.Spec
	s.Resources = *s.Resources.DeepCopy()
	s.Affinity = s.Affinity.DeepCopy()
	s.Tolerations = nil
	for i := range c.Spec.Tolerations {
		s.Tolerations = append(s.Tolerations, *c.Spec.Tolerations[i].DeepCopy())
	}
	for _, m := range []*map[string]string{&s.Labels, &s.Annotations, &s.NodeSelector, &s.PodAnnotations} {
		*m = maps.Clone(*m)
	}
	s.Persistence.Enabled = copyOf(s.Persistence.Enabled)
	s.Persistence.StorageClassName = copyOf(s.Persistence.StorageClassName)
	return &out
}

func copyOf[T any](p *T) *T {
	if p == nil {
		return nil
	}
	out := *p
	return &out
}

// DeepCopyObject is part of runtime.Object.
func (l *ClusterList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopyObject().(*Cluster))
	}
	return &out
}

var (
	version = schema.GroupVersion{Group: "zookeeper.example.com", Version: "v1"}
	kind    = version.WithKind("Cluster")
)

// Scheme has the types of the operator.
func Scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	s.AddKnownTypes(version, &Cluster{}, &ClusterList{})
	metav1.AddToGroupVersion(s, version)
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, appsv1.AddToScheme} {
		_ = add(s) // adds types, and never fails
	}
	return s
}
