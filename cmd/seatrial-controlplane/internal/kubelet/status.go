package kubelet

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-helpers/resource"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"
	"k8s.io/kubernetes/pkg/apis/core/v1/helper/qos"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/kubelet/status"
	kubelettypes "k8s.io/kubernetes/pkg/kubelet/types"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/kubelet/rule"
)

const (
	containerCreating = "ContainerCreating"
	podInitializing   = "PodInitializing"
)

// waiting are the statuses of containers that were not started, in the order in
// which kubelets list them: by name, init containers as the spec has them.
func waiting(pod *corev1.Pod) (initial, regular []corev1.ContainerStatus) {
	reason := containerCreating
	if len(pod.Spec.InitContainers) > 0 {
		reason = podInitializing
	}
	list := func(containers []corev1.Container) []corev1.ContainerStatus {
		var out []corev1.ContainerStatus
		for i := range containers {
			c := &containers[i]
			no := false
			out = append(out, corev1.ContainerStatus{
				Name: c.Name, Image: c.Image, Started: &no, VolumeMounts: mounts(c),
				State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}},
			})
		}
		return out
	}
	initial, regular = list(pod.Spec.InitContainers), list(pod.Spec.Containers)
	slices.SortFunc(regular, func(a, b corev1.ContainerStatus) int { return cmp.Compare(a.Name, b.Name) })
	return initial, regular
}

func mounts(c *corev1.Container) []corev1.VolumeMountStatus {
	var out []corev1.VolumeMountStatus
	for _, m := range c.VolumeMounts {
		s := corev1.VolumeMountStatus{Name: m.Name, MountPath: m.MountPath, ReadOnly: m.ReadOnly}
		if m.ReadOnly {
			disabled := corev1.RecursiveReadOnlyDisabled
			s.RecursiveReadOnly = &disabled
		}
		out = append(out, s)
	}
	return out
}

// identifier makes what stands for a digest, the same for the same parts.
func identifier(parts ...string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(parts, "\x00"))))
}

// imageOf is a container image's ID: its name without a tag, and a digest.
func imageOf(image string) string {
	name, _, digested := strings.Cut(image, "@")
	if digested {
		return image
	}
	if i := strings.LastIndex(name, ":"); i > strings.LastIndex(name, "/") {
		name = name[:i]
	}
	return name + "@sha256:" + identifier(image)
}

// settle fills in what follows from the statuses of the containers: phase,
// conditions, generation, resources. before is the status that the API has;
// ended says that all containers are stopped for good.
func settle(pod *corev1.Pod, before *corev1.PodStatus, now metav1.Time, ended bool) {
	s := &pod.Status
	terminal := podutil.IsPodPhaseTerminal(before.Phase)
	all := append(slices.Clone(s.InitContainerStatuses), s.ContainerStatuses...)
	if !terminal && !podutil.IsPodPhaseTerminal(s.Phase) {
		s.Phase = phase(pod, ended)
	}
	s.QOSClass = qos.GetPodQOS(pod)
	s.ObservedGeneration = podutil.CalculatePodStatusObservedGeneration(pod)
	if utilfeature.DefaultFeatureGate.Enabled(features.InPlacePodLevelResourcesVerticalScaling) && !terminal {
		requests, limits := resource.PodRequests(pod, resource.PodResourcesOptions{}), resource.PodLimits(pod, resource.PodResourcesOptions{})
		s.AllocatedResources = requests
		s.Resources = &corev1.ResourceRequirements{Requests: requests, Limits: limits}
		if pod.Spec.Resources != nil {
			s.Resources.Claims = pod.Spec.Resources.Claims
		}
	}

	var conditions []corev1.PodCondition
	for _, c := range s.Conditions {
		if !kubelettypes.PodConditionByKubelet(c.Type) {
			conditions = append(conditions, c)
		}
	}
	sandbox := corev1.PodCondition{
		Type: corev1.PodReadyToStartContainers, Status: corev1.ConditionFalse,
		ObservedGeneration: podutil.CalculatePodConditionObservedGeneration(before, pod.Generation, corev1.PodReadyToStartContainers),
	}
	if s.PodIP != "" && !podutil.IsPodPhaseTerminal(s.Phase) {
		sandbox.Status = corev1.ConditionTrue
	}
	conditions = append(conditions, sandbox, status.GeneratePodInitializedCondition(pod, before, all, s.Phase))
	conditions = append(conditions,
		status.GeneratePodReadyCondition(pod, before, conditions, all, s.Phase),
		status.GenerateContainersReadyCondition(pod, before, all, s.Phase),
		corev1.PodCondition{
			Type: corev1.PodScheduled, Status: corev1.ConditionTrue,
			ObservedGeneration: podutil.CalculatePodConditionObservedGeneration(before, pod.Generation, corev1.PodScheduled),
		})
	for i := range conditions {
		c := &conditions[i]
		if _, old := podutil.GetPodCondition(before, c.Type); old != nil && old.Status == c.Status {
			c.LastTransitionTime = old.LastTransitionTime
		} else {
			c.LastTransitionTime = now
		}
	}
	s.Conditions = conditions
}

