package trial

import (
	"context"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/history"
)

// TestWaitsForSources: a pod that names a ConfigMap or Secret that is not there waits
// for it, and says so.
func TestWaitsForSources(t *testing.T) {
	p := controlplane.Start(t)
	client := clientOf(t, p.Kubeconfig)
	settings, token := corev1.LocalObjectReference{Name: "settings"}, corev1.LocalObjectReference{Name: "token"}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: podSpec()}
	pod.Spec.Volumes = []corev1.Volume{{Name: "settings", VolumeSource: corev1.VolumeSource{
		ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: settings},
	}}}
	pod.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "TOKEN", ValueFrom: &corev1.EnvVarSource{
		SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: token, Key: "token"},
	}}}
	if _, err := client.CoreV1().Pods("default").Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	warned := func(reason, message string) func(history.Event) bool {
		return func(e history.Event) bool {
			return e.Resource == "events" && e.Object.Text("reason") == reason && strings.Contains(e.Object.Text("message"), message)
		}
	}
	waits := func(reason string) func(history.Event) bool {
		return func(e history.Event) bool {
			statuses, _ := e.Object.At("status", "containerStatuses").([]any)
			if e.Resource != "pods" || len(statuses) != 1 {
				return false
			}
			status, _ := statuses[0].(map[string]any)
			return history.Object(status).Text("state", "waiting", "reason") == reason
		}
	}
	await(t, p, "the container to be created", waits("ContainerCreating"))
	await(t, p, "the Event about the volume", warned("FailedMount", `configmap "settings" not found`))
	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "settings"}}
	if _, err := client.CoreV1().ConfigMaps("default").Create(t.Context(), configMap, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	await(t, p, "the container to lack its variable", waits("CreateContainerConfigError"))
	await(t, p, "the Event about the variable", warned("Failed", `secret "token" not found`))
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "token"}, StringData: map[string]string{"token": "x"}}
	if _, err := client.CoreV1().Secrets("default").Create(t.Context(), secret, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	await(t, p, "the pod to run", func(e history.Event) bool {
		return e.Resource == "pods" && e.Object.Text("status", "phase") == "Running"
	})
}

// TestNoMachines: what only a machine could answer is refused at once, and says why.
func TestNoMachines(t *testing.T) {
	p := controlplane.Start(t)
	client := clientOf(t, p.Kubeconfig)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: podSpec()}
	if _, err := client.CoreV1().Pods("default").Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	await(t, p, "the pod to run", func(e history.Event) bool {
		return e.Resource == "pods" && e.Object.Text("status", "phase") == "Running"
	})
	// The API server gives up after 30 s by itself.
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	post := func(subresource string) error {
		return client.CoreV1().RESTClient().Post().Namespace("default").Resource("pods").Name("web").SubResource(subresource).Do(ctx).Error()
	}
	errs := map[string]error{"exec": post("exec"), "attach": post("attach"), "portforward": post("portforward")}
	_, errs["log"] = client.CoreV1().Pods("default").GetLogs("web", &corev1.PodLogOptions{}).Stream(ctx)
	errs["proxy"] = client.CoreV1().RESTClient().Get().Resource("nodes").Name("node-0").SubResource("proxy").Suffix("healthz").Do(ctx).Error()
	for what, err := range errs {
		if apierrors.ReasonForError(err) != "NotImplemented" || !strings.Contains(err.Error(), "this control plane has no machines") {
			t.Errorf("%s: %v", what, err)
		}
	}
}
