// Package uncheckednil is an operator for proxies: a Deployment, their configuration, and
// a Service, with a port for metrics if these are asked for.
//
// +groupName=example.com
// +versionName=v1
package uncheckednil

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// Proxy is the custom resource.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Proxy struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ProxySpec       `json:"spec"`
	Status operator.Status `json:"status,omitempty"`
}

// ProxySpec is what the user asks for.
type ProxySpec struct {
	// Replicas is how many there are.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=20
	// +kubebuilder:default=2
	Replicas *int32 `json:"replicas,omitempty"`
	// Image is what they run.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:default="registry.example.com/proxy:0.9"
	Image string `json:"image,omitempty"`
	// Upstreams are where requests go, by turns.
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=20
	// +listType=map
	// +listMapKey=host
	Upstreams []Upstream `json:"upstreams"`
	// TLS is what encrypts connections; without it they are not.
	TLS *TLS `json:"tls,omitempty"`
	// Metrics are what the proxies tell of themselves.
	Metrics *Metrics `json:"metrics,omitempty"`
	// Resources are what each proxy may use.
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// Affinity says where proxies may run.
	Affinity *corev1.Affinity `json:"affinity,omitempty"`
	// PodLabels are for the pods.
	PodLabels map[string]string `json:"podLabels,omitempty"`
	// LogLevel is how much they say.
	// +kubebuilder:validation:Enum=debug;info;warn;error
	// +kubebuilder:default=info
	LogLevel string `json:"logLevel,omitempty"`
}

// Upstream is where requests go.
type Upstream struct {
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`
	// +kubebuilder:validation:MaxLength=253
	Host string `json:"host"`
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:default=80
	Port int32 `json:"port,omitempty"`
	// Weight is how much of the requests it gets, beside the others.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	// +kubebuilder:default=1
	Weight int32 `json:"weight,omitempty"`
}

// TLS is what encrypts connections.
type TLS struct {
	// MinVersion is the oldest that is taken.
	// +kubebuilder:validation:Enum="1.2";"1.3"
	// +kubebuilder:default="1.3"
	MinVersion string `json:"minVersion,omitempty"`
	// SecretName is where the key and the certificate are.
	// +kubebuilder:validation:MinLength=1
	SecretName string `json:"secretName"`
}

// Metrics are what the proxies tell of themselves.
type Metrics struct {
	// +kubebuilder:default=true
	Enabled bool `json:"enabled"`
	// +kubebuilder:validation:Minimum=1024
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:default=9100
	Port int32 `json:"port,omitempty"`
}

// DeepCopyObject is part of runtime.Object.
func (p *Proxy) DeepCopyObject() runtime.Object { return operator.Copy(p) }

// Observed is part of operator.Resource.
func (p *Proxy) Observed() *operator.Status { return &p.Status }

// Sample is the operator.
var Sample = operator.Sample{Buggy: buggy(), Fixed: fixed()}

// base is the operator, with what tells whether metrics are asked for.
func base(metrics func(ProxySpec) bool) operator.Operator {
	return operator.Operator{
		Kind: "Proxy", Resource: &Proxy{},
		Children: operator.For(func(p *Proxy) []client.Object {
			ports := []corev1.ServicePort{{Name: "proxy", Port: 8000}}
			if metrics(p.Spec) {
				ports = append(ports, corev1.ServicePort{Name: "metrics", Port: p.Spec.Metrics.Port})
			}
			return children(p, ports)
		}),
	}
}

func children(p *Proxy, ports []corev1.ServicePort) []client.Object {
	config := &corev1.ConfigMap{
		ObjectMeta: operator.Meta(p, "config"), Data: map[string]string{"proxy.conf": configuration(p.Spec)},
	}
	labels := operator.Labels(p, "proxy")
	operator.AddLabels(labels, p.Spec.PodLabels)
	pod := corev1.PodSpec{
		Affinity: p.Spec.Affinity,
		Containers: []corev1.Container{{
			Name: "proxy", Image: p.Spec.Image, Resources: p.Spec.Resources, Args: []string{"--log=" + p.Spec.LogLevel},
			VolumeMounts: []corev1.VolumeMount{{Name: "config", MountPath: "/etc/proxy"}},
		}},
		Volumes: []corev1.Volume{{Name: "config", VolumeSource: corev1.VolumeSource{
			ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: config.Name}},
		}}},
	}
	for _, port := range ports {
		pod.Containers[0].Ports = append(pod.Containers[0].Ports, corev1.ContainerPort{Name: port.Name, ContainerPort: port.Port})
	}
	return []client.Object{
		config,
		&corev1.Service{
			ObjectMeta: operator.Meta(p, "proxy"),
			Spec:       corev1.ServiceSpec{Selector: operator.Labels(p, "proxy"), Ports: ports},
		},
		&appsv1.Deployment{
			ObjectMeta: operator.Meta(p, "proxy"),
			Spec: appsv1.DeploymentSpec{
				Replicas: p.Spec.Replicas,
				Selector: &metav1.LabelSelector{MatchLabels: operator.Labels(p, "proxy")},
				Template: corev1.PodTemplateSpec{
					ObjectMeta: metav1.ObjectMeta{
						Labels: labels, Annotations: map[string]string{"example.com/config": operator.Checksum(config.Data)},
					},
					Spec: pod,
				},
			},
		},
	}
}

// configuration is the file of the proxies.
func configuration(spec ProxySpec) string {
	var text strings.Builder
	for _, upstream := range spec.Upstreams {
		fmt.Fprintf(&text, "upstream %s:%d weight %d\n", upstream.Host, upstream.Port, upstream.Weight)
	}
	if spec.TLS != nil {
		fmt.Fprintf(&text, "tls %s from secret %s\n", spec.TLS.MinVersion, spec.TLS.SecretName)
	}
	return text.String()
}
