// Package rule holds what the pods and nodes of a plane do that has no machines:
// rules, read from YAML (docs/kubelet-rules.md).
package rule

import (
	"cmp"
	_ "embed"
	"math"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

const (
	// Never is a time that does not come.
	Never = time.Duration(math.MaxInt64)
	// WholeGrace is the time until a pod has stopped that is exactly what it was
	// given.
	WholeGrace = time.Duration(-1)
)

// Rule says how the pods that it selects behave, or the nodes. Every setting is
// taken from the first rule that selects the pod and has it; the built-in rules
// come last.
type Rule struct {
	Name string
	// Pods selects pods; nil selects all. Of a rule with Nodes it is nil.
	Pods *Selection
	// Nodes is a pattern of node names. Such a rule says Pressure and EvictEvery,
	// others the rest.
	Nodes string

	// Start is how long a pod's volumes, network and images take: from admission
	// until its first container starts. Start, Updates, Reject and Evict are of a
	// pod, the others of a container.
	Start *time.Duration
	// Updates says which steps of a pod get a write of their own.
	Updates *Updates
	// Reject refuses the pod at admission.
	Reject *Refusal
	// Evict ends the pod while it runs.
	Evict *Eviction

	// Pull says that the image cannot be pulled.
	Pull *Pull
	// Run is how long a container runs before it exits by itself; or Never.
	Run *time.Duration
	// Exit is how it exits then.
	Exit *Exit
	// Exits is how many times it exits; after that it runs on. 0 is always.
	Exits *int32
	// Liveness is how long a container runs before its liveness probe fails and it
	// is killed; or Never.
	Liveness *time.Duration
	// Startup is how long a container runs before its startup probe succeeds; or
	// Never.
	Startup *time.Duration
	// Ready is how long a container runs before its readiness probe succeeds; or
	// Never.
	Ready *time.Duration
	// Unready says when the readiness probe fails for a while.
	Unready *Unready
	// Stop is how long a container takes to end when it is told to, at most the
	// grace period; or WholeGrace.
	Stop *time.Duration
	// StopExit is how it exits then. One that takes all of its grace period is
	// killed instead.
	StopExit *Exit
	// BackOff multiplies the times for which the kubelet waits before it restarts a
	// container or pulls an image again: 10 s, doubled up to 300 s.
	BackOff *float64

	// Pressure are conditions that a node has: MemoryPressure, DiskPressure,
	// PIDPressure.
	Pressure []corev1.NodeConditionType
	// EvictEvery is how often a node under pressure evicts a pod; Never if it
	// evicts none.
	EvictEvery *time.Duration
}

// Updates says which steps of a pod get a write of their own.
type Updates string

const (
	// UpdatesFinal writes once what happens at one time.
	UpdatesFinal Updates = "final"
	// UpdatesKubelet writes when kubelets do: when containers are being created,
	// and readiness apart from the start if there is a probe to wait for.
	UpdatesKubelet Updates = "kubelet"
	// UpdatesAll writes each step: created, running, ready, unready, exited,
	// restarted, stopped.
	UpdatesAll Updates = "all"
)

// Selection selects pods: by all of its fields that are not empty. Patterns have *
// for any characters.
type Selection struct {
	Namespace string // pattern
	Name      string // pattern
	Labels    labels.Selector
	// OwnerKind and OwnerName (a pattern) are of the pod's controller.
	OwnerKind, OwnerName string
	// Image and Container are patterns; a container has to match both, and the
	// settings of containers are of the ones that do. Init containers are meant
	// only by a rule with Container.
	Image, Container string
	// Annotation and Value are a key and a pattern.
	Annotation, Value string
	Node              string // pattern
	Phase             corev1.PodPhase
	RestartPolicy     corev1.RestartPolicy
}

// Pull is a failure to pull an image.
type Pull struct {
	// Reason is what kubelets call it: ErrImagePull, if empty.
	Reason, Message string
	// Times is how often it fails; after that the image is there. 0 is always.
	Times int32
}

// Exit is how a container ends. An empty reason is Completed for code 0, and
// Error for others.
type Exit struct {
	Code            int32
	Reason, Message string
}

// Unready is a time during which a container's readiness probe fails.
type Unready struct {
	// After is counted from when the container got ready.
	After, For time.Duration
	// Every repeats it, counted from its beginning; 0 is once.
	Every time.Duration
}

// Refusal is the reason and message of a rejected pod.
type Refusal struct{ Reason, Message string }

// Eviction ends a pod that has run for a time.
type Eviction struct {
	After           time.Duration
	Reason, Message string
}

//go:embed builtin.yaml
var builtin []byte

// Builtin are the rules that come after all others, as YAML. They have every
// setting that has to be known.
func Builtin() string { return string(builtin) }

// glob reports whether text matches a pattern, in which * is any characters. An
// empty pattern matches everything.
func glob(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if pattern == "" || len(parts) == 1 {
		return pattern == "" || pattern == text
	}
	last := len(parts) - 1
	if !strings.HasPrefix(text, parts[0]) {
		return false
	}
	text = text[len(parts[0]):]
	for _, part := range parts[1:last] {
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text = text[i+len(part):]
	}
	return strings.HasSuffix(text, parts[last])
}

// selects reports whether the selection has the pod.
func (s *Selection) selects(pod *corev1.Pod) bool {
	switch {
	case s == nil:
		return true
	case !glob(s.Namespace, pod.Namespace), !glob(s.Name, pod.Name), !glob(s.Node, pod.Spec.NodeName):
		return false
	case s.Labels != nil && !s.Labels.Matches(labels.Set(pod.Labels)):
		return false
	case s.Phase != "" && s.Phase != cmp.Or(pod.Status.Phase, corev1.PodPending):
		return false
	case s.RestartPolicy != "" && s.RestartPolicy != pod.Spec.RestartPolicy:
		return false
	}
	if s.OwnerKind != "" {
		owner := metav1.GetControllerOf(pod)
		if owner == nil || owner.Kind != s.OwnerKind || !glob(s.OwnerName, owner.Name) {
			return false
		}
	}
	if s.Annotation != "" {
		if value, ok := pod.Annotations[s.Annotation]; !ok || !glob(s.Value, value) {
			return false
		}
	}
	if s.Image == "" && s.Container == "" {
		return true
	}
	for _, containers := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
		for i := range containers {
			if glob(s.Container, containers[i].Name) && glob(s.Image, containers[i].Image) {
				return true
			}
		}
	}
	return false
}

