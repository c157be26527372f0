// Package staleconfig is an operator for gateways: their routes in a ConfigMap, a
// Deployment that mounts it, and a Service.
//
// +groupName=example.com
// +versionName=v1
package staleconfig

import (
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// Gateway is the custom resource.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Gateway struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   GatewaySpec     `json:"spec"`
	Status operator.Status `json:"status,omitempty"`
}

// GatewaySpec is what the user asks for.
type GatewaySpec struct {
	// Replicas is how many there are.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=20
	// +kubebuilder:default=2
	Replicas *int32 `json:"replicas,omitempty"`
	// Image is what they run.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:default="registry.example.com/gateway:5.0"
	Image string `json:"image,omitempty"`
	// Port is where clients connect.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:default=80
	Port int32 `json:"port,omitempty"`
	// Routes say which requests go where; the gateways read them when they start.
	// +kubebuilder:validation:MaxItems=100
	// +listType=map
	// +listMapKey=path
	Routes []Route `json:"routes,omitempty"`
	// Timeouts are those of all requests.
	// +kubebuilder:default={}
	Timeouts Timeouts `json:"timeouts,omitempty"`
	// Resources are what each gateway may use.
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// NodeSelector says where gateways may run.
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
	// PodAnnotations are for the pods.
	PodAnnotations map[string]string `json:"podAnnotations,omitempty"`
	// ServiceAnnotations are for the Service.
	ServiceAnnotations map[string]string `json:"serviceAnnotations,omitempty"`
}

// Route says where requests go.
type Route struct {
	// Path is what their paths begin with.
	// +kubebuilder:validation:Pattern=`^/[-a-z0-9/]*$`
	// +kubebuilder:validation:MaxLength=200
	Path string `json:"path"`
	// Backend is the name of a Service.
	// +kubebuilder:validation:Pattern=`^[a-z]([-a-z0-9]*[a-z0-9])?$`
	// +kubebuilder:validation:MaxLength=63
	Backend string `json:"backend"`
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:default=80
	Port int32 `json:"port,omitempty"`
	// Methods are which requests; none is all.
	// +kubebuilder:validation:items:Enum=GET;HEAD;POST;PUT;PATCH;DELETE
	// +listType=set
	Methods []string `json:"methods,omitempty"`
}

// Timeouts are those of requests.
type Timeouts struct {
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=3600
	// +kubebuilder:default=5
	ConnectSeconds int32 `json:"connectSeconds,omitempty"`
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=3600
	// +kubebuilder:default=60
	RequestSeconds int32 `json:"requestSeconds,omitempty"`
}

// DeepCopyObject is part of runtime.Object.
func (g *Gateway) DeepCopyObject() runtime.Object { return operator.Copy(g) }

// Observed is part of operator.Resource.
func (g *Gateway) Observed() *operator.Status { return &g.Status }

// Sample is the operator.
var Sample = operator.Sample{Buggy: buggy(), Fixed: fixed()}

// base is the operator, with what the pods are told of their configuration.
func base(mark func(annotations, config map[string]string)) operator.Operator {
	return operator.Operator{
		Kind: "Gateway", Resource: &Gateway{},
		Children: operator.For(func(g *Gateway) []client.Object {
			config := &corev1.ConfigMap{
				ObjectMeta: operator.Meta(g, "routes"), Data: map[string]string{"routes.json": configuration(g.Spec)},
			}
			annotations := map[string]string{}
			for name, value := range g.Spec.PodAnnotations {
				annotations[name] = value
			}
			mark(annotations, config.Data)
			return []client.Object{config, service(g), gateways(g, config.Name, annotations)}
		}),
	}
}

func service(g *Gateway) *corev1.Service {
	out := &corev1.Service{ObjectMeta: operator.Meta(g, "gateway")}
	out.Annotations = g.Spec.ServiceAnnotations
	out.Spec.Selector = operator.Labels(g, "gateway")
	out.Spec.Ports = []corev1.ServicePort{{Name: "http", Port: g.Spec.Port, TargetPort: intstr.FromString("http")}}
	return out
}

func gateways(g *Gateway, config string, annotations map[string]string) *appsv1.Deployment {
	labels := operator.Labels(g, "gateway")
	return &appsv1.Deployment{
		ObjectMeta: operator.Meta(g, "gateway"),
		Spec: appsv1.DeploymentSpec{
			Replicas: g.Spec.Replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels, Annotations: annotations},
				Spec: corev1.PodSpec{
					NodeSelector: g.Spec.NodeSelector,
					Containers: []corev1.Container{{
						Name: "gateway", Image: g.Spec.Image, Resources: g.Spec.Resources,
						Ports:        []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}},
						VolumeMounts: []corev1.VolumeMount{{Name: "routes", MountPath: "/etc/gateway", ReadOnly: true}},
					}},
					Volumes: []corev1.Volume{{Name: "routes", VolumeSource: corev1.VolumeSource{
						ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: config}},
					}}},
				},
			},
		},
	}
}

// configuration is the file of the gateways.
func configuration(spec GatewaySpec) string {
	text, err := json.MarshalIndent(map[string]any{"routes": spec.Routes, "timeouts": spec.Timeouts}, "", "  ")
	if err != nil {
		panic(err) // routes are always JSON
	}
	return string(text)
}
