// Package refusedmigration is an operator for wikis: a Deployment, a Service, and a Job that brings the
// database to the version.
//
// +groupName=example.com
// +versionName=v1
package refusedmigration

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// Wiki is the custom resource.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Wiki struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WikiSpec        `json:"spec"`
	Status operator.Status `json:"status,omitempty"`
}

// WikiSpec is what the user asks for.
type WikiSpec struct {
	// Replicas is how many pods serve it.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=9
	// +kubebuilder:default=2
	Replicas *int32 `json:"replicas,omitempty"`
	// Version is that of the wiki, and of its database.
	// +kubebuilder:validation:Pattern=`^\d+\.\d+\.\d+$`
	// +kubebuilder:validation:MaxLength=20
	// +kubebuilder:default="3.1.0"
	Version string `json:"version,omitempty"`
	// Port is where clients reach it.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	// +kubebuilder:default=80
	Port int32 `json:"port,omitempty"`
	// Resources are what each pod may use.
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
}

// DeepCopyObject is part of runtime.Object.
func (w *Wiki) DeepCopyObject() runtime.Object { return operator.Copy(w) }

// Observed is part of operator.Resource.
func (w *Wiki) Observed() *operator.Status { return &w.Status }

// Sample is the operator.
var Sample = operator.Sample{Buggy: buggy(), Fixed: fixed()}

// base is the operator, with what the Job of a version is called.
func base(migration func(version string) string) operator.Operator {
	return operator.Operator{
		Kind: "Wiki", Resource: &Wiki{}, Write: write,
		Children: operator.For(func(w *Wiki) []client.Object {
			return []client.Object{service(w), deployment(w), job(w, migration(w.Spec.Version))}
		}),
	}
}

// write makes a Job run what it is to run, if there is one of its name, and leaves what the API server has added to it.
func write(ctx context.Context, w *operator.Writer, child client.Object) error {
	wanted, ok := child.(*batchv1.Job)
	if !ok {
		return w.Replace(ctx, child)
	}
	live, err := w.Get(ctx, wanted)
	if err != nil {
		return err
	}
	if live == nil {
		return w.Create(ctx, wanted)
	}
	there := live.(*batchv1.Job)
	there.Spec.Template.Spec.Containers[0].Image = wanted.Spec.Template.Spec.Containers[0].Image
	return w.Update(ctx, there)
}

func image(w *Wiki) string { return "registry.example.com/wiki:" + w.Spec.Version }

func job(w *Wiki, name string) *batchv1.Job {
	return &batchv1.Job{
		ObjectMeta: operator.Meta(w, name),
		Spec: batchv1.JobSpec{Template: corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: operator.Labels(w, "migration")},
			Spec: corev1.PodSpec{
				RestartPolicy: corev1.RestartPolicyOnFailure,
				Containers:    []corev1.Container{{Name: "migrate", Image: image(w), Args: []string{"migrate"}}},
			},
		}},
	}
}

func service(w *Wiki) *corev1.Service {
	out := &corev1.Service{ObjectMeta: operator.Meta(w, "web")}
	out.Spec.Selector = operator.Labels(w, "web")
	out.Spec.Ports = []corev1.ServicePort{{Name: "http", Port: w.Spec.Port, TargetPort: intstr.FromString("http")}}
	return out
}

func deployment(w *Wiki) *appsv1.Deployment {
	return &appsv1.Deployment{
		ObjectMeta: operator.Meta(w, "web"),
		Spec: appsv1.DeploymentSpec{
			Replicas: w.Spec.Replicas,
			Selector: &metav1.LabelSelector{MatchLabels: operator.Labels(w, "web")},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: operator.Labels(w, "web")},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{
					Name: "web", Image: image(w), Resources: w.Spec.Resources,
					Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}},
				}}},
			},
		},
	}
}