// OfPod is what the rules say of a pod as a whole: Start, Updates, Reject, Evict.
func OfPod(rules []Rule, pod *corev1.Pod) Rule {
	var out Rule
	for i := range rules {
		r := &rules[i]
		if r.Nodes != "" || !r.Pods.selects(pod) {
			continue
		}
		first(&out.Start, r.Start)
		first(&out.Updates, r.Updates)
		first(&out.Reject, r.Reject)
		first(&out.Evict, r.Evict)
	}
	return out
}

// OfContainer is what the rules say of one of a pod's containers. Of an init
// container that ends, which is told by ends, only the rules say how it runs that
// name containers.
func OfContainer(rules []Rule, pod *corev1.Pod, c *corev1.Container, ends bool) Rule {
	var out Rule
	for i := range rules {
		r := &rules[i]
		if r.Nodes != "" || !r.Pods.selects(pod) {
			continue
		}
		named := r.Pods != nil && r.Pods.Container != ""
		if r.Pods != nil && !(glob(r.Pods.Container, c.Name) && glob(r.Pods.Image, c.Image)) {
			continue
		}
		first(&out.BackOff, r.BackOff)
		first(&out.Stop, r.Stop)
		first(&out.StopExit, r.StopExit)
		if ends && !named {
			continue
		}
		first(&out.Pull, r.Pull)
		first(&out.Run, r.Run)
		first(&out.Exit, r.Exit)
		first(&out.Exits, r.Exits)
		first(&out.Liveness, r.Liveness)
		first(&out.Startup, r.Startup)
		first(&out.Ready, r.Ready)
		first(&out.Unready, r.Unready)
	}
	if ends {
		never := Never
		first(&out.Run, new(time.Duration))
		first(&out.Exit, new(Exit))
		first(&out.Liveness, &never)
		first(&out.Startup, new(time.Duration))
		first(&out.Ready, new(time.Duration))
	}
	return out
}

// OfNode is what the rules say of a node: Pressure, EvictEvery.
func OfNode(rules []Rule, name string) Rule {
	var out Rule
	for i := range rules {
		r := &rules[i]
		if r.Nodes == "" || !glob(r.Nodes, name) {
			continue
		}
		if out.Pressure == nil {
			out.Pressure = r.Pressure
		}
		first(&out.EvictEvery, r.EvictEvery)
	}
	return out
}

func first[T any](to **T, from *T) {
	if *to == nil {
		*to = from
	}
}
