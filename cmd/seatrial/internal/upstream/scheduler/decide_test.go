package scheduler

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
)

func quantities(cpu, memory string) corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse(cpu),
		corev1.ResourceMemory: resource.MustParse(memory),
	}
}

func testNode(name, zone string) *corev1.Node {
	capacity := quantities("4", "8Gi")
	capacity[corev1.ResourcePods] = resource.MustParse("110")
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			corev1.LabelHostname: name, corev1.LabelTopologyZone: zone,
		}},
		Status: corev1.NodeStatus{Capacity: capacity, Allocatable: capacity},
	}
}

func testNodes(n int) []*corev1.Node {
	var nodes []*corev1.Node
	for i := range n {
		nodes = append(nodes, testNode(fmt.Sprintf("node-%03d", i), fmt.Sprintf("zone-%d", i%3)))
	}
	return nodes
}

func testPod(name, node, cpu string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, Labels: map[string]string{"app": "web"}},
		Spec: corev1.PodSpec{
			SchedulerName: corev1.DefaultSchedulerName,
			NodeName:      node,
			Containers: []corev1.Container{{
				Name: "main", Image: "web",
				Resources: corev1.ResourceRequirements{Requests: quantities(cpu, "512Mi")},
			}},
		},
	}
}

func newScheduler(t testing.TB, change func(*config.KubeSchedulerConfiguration), static Static) *Scheduler {
	t.Helper()
	cfg, err := latest.Default()
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(cfg)
	}
	s, err := New(t.Context(), cfg, static)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func decide(t testing.TB, s *Scheduler, pod *corev1.Pod, c Cluster) Decision {
	t.Helper()
	d, err := s.Decide(t.Context(), pod, c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDecide(t *testing.T) {
	s := newScheduler(t, nil, Static{})
	nodes := testNodes(3)

	t.Run("equal nodes are all possible", func(t *testing.T) {
		got := decide(t, s, testPod("p", "", "1"), Cluster{Nodes: []*corev1.Node{nodes[2], nodes[0], nodes[1]}})
		want := Decision{Nodes: []string{"node-000", "node-001", "node-002"}, Rejected: map[string]Rejection{}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("the emptiest node wins and a full one is rejected", func(t *testing.T) {
		got := decide(t, s, testPod("p", "", "1"), Cluster{Nodes: nodes, Pods: []*corev1.Pod{
			testPod("a", "node-000", "1"), testPod("b", "node-001", "3500m"), testPod("gone", "node-999", "1"),
		}})
		want := Decision{Nodes: []string{"node-002"}, Rejected: map[string]Rejection{
			"node-001": {Plugin: "NodeResourcesFit", Message: "Insufficient cpu", Resolvable: true},
		}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("a finished pod takes no room", func(t *testing.T) {
		done := testPod("b", "node-001", "3500m")
		done.Status.Phase = corev1.PodSucceeded
		got := decide(t, s, testPod("p", "", "1"), Cluster{Nodes: nodes[1:2], Pods: []*corev1.Pod{done}})
		if diff := cmp.Diff([]string{"node-001"}, got.Nodes); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("unschedulable comes with the message of the pod's condition", func(t *testing.T) {
		nodes := testNodes(3)
		nodes[0].Spec.Unschedulable = true
		got := decide(t, s, testPod("p", "", "8"), Cluster{Nodes: nodes})
		want := "0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu."
		if got.Message != want || got.Nodes != nil {
			t.Errorf("got %q on %v, want %q", got.Message, got.Nodes, want)
		}
	})
	t.Run("a gated pod waits in the queue", func(t *testing.T) {
		pod := testPod("p", "", "1")
		pod.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "example.com/wait"}}
		got := decide(t, s, pod, Cluster{Nodes: nodes})
		if got.Nodes != nil || got.Rejected["node-000"].Plugin != "SchedulingGates" || !strings.Contains(got.Message, "example.com/wait") {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("no nodes", func(t *testing.T) {
		if got := decide(t, s, testPod("p", "", "1"), Cluster{}); got.Nodes != nil || got.Message != noNodesMessage {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("a pod of another scheduler is an error", func(t *testing.T) {
		pod := testPod("p", "", "1")
		pod.Spec.SchedulerName = "other"
		if _, err := s.Decide(t.Context(), pod, Cluster{Nodes: nodes}); err == nil || s.Handles("other") || !s.Handles("default-scheduler") {
			t.Errorf("got %v", err)
		}
	})
}

func TestDefaultSpreadReadsTheReplicaSets(t *testing.T) {
	replicaSet := &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"},
		Spec:       appsv1.ReplicaSetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}},
	}
	owned := func(name, node string) *corev1.Pod {
		pod, yes := testPod(name, node, "0"), true
		pod.Spec.Containers[0].Resources.Requests = nil
		pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", Controller: &yes}}
		return pod
	}
	// Both nodes are as full; only the spread tells them apart.
	other := testPod("other", "node-001", "0")
	other.Spec.Containers[0].Resources.Requests, other.Labels = nil, nil
	c := Cluster{Nodes: testNodes(2), Pods: []*corev1.Pod{owned("a", "node-000"), other}}
	both, one := []string{"node-000", "node-001"}, []string{"node-001"}

	s := newScheduler(t, nil, Static{})
	for _, step := range []struct {
		replicaSets []*appsv1.ReplicaSet
		want        []string
	}{
		{nil, both}, {[]*appsv1.ReplicaSet{replicaSet}, one}, {nil, both},
	} {
		c.ReplicaSets = step.replicaSets
		if diff := cmp.Diff(step.want, decide(t, s, owned("p", ""), c).Nodes); diff != "" {
			t.Errorf("with %d ReplicaSets: %s", len(step.replicaSets), diff)
		}
	}
	s = newScheduler(t, nil, Static{ReplicaSets: []*appsv1.ReplicaSet{replicaSet}})
	for _, step := range []struct {
		replicaSets []*appsv1.ReplicaSet
		want        []string
	}{
		{nil, one}, {[]*appsv1.ReplicaSet{}, both}, {nil, one},
	} {
		c.ReplicaSets = step.replicaSets
		if diff := cmp.Diff(step.want, decide(t, s, owned("p", ""), c).Nodes); diff != "" {
			t.Errorf("static, with %d ReplicaSets: %s", len(step.replicaSets), diff)
		}
	}
}

func TestNewLeavesNoGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		s := newScheduler(t, nil, Static{})
		decide(t, s, testPod("p", "", "1"), Cluster{Nodes: testNodes(3)})
	}
	// The recorder's goroutines end when they next run.
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

func TestNewRefusesExtenders(t *testing.T) {
	_, err := New(t.Context(), &config.KubeSchedulerConfiguration{Extenders: []config.Extender{{URLPrefix: "http://x"}}}, Static{})
	if err == nil || !strings.Contains(err.Error(), "extenders are not supported") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkDecide(b *testing.B) {
	for _, n := range []int{3, 100, 1000} {
		b.Run(fmt.Sprintf("nodes=%d", n), func(b *testing.B) {
			s := newScheduler(b, nil, Static{})
			c := Cluster{Nodes: testNodes(n)}
			for i := range 3 * n {
				c.Pods = append(c.Pods, testPod(fmt.Sprintf("p%d", i), fmt.Sprintf("node-%03d", i%n), "100m"))
				c.Pods[i].UID = types.UID(c.Pods[i].Name)
			}
			pod := testPod("p", "", "1")
			for b.Loop() {
				decide(b, s, pod, c)
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		newScheduler(b, nil, Static{})
	}
}
