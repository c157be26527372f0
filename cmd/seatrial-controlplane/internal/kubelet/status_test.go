package kubelet

import (
	"context"
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
)

// statuses are containers by what they do: run, wait, 0 or 1 (the code with which
// they ended), back (in back-off after an end with 1).
func statuses(pod *corev1.Pod, initial bool, words string) {
	for _, word := range strings.Fields(words) {
		name, does, _ := strings.Cut(word, "=")
		yes, always := true, corev1.ContainerRestartPolicyAlways
		spec := corev1.Container{Name: name}
		if strings.HasPrefix(name, "side") {
			spec.RestartPolicy = &always
		}
		s := corev1.ContainerStatus{Name: name}
		ended := corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1}}
		switch does {
		case "run":
			s.State.Running, s.Started = &corev1.ContainerStateRunning{}, &yes
		case "starting":
			s.State.Running = &corev1.ContainerStateRunning{}
		case "wait":
			s.State.Waiting = &corev1.ContainerStateWaiting{}
		case "back":
			s.State.Waiting, s.LastTerminationState = &corev1.ContainerStateWaiting{}, ended
		case "1":
			s.State = ended
		case "0":
			s.State.Terminated = &corev1.ContainerStateTerminated{}
		}
		if initial {
			pod.Spec.InitContainers = append(pod.Spec.InitContainers, spec)
			pod.Status.InitContainerStatuses = append(pod.Status.InitContainerStatuses, s)
		} else {
			pod.Spec.Containers = append(pod.Spec.Containers, spec)
			pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, s)
		}
	}
}

// TestPhase has what getPhase says (pkg/kubelet/kubelet_pods.go).
func TestPhase(t *testing.T) {
	for _, row := range []struct {
		policy        corev1.RestartPolicy
		initial, main string
		ended         bool
		want          corev1.PodPhase
	}{
		{"Always", "", "a=wait", false, "Pending"},
		{"Always", "", "a=run", false, "Running"},
		{"Always", "", "a=run b=wait", false, "Pending"},
		{"Always", "", "a=run b=back", false, "Running"},
		{"Always", "", "a=back", false, "Running"},
		{"Always", "", "a=0", false, "Running"},
		{"OnFailure", "", "a=0 b=1", false, "Running"},
		{"OnFailure", "", "a=0 b=0", false, "Succeeded"},
		{"OnFailure", "", "a=back", false, "Running"},
		{"Never", "", "a=0 b=1", false, "Failed"},
		{"Never", "", "a=0 b=run", false, "Running"},
		{"Never", "", "a=0", false, "Succeeded"},
		{"Always", "i=wait", "a=wait", false, "Pending"},
		{"Always", "i=run", "a=wait", false, "Pending"},
		{"Always", "i=0", "a=wait", false, "Pending"},
		{"Always", "i=0", "a=run", false, "Running"},
		{"Always", "i=back", "a=wait", false, "Pending"},
		{"Never", "i=1", "a=wait", false, "Failed"},
		{"OnFailure", "i=1", "a=wait", false, "Pending"},
		{"Always", "side=starting", "a=wait", false, "Pending"},
		{"Always", "side=run", "a=run", false, "Running"},
		{"Always", "side=back", "a=run", false, "Running"},
		{"Never", "side=run", "a=0", false, "Running"},
		{"Never", "side=1", "a=0", false, "Succeeded"},
		{"Never", "side=1", "a=1", false, "Failed"},
		// All are stopped for good: exit codes alone count, and what never ran failed.
		{"Always", "", "a=0", true, "Succeeded"},
		{"Always", "", "a=0 b=1", true, "Failed"},
		{"Always", "", "a=wait", true, "Failed"},
		{"OnFailure", "i=1", "a=wait", true, "Failed"},
		{"Always", "side=1", "a=0", true, "Succeeded"},
	} {
		pod := &corev1.Pod{}
		pod.Spec.RestartPolicy = row.policy
		statuses(pod, true, row.initial)
		statuses(pod, false, row.main)
		if got := phase(pod, row.ended); got != row.want {
			t.Errorf("%s, init %q, %q, ended %v: %s, want %s", row.policy, row.initial, row.main, row.ended, got, row.want)
		}
	}
}

func TestImageID(t *testing.T) {
	for image, want := range map[string]string{
		"nginx":                      "nginx@sha256:",
		"nginx:1.27":                 "nginx@sha256:",
		"registry.example:5000/a/b":  "registry.example:5000/a/b@sha256:",
		"registry.example:5000/a:v1": "registry.example:5000/a@sha256:",
		"a@sha256:1234":              "a@sha256:1234",
	} {
		if got := imageOf(image); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", image, got)
		}
	}
}

// TestStartGivesUp: a plane that never answers is an error when the time is up.
func TestStartGivesUp(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("time is up"))
	if _, err := Start(ctx, &rest.Config{Host: "http://127.0.0.1:1"}, Options{}); err == nil || !strings.Contains(err.Error(), "time is up") {
		t.Errorf("got %v", err)
	}
	if _, err := New(&rest.Config{Host: "://"}, Options{}); err == nil {
		t.Error("a URL that is none is taken")
	}
}