// rejected is the status of a pod that is not admitted, as rejectPod of the
// kubelet and its status manager make it: the kubelet's own conditions go.
func rejected(pod *corev1.Pod, refusal *rule.Refusal, now metav1.Time) corev1.PodStatus {
	old := pod.Status
	out := corev1.PodStatus{
		Phase: corev1.PodFailed, Reason: refusal.Reason, Message: "Pod was rejected: " + refusal.Message,
		QOSClass: qos.GetPodQOS(pod), ObservedGeneration: podutil.CalculatePodStatusObservedGeneration(pod),
		StartTime: old.StartTime, ResourceClaimStatuses: old.ResourceClaimStatuses, ExtendedResourceClaimStatus: old.ExtendedResourceClaimStatus,
	}
	if out.StartTime == nil {
		out.StartTime = &now
	}
	for _, c := range old.Conditions {
		if !kubelettypes.PodConditionByKubelet(c.Type) {
			out.Conditions = append(out.Conditions, c)
		}
	}
	return out
}

// tally counts containers by what they mean for the phase: final are those
// stopped ones that are not started again, clean those that exited with 0.
type tally struct {
	unstarted, running, stopped, final, clean int
}

// endedLast is how a container ended that is not running, nil if it never ran.
func endedLast(s *corev1.ContainerStatus) *corev1.ContainerStateTerminated {
	switch {
	case s.State.Terminated != nil:
		return s.State.Terminated
	case s.State.Waiting != nil:
		return s.LastTerminationState.Terminated
	}
	return nil
}

// phase is the phase of a pod by the statuses of its containers, as getPhase has
// it (pkg/kubelet/kubelet_pods.go).
func phase(pod *corev1.Pod, ended bool) corev1.PodPhase {
	initialized := true
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		s, found := podutil.GetContainerStatus(pod.Status.InitContainerStatuses, c.Name)
		last := endedLast(&s)
		switch {
		case podutil.IsRestartableInitContainer(c):
			up := found && s.Started != nil && *s.Started
			initialized = initialized && (up || last != nil)
		case last == nil:
			initialized = false
		case last.ExitCode != 0 && (ended || !podutil.ContainerShouldRestart(*c, pod.Spec, last.ExitCode)):
			return corev1.PodFailed
		case last.ExitCode != 0:
			initialized = false
		}
	}
	t := tallyOf(pod)
	switch {
	case ended && (t.unstarted > 0 || t.clean < t.stopped):
		return corev1.PodFailed
	case ended:
		return corev1.PodSucceeded
	case !initialized && t.running+t.stopped == 0, t.unstarted > 0:
		return corev1.PodPending
	case t.running > 0, t.final < t.stopped:
		return corev1.PodRunning
	case t.clean == t.stopped:
		return corev1.PodSucceeded
	}
	return corev1.PodFailed
}

func tallyOf(pod *corev1.Pod) tally {
	var t tally
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		s, _ := podutil.GetContainerStatus(pod.Status.InitContainerStatuses, c.Name)
		if podutil.IsRestartableInitContainer(c) && s.State.Running != nil && begun(pod) {
			t.running++
		}
	}
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		s, _ := podutil.GetContainerStatus(pod.Status.ContainerStatuses, c.Name)
		last := endedLast(&s)
		switch {
		case s.State.Running != nil:
			t.running++
		case last == nil:
			t.unstarted++
		default:
			t.stopped++
			if last.ExitCode == 0 {
				t.clean++
			}
			if !podutil.ContainerShouldRestart(*c, pod.Spec, last.ExitCode) {
				t.final++
			}
		}
	}
	return t
}

// begun reports whether a container of the pod that is no init container was
// started.
func begun(pod *corev1.Pod) bool {
	for i := range pod.Status.ContainerStatuses {
		s := &pod.Status.ContainerStatuses[i]
		if s.State.Waiting == nil || s.LastTerminationState.Terminated != nil {
			return true
		}
	}
	return false
}

// phaseOf is the phase of a pod; that of a pod without one is Pending.
func phaseOf(pod *corev1.Pod) corev1.PodPhase {
	return cmp.Or(pod.Status.Phase, corev1.PodPending)
}
