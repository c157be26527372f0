package replicaset

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type option func(*corev1.Pod)

// pod is Running and Ready on node a unless options say otherwise.
func pod(name string, options ...option) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: map[string]string{}}}
	p.Spec.NodeName = "a"
	p.Status.Phase = corev1.PodRunning
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	for _, change := range options {
		change(p)
	}
	return p
}

func on(node string) option           { return func(p *corev1.Pod) { p.Spec.NodeName = node } }
func phase(ph corev1.PodPhase) option { return func(p *corev1.Pod) { p.Status.Phase = ph } }
func unready(p *corev1.Pod)           { p.Status.Conditions[0].Status = corev1.ConditionFalse }
func terminating(p *corev1.Pod)       { p.DeletionTimestamp = &metav1.Time{} }
func cost(value string) option {
	return func(p *corev1.Pod) { p.Annotations[corev1.PodDeletionCost] = value }
}

func restarted(times int32) option {
	return func(p *corev1.Pod) { p.Status.ContainerStatuses = []corev1.ContainerStatus{{RestartCount: times}} }
}

func wanting(replicas int32) *appsv1.ReplicaSet {
	rs := &appsv1.ReplicaSet{}
	rs.Spec.Replicas = &replicas
	return rs
}

func TestVictimsFollowTheRealRanking(t *testing.T) {
	// Rules of ActivePodsWithRanks (pkg/controller/controller_utils.go).
	for _, row := range []struct {
		name    string
		pods    []*corev1.Pod
		related []*corev1.Pod
		n       int
		want    [][]string
	}{
		{"unassigned first", []*corev1.Pod{pod("x"), pod("y", on(""), phase(corev1.PodPending), unready)}, nil, 1, [][]string{{"y"}}},
		{"pending before unknown before running", []*corev1.Pod{pod("x"), pod("y", phase(corev1.PodUnknown)), pod("z", phase(corev1.PodPending))}, nil, 2, [][]string{{"y", "z"}}},
		{"not ready first", []*corev1.Pod{pod("x"), pod("y", unready)}, nil, 1, [][]string{{"y"}}},
		{"readiness before cost", []*corev1.Pod{pod("x", cost("-5")), pod("y", unready)}, nil, 1, [][]string{{"y"}}},
		{"lower cost first, absent is 0", []*corev1.Pod{pod("x", cost("1")), pod("y"), pod("z", cost("-1"))}, nil, 2, [][]string{{"y", "z"}}},
		{"fuller node first, by pods of the owner", []*corev1.Pod{pod("x"), pod("y", on("b"))}, []*corev1.Pod{pod("x"), pod("y", on("b")), pod("old", on("b"))}, 1, [][]string{{"y"}}},
		{"inactive pods do not fill a node", []*corev1.Pod{pod("x"), pod("y", on("b"))}, []*corev1.Pod{pod("x"), pod("y", on("b")), pod("old", on("b"), terminating)}, 1, [][]string{{"x"}, {"y"}}},
		{"more restarts first among unready", []*corev1.Pod{pod("x", unready, restarted(1)), pod("y", unready, restarted(3))}, nil, 1, [][]string{{"y"}}},
		{"readiness time may beat restarts among ready", []*corev1.Pod{pod("x", restarted(1)), pod("y", restarted(3))}, nil, 1, [][]string{{"x"}, {"y"}}},
		{"all of them", []*corev1.Pod{pod("y"), pod("x"), pod("z", terminating)}, nil, 2, [][]string{{"x", "y"}}},
		{"none", []*corev1.Pod{pod("y")}, nil, 0, nil},
		{"two of three", []*corev1.Pod{pod("z"), pod("x"), pod("y")}, nil, 2, [][]string{{"x", "y"}, {"x", "z"}, {"y", "z"}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := Victims(wanting(0), row.pods, row.related, row.n, nil, nil)
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestVictimsUpToInterchangeablePods(t *testing.T) {
	var pods []*corev1.Pod
	for i := range 12 {
		pods = append(pods, pod(fmt.Sprintf("p%02d", i), on(string(rune('a'+i%2)))))
	}
	same := func(a, b *corev1.Pod) bool { return a.Spec.NodeName == b.Spec.NodeName }
	want := [][]string{{"p00", "p02", "p04"}, {"p00", "p01", "p02"}, {"p00", "p01", "p03"}, {"p01", "p03", "p05"}}
	if diff := cmp.Diff(want, Victims(wanting(0), pods, pods, 3, same, nil)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDeltaCountsActivePods(t *testing.T) {
	pods := []*corev1.Pod{pod("x"), pod("y", terminating), pod("z", phase(corev1.PodFailed)), pod("w", phase(corev1.PodSucceeded)), pod("v", phase(corev1.PodPending))}
	for replicas, want := range map[int32]int{0: -2, 2: 0, 5: 3, 2000: 500} {
		if got := Delta(wanting(replicas), pods); got != want {
			t.Errorf("%d replicas: %d, want %d", replicas, got, want)
		}
	}
	deleted := wanting(5)
	deleted.DeletionTimestamp = &metav1.Time{}
	if got := Delta(deleted, pods); got != 0 {
		t.Errorf("deleted: %d", got)
	}
}

func TestStatusAsksForAvailabilityOnlyWithMinReadySeconds(t *testing.T) {
	pods := []*corev1.Pod{pod("x"), pod("y"), pod("z", unready), pod("w", terminating)}
	rs := wanting(3)
	never := func(*corev1.Pod) bool { return false }
	if got := Status(rs, pods, never); got.Replicas != 3 || got.ReadyReplicas != 2 || got.AvailableReplicas != 2 || *got.TerminatingReplicas != 1 {
		t.Errorf("without minReadySeconds: %+v", got)
	}
	rs.Spec.MinReadySeconds = 5
	if got := Status(rs, pods, never); got.ReadyReplicas != 2 || got.AvailableReplicas != 0 {
		t.Errorf("with minReadySeconds: %+v", got)
	}
	if got := Status(rs, pods, nil); got.AvailableReplicas != 2 {
		t.Errorf("with minReadySeconds passed: %+v", got)
	}
}

func BenchmarkVictims(b *testing.B) {
	var pods []*corev1.Pod
	for i := range 10 {
		pods = append(pods, pod(fmt.Sprintf("p%02d", i), on(string(rune('a'+i%3)))))
	}
	same := func(a, b *corev1.Pod) bool { return a.Spec.NodeName == b.Spec.NodeName }
	b.ReportAllocs()
	for b.Loop() {
		Victims(wanting(0), pods, pods, 1, same, nil)
	}
}

func TestVictimsUpToInterchangeableNodes(t *testing.T) {
	var pods []*corev1.Pod
	for i := range 9 { // three on each of a, b and c, of which a and c are alike
		pods = append(pods, pod(fmt.Sprintf("p%d", i), on(string(rune('a'+i%3)))))
	}
	same := func(a, b *corev1.Pod) bool { return a.Spec.NodeName == b.Spec.NodeName }
	alike := func(a, b *corev1.Pod) bool { return a.Spec.NodeName != "b" && b.Spec.NodeName != "b" }
	spread := func(alike func(a, b *corev1.Pod) bool) map[string]int {
		out := map[string]int{}
		for _, set := range Victims(wanting(0), pods, nil, 4, same, alike) {
			taken := map[byte]int{}
			for _, name := range set {
				taken["abc"[(name[1]-'0')%3]]++
			}
			out[fmt.Sprintf("%d of b, %d and %d", taken['b'], max(taken['a'], taken['c']), min(taken['a'], taken['c']))]++
		}
		return out
	}
	all, once := spread(nil), spread(alike)
	for how, n := range all {
		if n < 1 || once[how] != 1 {
			t.Errorf("%s: %d times, %d times with nodes that are alike", how, n, once[how])
		}
	}
	if len(once) != len(all) {
		t.Errorf("%v, want those of %v", once, all)
	}
}
