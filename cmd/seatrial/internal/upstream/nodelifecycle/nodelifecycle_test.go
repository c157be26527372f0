package nodelifecycle

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

// node has the conditions, "Type=Status", and taints, "key:Effect", given.
func node(conditions, taints string, unschedulable bool) *corev1.Node {
	n := &corev1.Node{}
	n.Spec.Unschedulable = unschedulable
	for _, field := range strings.Fields(conditions) {
		kind, status, _ := strings.Cut(field, "=")
		n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{
			Type: corev1.NodeConditionType(kind), Status: corev1.ConditionStatus(status),
		})
	}
	for _, field := range strings.Fields(taints) {
		key, effect, _ := strings.Cut(field, ":")
		n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: key, Effect: corev1.TaintEffect(effect)})
	}
	return n
}

func show(taints []corev1.Taint) string {
	var list []string
	for _, taint := range taints {
		list = append(list, strings.TrimPrefix(taint.Key, "node.kubernetes.io/")+":"+string(taint.Effect))
	}
	return strings.Join(list, " ")
}

func TestTaintsFollowConditions(t *testing.T) {
	// nodeConditionToTaintKeyStatusMap, doNoScheduleTaintingPass,
	// processTaintBaseEviction (node_lifecycle_controller.go).
	for _, row := range []struct {
		conditions, taints string
		unschedulable      bool
		want               string
	}{
		{"Ready=True", "", false, ""},
		{"Ready=False", "", false, "not-ready:NoSchedule not-ready:NoExecute"},
		{"Ready=Unknown", "", false, "unreachable:NoSchedule unreachable:NoExecute"},
		{
			"Ready=True MemoryPressure=True DiskPressure=True PIDPressure=True NetworkUnavailable=True", "", false,
			"memory-pressure:NoSchedule disk-pressure:NoSchedule pid-pressure:NoSchedule network-unavailable:NoSchedule",
		},
		{"MemoryPressure=Unknown", "", false, ""},
		{"Ready=True", "", true, "unschedulable:NoSchedule"},
		{"Ready=True", "gpu:NoSchedule node.kubernetes.io/unschedulable:NoSchedule node.kubernetes.io/unreachable:NoExecute", false, "gpu:NoSchedule"},
		{"Ready=Unknown", "node.kubernetes.io/not-ready:NoExecute", false, "unreachable:NoSchedule unreachable:NoExecute"},
		{"", "node.kubernetes.io/unreachable:NoExecute node.kubernetes.io/unreachable:NoSchedule", false, "unreachable:NoExecute"},
		{"Ready=False", "node.kubernetes.io/not-ready:NoExecute gpu:PreferNoSchedule", false, "not-ready:NoExecute gpu:PreferNoSchedule not-ready:NoSchedule"},
	} {
		n := node(row.conditions, row.taints, row.unschedulable)
		if diff := cmp.Diff(row.want, show(TaintsFor(n))); diff != "" {
			t.Errorf("%s, taints %q (-want +got):\n%s", row.conditions, row.taints, diff)
		}
		if len(n.Spec.Taints) != len(strings.Fields(row.taints)) {
			t.Errorf("%s: the node given was changed", row.conditions)
		}
	}
}

func TestThePassesAreSeparate(t *testing.T) {
	n := node("Ready=False", "", true)
	if got := show(NoSchedule(n)); got != "not-ready:NoSchedule unschedulable:NoSchedule" {
		t.Errorf("NoSchedule: %s", got)
	}
	if got := show(NoExecute(n)); got != "not-ready:NoExecute" {
		t.Errorf("NoExecute: %s", got)
	}
}

func TestTolerationSeconds(t *testing.T) {
	// getMinTolerationTime (pkg/controller/tainteviction/taint_eviction.go).
	seconds := func(n int64) *int64 { return &n }
	every := func(n *int64) corev1.Toleration {
		return corev1.Toleration{Operator: corev1.TolerationOpExists, TolerationSeconds: n}
	}
	key := func(key string, n *int64) corev1.Toleration {
		return corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: n}
	}
	for _, row := range []struct {
		name, taints string
		tolerations  []corev1.Toleration
		ok           bool
		after        *int64
	}{
		{"no taint", "", nil, true, nil},
		{"NoSchedule evicts nothing", "a:NoSchedule", nil, true, nil},
		{"not tolerated", "a:NoExecute", nil, false, seconds(0)},
		{"for ever", "a:NoExecute", []corev1.Toleration{key("a", nil)}, true, nil},
		{"for a time", "a:NoExecute", []corev1.Toleration{key("a", seconds(300))}, true, seconds(300)},
		{"least of several taints", "a:NoExecute b:NoExecute", []corev1.Toleration{key("a", seconds(300)), key("b", seconds(20))}, true, seconds(20)},
		{"for ever and for a time", "a:NoExecute b:NoExecute", []corev1.Toleration{key("a", nil), key("b", seconds(20))}, true, seconds(20)},
		{"one of two not tolerated", "a:NoExecute b:NoExecute", []corev1.Toleration{key("a", nil)}, false, seconds(0)},
		{"the first match counts", "a:NoExecute", []corev1.Toleration{every(seconds(5)), key("a", nil)}, true, seconds(5)},
		{"negative is at once", "a:NoExecute", []corev1.Toleration{key("a", seconds(-1))}, true, seconds(0)},
		{"zero is at once", "a:NoExecute", []corev1.Toleration{key("a", seconds(0))}, true, seconds(0)},
	} {
		t.Run(row.name, func(t *testing.T) {
			pod := &corev1.Pod{}
			pod.Spec.Tolerations = row.tolerations
			ok, after := Tolerates(pod, node("", row.taints, false))
			if ok != row.ok || !cmp.Equal(after, row.after) {
				t.Errorf("got %v, %v; want %v, %v", ok, after, row.ok, row.after)
			}
		})
	}
}

func TestDefaultTolerationsLastFiveMinutes(t *testing.T) {
	pod := &corev1.Pod{}
	WithDefaultTolerations(pod)
	WithDefaultTolerations(pod)
	if len(pod.Spec.Tolerations) != 2 {
		t.Fatalf("tolerations %v", pod.Spec.Tolerations)
	}
	if ok, after := Tolerates(pod, node("", "node.kubernetes.io/unreachable:NoExecute", false)); !ok || after == nil || *after != 300 {
		t.Errorf("unreachable: %v, %v", ok, after)
	}
	own := &corev1.Pod{}
	own.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	WithDefaultTolerations(own)
	if len(own.Spec.Tolerations) != 1 {
		t.Errorf("tolerations of a pod that tolerates everything: %v", own.Spec.Tolerations)
	}
}

func BenchmarkTolerates(b *testing.B) {
	pod := &corev1.Pod{}
	WithDefaultTolerations(pod)
	n := node("", "node.kubernetes.io/unreachable:NoExecute", false)
	b.ReportAllocs()
	for b.Loop() {
		Tolerates(pod, n)
	}
}
