// Package keptannotation is an operator for message brokers: a StatefulSet, a Service for
// clients and one for the brokers themselves, and their configuration.
//
// +groupName=example.com
// +versionName=v1
package keptannotation

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// Broker is the custom resource.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Broker struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   BrokerSpec      `json:"spec"`
	Status operator.Status `json:"status,omitempty"`
}

// BrokerSpec is what the user asks for.
type BrokerSpec struct {
	// Replicas is how many brokers there are.
	// +kubebuilder:validation:Minimum=2
	// +kubebuilder:validation:Maximum=9
	// +kubebuilder:default=3
	Replicas *int32 `json:"replicas,omitempty"`
	// Image is what the brokers run.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:default="registry.example.com/broker:4.1"
	Image string `json:"image,omitempty"`
	// Service is how clients reach the brokers.
	// +kubebuilder:default={}
	Service BrokerService `json:"service,omitempty"`
	// Resources are what each broker may use.
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// Affinity says where brokers may run.
	Affinity *corev1.Affinity `json:"affinity,omitempty"`
	// Tolerations say of which nodes that others are kept from.
	Tolerations []corev1.Toleration `json:"tolerations,omitempty"`
	// Env are more variables of the brokers.
	// +listType=map
	// +listMapKey=name
	Env []corev1.EnvVar `json:"env,omitempty"`
	// Config are settings of the brokers.
	// +kubebuilder:validation:MaxProperties=50
	Config map[string]string `json:"config,omitempty"`
	// TerminationGracePeriodSeconds is how long a broker may take to hand over.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=3600
	// +kubebuilder:default=60
	TerminationGracePeriodSeconds *int64 `json:"terminationGracePeriodSeconds,omitempty"`
}

// BrokerService is how clients reach the brokers.
type BrokerService struct {
	// Type is the kind of Service.
	// +kubebuilder:validation:Enum=ClusterIP;NodePort;LoadBalancer
	// +kubebuilder:default=ClusterIP
	Type corev1.ServiceType `json:"type,omitempty"`
	// Port is where clients connect.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:default=5672
	Port int32 `json:"port,omitempty"`
	// Annotations are for the Service, and for whoever makes load balancers.
	Annotations map[string]string `json:"annotations,omitempty"`
}

// DeepCopyObject is part of runtime.Object.
func (b *Broker) DeepCopyObject() runtime.Object { return operator.Copy(b) }

// Observed is part of operator.Resource.
func (b *Broker) Observed() *operator.Status { return &b.Status }

// Sample is the operator.
var Sample = operator.Sample{Buggy: buggy(), Fixed: fixed()}

func base() operator.Operator {
	return operator.Operator{
		Kind: "Broker", Resource: &Broker{}, Children: operator.For(children),
	}
}

func children(b *Broker) []client.Object {
	config := &corev1.ConfigMap{
		ObjectMeta: operator.Meta(b, "config"),
		Data:       map[string]string{"broker.conf": settings(b.Spec.Config)},
	}
	peers := &corev1.Service{
		ObjectMeta: operator.Meta(b, "peers"),
		Spec: corev1.ServiceSpec{
			ClusterIP: corev1.ClusterIPNone, PublishNotReadyAddresses: true,
			Selector: operator.Labels(b, "broker"),
			Ports:    []corev1.ServicePort{{Name: "peer", Port: 4369}},
		},
	}
	clients := &corev1.Service{
		ObjectMeta: operator.Meta(b, "client"),
		Spec: corev1.ServiceSpec{
			Type: b.Spec.Service.Type, Selector: operator.Labels(b, "broker"),
			Ports: []corev1.ServicePort{{Name: "amqp", Port: b.Spec.Service.Port, TargetPort: intstr.FromString("amqp")}},
		},
	}
	clients.Annotations = b.Spec.Service.Annotations
	brokers := &appsv1.StatefulSet{
		ObjectMeta: operator.Meta(b, "broker"),
		Spec: appsv1.StatefulSetSpec{
			Replicas: b.Spec.Replicas, ServiceName: peers.Name,
			// A broker that cannot start does not keep the others from what mends it.
			PodManagementPolicy: appsv1.ParallelPodManagement,
			Selector:            &metav1.LabelSelector{MatchLabels: operator.Labels(b, "broker")},
			Template:            template(b, config),
		},
	}
	return []client.Object{config, peers, clients, brokers}
}

func template(b *Broker, config *corev1.ConfigMap) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Labels:      operator.Labels(b, "broker"),
			Annotations: map[string]string{"example.com/config": operator.Checksum(config.Data)},
		},
		Spec: corev1.PodSpec{
			Affinity: b.Spec.Affinity, Tolerations: b.Spec.Tolerations,
			TerminationGracePeriodSeconds: b.Spec.TerminationGracePeriodSeconds,
			Containers: []corev1.Container{{
				Name: "broker", Image: b.Spec.Image, Resources: b.Spec.Resources, Env: b.Spec.Env,
				Ports: []corev1.ContainerPort{
					{Name: "amqp", ContainerPort: 5672},
					{Name: "peer", ContainerPort: 4369},
				},
				VolumeMounts: []corev1.VolumeMount{{Name: "config", MountPath: "/etc/broker"}},
			}},
			Volumes: []corev1.Volume{{Name: "config", VolumeSource: corev1.VolumeSource{
				ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: config.Name}},
			}}},
		},
	}
}

// settings are settings in the form of a file.
func settings(config map[string]string) string {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(config)) {
		fmt.Fprintf(&text, "%s = %s\n", name, config[name])
	}
	return text.String()
}
