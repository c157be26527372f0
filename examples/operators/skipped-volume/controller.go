// Package skippedvolume is an operator for search indexes: a StatefulSet with a volume for
// each replica, which a replica fills from the others, and Services.
//
// +groupName=example.com
// +versionName=v1
package skippedvolume

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// Index is the custom resource.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=indexes
type Index struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   IndexSpec       `json:"spec"`
	Status operator.Status `json:"status,omitempty"`
}

// IndexSpec is what the user asks for.
type IndexSpec struct {
	// Replicas is how many there are that have all of the index.
	// +kubebuilder:validation:Minimum=2
	// +kubebuilder:validation:Maximum=9
	// +kubebuilder:default=3
	Replicas *int32 `json:"replicas,omitempty"`
	// Version is that of the search engine.
	// +kubebuilder:validation:Pattern=`^\d+\.\d+\.\d+$`
	// +kubebuilder:default="8.2.0"
	Version string `json:"version,omitempty"`
	// Persistence is where a replica keeps the index.
	// +kubebuilder:default={}
	Persistence Persistence `json:"persistence,omitempty"`
	// Resources are what each replica may use.
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// Affinity says where replicas may run.
	Affinity *corev1.Affinity `json:"affinity,omitempty"`
	// Env are more variables of the replicas.
	// +listType=map
	// +listMapKey=name
	Env []corev1.EnvVar `json:"env,omitempty"`
	// ServiceLabels are for the Services.
	ServiceLabels map[string]string `json:"serviceLabels,omitempty"`
}

// Persistence is where a replica keeps the index.
type Persistence struct {
	// StorageClassName is that of the volumes.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:default=disk
	StorageClassName string `json:"storageClassName,omitempty"`
	// Size is how large each volume is.
	// +kubebuilder:default="1Gi"
	Size resource.Quantity `json:"size,omitempty"`
	// AccessMode is how it is mounted.
	// +kubebuilder:validation:Enum=ReadWriteOnce;ReadWriteOncePod
	// +kubebuilder:default=ReadWriteOnce
	AccessMode corev1.PersistentVolumeAccessMode `json:"accessMode,omitempty"`
}

// DeepCopyObject is part of runtime.Object.
func (i *Index) DeepCopyObject() runtime.Object { return operator.Copy(i) }

// Observed is part of operator.Resource.
func (i *Index) Observed() *operator.Status { return &i.Status }

// Sample is the operator.
var Sample = operator.Sample{Buggy: buggy(), Fixed: fixed()}

func base() operator.Operator {
	return operator.Operator{
		Kind: "Index", Resource: &Index{}, Children: operator.For(children),
	}
}

func children(i *Index) []client.Object {
	selector := operator.Labels(i, "replica")
	peers, search := service(i, "peers", 9300), service(i, "search", 9200)
	peers.Spec.ClusterIP, peers.Spec.PublishNotReadyAddresses = corev1.ClusterIPNone, true
	return []client.Object{peers, search, &appsv1.StatefulSet{
		ObjectMeta: operator.Meta(i, "replica"),
		Spec: appsv1.StatefulSetSpec{
			Replicas: i.Spec.Replicas, ServiceName: peers.Name,
			PodManagementPolicy: appsv1.ParallelPodManagement,
			Selector:            &metav1.LabelSelector{MatchLabels: selector},
			PersistentVolumeClaimRetentionPolicy: &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{
				WhenDeleted: appsv1.DeletePersistentVolumeClaimRetentionPolicyType,
				WhenScaled:  appsv1.DeletePersistentVolumeClaimRetentionPolicyType,
			},
			VolumeClaimTemplates: []corev1.PersistentVolumeClaim{claim(i.Spec.Persistence)},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: selector},
				Spec: corev1.PodSpec{
					Affinity: i.Spec.Affinity,
					Containers: []corev1.Container{{
						Name: "search", Image: "registry.example.com/search:" + i.Spec.Version,
						Resources: i.Spec.Resources, Env: i.Spec.Env,
						VolumeMounts: []corev1.VolumeMount{{Name: "index", MountPath: "/var/lib/index"}},
					}},
				},
			},
		},
	}}
}

func service(i *Index, name string, port int32) *corev1.Service {
	out := &corev1.Service{ObjectMeta: operator.Meta(i, name)}
	operator.AddLabels(out.Labels, i.Spec.ServiceLabels)
	out.Spec.Selector = operator.Labels(i, "replica")
	out.Spec.Ports = []corev1.ServicePort{{Name: name, Port: port}}
	return out
}

func claim(p Persistence) corev1.PersistentVolumeClaim {
	return corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Name: "index"},
		Spec: corev1.PersistentVolumeClaimSpec{
			StorageClassName: &p.StorageClassName,
			AccessModes:      []corev1.PersistentVolumeAccessMode{p.AccessMode},
			Resources: corev1.VolumeResourceRequirements{
				Requests: corev1.ResourceList{corev1.ResourceStorage: p.Size},
			},
		},
	}
}
