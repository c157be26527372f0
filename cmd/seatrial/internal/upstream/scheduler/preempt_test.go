package scheduler

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
)

func important1000(cpu string) *corev1.Pod {
	pod := testPod("important", "", cpu)
	pod.Spec.Priority = new(int32(1000))
	return pod
}

// crowd is one node with n pods of different kinds and no start time; each asks
// for as much of the node's CPU as the others.
func crowd(n int) Cluster {
	c := Cluster{Nodes: testNodes(1)}
	for i := range n {
		pod := testPod(fmt.Sprintf("p%02d", i), c.Nodes[0].Name, "1")
		pod.Spec.Containers[0].Resources.Requests = corev1.ResourceList{
			corev1.ResourceCPU: *resource.NewMilliQuantity(int64(4000/n), resource.DecimalSI),
		}
		pod.Labels = map[string]string{"app": pod.Name}
		c.Pods = append(c.Pods, pod)
	}
	return c
}

func preempt(t testing.TB, s *Scheduler, pod *corev1.Pod, c Cluster) []Preemption {
	t.Helper()
	set, err := s.Preempt(t.Context(), pod, c)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestPreempt(t *testing.T) {
	s := newScheduler(t, nil, Static{})
	two := Cluster{Nodes: testNodes(2), Pods: []*corev1.Pod{
		testPod("a", "node-000", "2"), testPod("b", "node-000", "2"), testPod("c", "node-001", "4"),
	}}
	t.Run("the node with fewer victims is chosen", func(t *testing.T) {
		want := []Preemption{{Node: "node-001", Victims: []string{"default/c"}}}
		if diff := cmp.Diff(want, preempt(t, s, important1000("3"), two)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("any of alike victims", func(t *testing.T) {
		want := []Preemption{
			{Node: "node-000", Victims: []string{"default/a"}},
			{Node: "node-000", Victims: []string{"default/b"}},
			{Node: "node-001", Victims: []string{"default/c"}},
		}
		if diff := cmp.Diff(want, preempt(t, s, important1000("1"), two)); diff != "" {
			t.Error(diff)
		}
		merged := two
		merged.MergeAlike = true
		if diff := cmp.Diff([]Preemption{want[0], want[2]}, preempt(t, s, important1000("1"), merged)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("nothing to do for a pod that fits, may not preempt, or is not more important", func(t *testing.T) {
		free := Cluster{Nodes: testNodes(3), Pods: two.Pods}
		never := important1000("1")
		never.Spec.PreemptionPolicy = new(corev1.PreemptNever)
		for _, try := range []struct {
			pod *corev1.Pod
			c   Cluster
		}{
			{important1000("1"), free}, {never, two}, {testPod("p", "", "1"), two}, {important1000("1"), Cluster{}},
		} {
			if set := preempt(t, s, try.pod, try.c); set != nil {
				t.Errorf("got %v", set)
			}
		}
	})
	t.Run("a profile without the plugin does not preempt", func(t *testing.T) {
		off := newScheduler(t, func(cfg *config.KubeSchedulerConfiguration) {
			cfg.Profiles[0].Plugins.PostFilter.Disabled = []config.Plugin{{Name: "DefaultPreemption"}}
		}, Static{})
		if set := preempt(t, off, important1000("1"), two); set != nil {
			t.Errorf("got %v", set)
		}
	})
	t.Run("the input is left alone", func(t *testing.T) {
		before := copyCluster(two)
		preempt(t, s, important1000("1"), two)
		if diff := cmp.Diff(before, two); diff != "" {
			t.Error(diff)
		}
	})
}

func TestPreemptAmongManyKinds(t *testing.T) {
	s := newScheduler(t, nil, Static{})
	t.Run("one of thirty", func(t *testing.T) {
		set := preempt(t, s, important1000("100m"), crowd(30))
		if len(set) != 30 {
			t.Errorf("%d outcomes, want 30: %v", len(set), set)
		}
	})
	t.Run("two of twelve", func(t *testing.T) {
		set := preempt(t, s, important1000("600m"), crowd(12))
		if len(set) != 66 {
			t.Errorf("%d outcomes, want 66", len(set))
		}
	})
	t.Run("alike pods are merged where they are too many to list", func(t *testing.T) {
		c := crowd(40)
		for _, pod := range c.Pods {
			pod.Labels = nil
		}
		set, err := s.Preempt(t.Context(), important1000("2"), c)
		if !errors.Is(err, ErrTooManyOutcomes) || len(set) != outcomesMax {
			t.Errorf("%d outcomes, %v", len(set), err)
		}
		c.MergeAlike = true
		if set := preempt(t, s, important1000("2"), c); len(set) != 1 || len(set[0].Victims) != 20 {
			t.Errorf("got %v", set)
		}
	})
	t.Run("a budget makes all orders count, and many of them too many", func(t *testing.T) {
		c := crowd(10)
		c.PDBs = []*policyv1.PodDisruptionBudget{{
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "all"},
			Spec: policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
				{Key: "app", Operator: metav1.LabelSelectorOpExists},
			}}},
			Status: policyv1.PodDisruptionBudgetStatus{DisruptionsAllowed: 5},
		}}
		set, err := s.Preempt(t.Context(), important1000("200m"), c)
		if !errors.Is(err, ErrTooManyOutcomes) || len(set) == 0 {
			t.Errorf("%d outcomes, %v", len(set), err)
		}
	})
}

// dryRun hands pods to the plugin in the order it wants them to be reprieved in.
// The plugin sorts them with sort.Slice, which is not stable: on a slice that is
// sorted already it has to change nothing.
func TestSortingLeavesSortedTiesAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		type item struct{ rank, at int }
		items := make([]item, r.IntN(120))
		rank := 0
		for i := range items {
			if r.IntN(1+r.IntN(20)) == 0 {
				rank++
			}
			items[i] = item{rank, i}
		}
		sort.Slice(items, func(i, j int) bool { return items[i].rank < items[j].rank })
		if !slices.IsSortedFunc(items, func(a, b item) int { return a.at - b.at }) {
			t.Fatalf("changed order of %v", items)
		}
	}
}

func BenchmarkPreempt(b *testing.B) {
	for _, n := range []int{3, 100} {
		b.Run(fmt.Sprintf("nodes=%d", n), func(b *testing.B) {
			s := newScheduler(b, nil, Static{})
			c := Cluster{Nodes: testNodes(n), MergeAlike: true}
			for i := range 3 * n {
				pod := identified(testPod(fmt.Sprintf("p%d", i), c.Nodes[i%n].Name, "1300m"))
				pod.Status.StartTime = &metav1.Time{Time: testEpoch}
				c.Pods = append(c.Pods, pod)
			}
			for b.Loop() {
				preempt(b, s, important1000("2"), c)
			}
		})
	}
}
