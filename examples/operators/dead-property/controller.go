// Package deadproperty is an operator for web applications: a Deployment and a Service.
//
// +groupName=example.com
// +versionName=v1
package deadproperty

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// Application is the custom resource.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Application struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ApplicationSpec `json:"spec"`
	Status operator.Status `json:"status,omitempty"`
}

// ApplicationSpec is what the user asks for.
type ApplicationSpec struct {
	// Replicas is how many pods serve it.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=20
	// +kubebuilder:default=2
	Replicas *int32 `json:"replicas,omitempty"`
	// Image is what they run.
	// +kubebuilder:validation:MinLength=1
	Image string `json:"image"`
	// ImagePullSecrets are names of Secrets for the registry.
	// +listType=map
	// +listMapKey=name
	ImagePullSecrets []corev1.LocalObjectReference `json:"imagePullSecrets,omitempty"`
	// Command and Args are what is run in the image, if not what that says.
	Command []string `json:"command,omitempty"`
	Args    []string `json:"args,omitempty"`
	// Env are variables of the pods.
	// +listType=map
	// +listMapKey=name
	Env []corev1.EnvVar `json:"env,omitempty"`
	// Ports are those that it listens on, and that the Service has; the first is what
	// probes use.
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=8
	// +listType=map
	// +listMapKey=name
	Ports []ApplicationPort `json:"ports"`
	// Resources are what each pod may use.
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
	// LivenessPath is where it tells that it is alive; empty is nowhere.
	// +kubebuilder:validation:Pattern=`^(/.*)?$`
	LivenessPath string `json:"livenessPath,omitempty"`
	// TerminationGracePeriodSeconds is how long it may take to finish what it does.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=3600
	// +kubebuilder:default=30
	TerminationGracePeriodSeconds *int64 `json:"terminationGracePeriodSeconds,omitempty"`
	// HostAliases are names that the pods know.
	// +listType=map
	// +listMapKey=ip
	HostAliases []corev1.HostAlias `json:"hostAliases,omitempty"`
	// NodeSelector says where it may run.
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
	// SecurityContext is that of the container.
	SecurityContext *corev1.SecurityContext `json:"securityContext,omitempty"`
}

// ApplicationPort is one port.
type ApplicationPort struct {
	// +kubebuilder:validation:Pattern=`^[a-z]([-a-z0-9]{0,13}[a-z0-9])?$`
	Name string `json:"name"`
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	Port int32 `json:"port"`
}

// DeepCopyObject is part of runtime.Object.
func (a *Application) DeepCopyObject() runtime.Object { return operator.Copy(a) }

// Observed is part of operator.Resource.
func (a *Application) Observed() *operator.Status { return &a.Status }

// Sample is the operator.
var Sample = operator.Sample{Buggy: buggy(), Fixed: fixed()}

// base is the operator, with what of the spec becomes the grace of the pods.
func base(grace func(ApplicationSpec) *int64) operator.Operator {
	return operator.Operator{
		Kind: "Application", Resource: &Application{},
		Children: operator.For(func(a *Application) []client.Object {
			pod := pods(a.Spec)
			pod.TerminationGracePeriodSeconds = grace(a.Spec)
			return children(a, pod)
		}),
	}
}

func children(a *Application, pod corev1.PodSpec) []client.Object {
	service := &corev1.Service{ObjectMeta: operator.Meta(a, "web")}
	service.Spec.Selector = operator.Labels(a, "web")
	for _, port := range a.Spec.Ports {
		service.Spec.Ports = append(service.Spec.Ports, corev1.ServicePort{
			Name: port.Name, Port: port.Port, TargetPort: intstr.FromString(port.Name),
		})
	}
	return []client.Object{service, &appsv1.Deployment{
		ObjectMeta: operator.Meta(a, "web"),
		Spec: appsv1.DeploymentSpec{
			Replicas: a.Spec.Replicas,
			Selector: &metav1.LabelSelector{MatchLabels: operator.Labels(a, "web")},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: operator.Labels(a, "web")}, Spec: pod,
			},
		},
	}}
}

func pods(spec ApplicationSpec) corev1.PodSpec {
	web := corev1.Container{
		Name: "web", Image: spec.Image, Command: spec.Command, Args: spec.Args, Env: spec.Env,
		Resources: spec.Resources, SecurityContext: spec.SecurityContext,
	}
	for _, port := range spec.Ports {
		web.Ports = append(web.Ports, corev1.ContainerPort{Name: port.Name, ContainerPort: port.Port})
	}
	if spec.LivenessPath != "" {
		web.LivenessProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{
			HTTPGet: &corev1.HTTPGetAction{Path: spec.LivenessPath, Port: intstr.FromString(spec.Ports[0].Name)},
		}}
	}
	return corev1.PodSpec{
		ImagePullSecrets: spec.ImagePullSecrets, HostAliases: spec.HostAliases,
		NodeSelector: spec.NodeSelector, Containers: []corev1.Container{web},
	}
}
