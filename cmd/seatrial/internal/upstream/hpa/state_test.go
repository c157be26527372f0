package hpa

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// asking is an HPA whose only metric asks for the load in thousands.
func asking(minimum, maximum int32) *autoscalingv2.HorizontalPodAutoscaler {
	return autoscaler(minimum, maximum, externalMetric("queue", averageTarget(1000)))
}

// at is one reconcile at a size and a load.
func at(t *testing.T, hpa *autoscalingv2.HorizontalPodAutoscaler, s State, replicas int32, load int64) Output {
	t.Helper()
	in := external(hpa, replicas, replicas, 0)
	qps(1000 * load)(&in)
	in.External["queue"] = in.External["qps"]
	in.State = s
	return reconcile(t, in)
}

func TestStateRemembers(t *testing.T) {
	hpa := asking(1, 9)
	s := State{}
	for _, step := range []struct {
		replicas int32
		load     int64
		want     int32
		high     string
	}{
		{6, 3, 6, "6,3"},
		{6, 5, 6, "6,5"},
		{6, 2, 6, "6,5,2"},
		{6, 4, 6, "6,5,4"},
		{6, 30, 9, "10"},
		{9, 1, 9, "10,1"},
	} {
		out := at(t, hpa, s, step.replicas, step.load)
		if out.Desired != step.want || out.State.High != step.high {
			t.Fatalf("from %d at %d: desired %d, high %s; want %d, %s", step.replicas, step.load, out.Desired, out.State.High, step.want, step.high)
		}
		s = out.State
	}
	if s.Low != "" || s.Changes != "" || !s.Known || !s.Selecting {
		t.Errorf("without behavior the state is %+v", s)
	}
}

func TestElapse(t *testing.T) {
	plain := asking(1, 9)
	behaved := withBehavior(asking(1, 20), rules(60, podsPolicy(2, 15), podsPolicy(4, 30)), rules(60, podsPolicy(1, 60)))
	for _, c := range []struct {
		name string
		hpa  *autoscalingv2.HorizontalPodAutoscaler
		in   State
		want []State
	}{
		{"nothing remembered", behaved, State{Known: true, Selecting: true}, nil},
		{"the oldest leaves the window", plain, State{High: "6,5,2"}, []State{{High: "5,2"}}},
		{"the last leaves the window", plain, State{Known: true, High: "6"}, []State{{Known: true}}},
		{"one window at a time", behaved, State{High: "6", Low: "2,3"}, []State{{Low: "2,3"}, {High: "6", Low: "3"}}},
		{"the oldest of each age moves on", behaved, State{Changes: "+2:1,+1:0,-1:0"}, []State{{Changes: "+2:2,+1:0,-1:0"}, {Changes: "+2:1,+1:1,-1:0"}}},
		{"an outdated change may be forgotten early", behaved, State{Changes: "+2:2,+1:0"}, []State{{Changes: "+1:0"}, {Changes: "+2:2,+1:1"}}},
		{"no change after it, not forgotten early", behaved, State{Changes: "+2:2,-1:1"}, []State{{Changes: "-1:1"}, {Changes: "+2:2,-1:2"}}},
		{"outlives the longest period", behaved, State{Changes: "-1:2"}, []State{{}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Elapse(c.hpa, c.in)); diff != "" {
				t.Errorf("successors (-want +got):\n%s", diff)
			}
		})
	}
	if Elapse(nil, State{High: "1"}) != nil {
		t.Error("successors without an HPA")
	}
}

// TestLoopsClose drives an HPA to and fro without any time passing: the states
// repeat, so that a search over them ends.
func TestLoopsClose(t *testing.T) {
	hpa := withBehavior(asking(1, 9), rules(0, podsPolicy(3, 60)), rules(0, podsPolicy(3, 120)))
	type point struct {
		replicas int32
		state    State
	}
	seen := map[point]bool{}
	now := point{replicas: 4}
	for i := 0; ; i++ {
		if i > 1000 {
			t.Fatalf("no state came back in %d reconciles; the last is %+v", i, now)
		}
		load := int64(1)
		if now.replicas < 4 {
			load = 7
		}
		out := at(t, hpa, now.state, now.replicas, load)
		now = point{out.Desired, out.State}
		if seen[now] {
			break
		}
		seen[now] = true
	}
	if len(seen) > 40 {
		t.Errorf("%d states before the first came back", len(seen))
	}
}

// TestElapseEnds checks that every chain of Elapse ends, with nothing
// remembered.
func TestElapseEnds(t *testing.T) {
	hpa := withBehavior(asking(1, 20), rules(60, podsPolicy(2, 15), podsPolicy(4, 30)), rules(60, podsPolicy(1, 60)))
	s := State{}
	replicas := int32(5)
	for _, load := range []int64{9, 3, 12, 6, 15, 1} {
		out := at(t, hpa, s, replicas, load)
		s, replicas = out.State, out.Desired
	}
	depth := map[State]int{}
	var longest func(s State) int
	longest = func(s State) int {
		if d, ok := depth[s]; ok {
			if d < 0 {
				t.Fatalf("%+v comes back", s)
			}
			return d
		}
		depth[s] = -1
		d := 0
		for _, next := range Elapse(hpa, s) {
			d = max(d, 1+longest(next))
		}
		depth[s] = d
		if d == 0 && (s != State{Known: true, Selecting: true}) {
			t.Errorf("time ends at %+v", s)
		}
		return d
	}
	if longest(s) == 0 {
		t.Errorf("nothing was remembered in %+v", s)
	}
}

// TestTwoHPAs is dev/E3: two HPAs on one target, beside the real controller.
// The first acts once before the other's selector is known, then both are
// disabled; bounds that do not meet are fought over all the same.
func TestTwoHPAs(t *testing.T) {
	p := newPlant(t)
	one := autoscaler(1, 4, utilization(corev1.ResourceCPU, 50))
	two := autoscaler(3, 9, utilization(corev1.ResourceCPU, 90))
	one.Name, two.Name = "one", "two"
	enqueueHPA(p.controller, one)
	enqueueHPA(p.controller, two)
	states := map[string]State{}
	pods := workload(one, 1000, 900, 900).Pods
	for i := range pods {
		pods[i] = dated(pods[i], Usage{})
	}
	for _, step := range []struct {
		hpa, other *autoscalingv2.HorizontalPodAutoscaler
		replicas   int32
		want       int32
		reason     string
	}{
		{one, two, 2, 4, "ValidMetricFound"},
		{two, one, 4, 4, "AmbiguousSelector"},
		{one, two, 4, 4, "AmbiguousSelector"},
		{one, two, 8, 4, ""},
		{two, one, 1, 3, ""},
	} {
		in := workload(step.hpa, 1000, 900, 900)
		in.Pods, in.SpecReplicas, in.State = pods, step.replicas, states[step.hpa.Name]
		var others []labels.Selector
		if states[step.other.Name].Selecting {
			others = append(others, selector)
		}
		in.Ambiguous = Ambiguous(in.Selector, in.Pods, others)
		out := reconcile(t, in)
		states[step.hpa.Name] = out.State
		real := p.reconcile(t, in, samplesOf(in))
		_, reason, _ := p.condition(autoscalingv2.ScalingActive)
		if out.Desired != real || out.Reason != reason {
			t.Errorf("%s at %d: desired %d, reason %q; the real controller %d, %q", step.hpa.Name, step.replicas, out.Desired, out.Reason, real, reason)
		}
		if out.Desired != step.want || out.Reason != step.reason {
			t.Errorf("%s at %d: desired %d, reason %q; want %d, %q", step.hpa.Name, step.replicas, out.Desired, out.Reason, step.want, step.reason)
		}
	}
}

// TestSameInputSameOutput checks that the input is left alone and the answer
// does not vary.
func TestSameInputSameOutput(t *testing.T) {
	in := workload(autoscaler(1, 9, utilization(corev1.ResourceCPU, 50), podsMetric("none", 1)), 1000, 900, 100, 400)
	unready(1)(&in)
	before := in.Pods[1].DeepCopy()
	first := reconcile(t, in)
	for range 20 {
		if diff := cmp.Diff(first, reconcile(t, in)); diff != "" {
			t.Fatalf("another answer:\n%s", diff)
		}
	}
	if diff := cmp.Diff(before, in.Pods[1]); diff != "" {
		t.Errorf("the pod was changed:\n%s", diff)
	}
}

func BenchmarkReconcile(b *testing.B) {
	for _, c := range []struct {
		name string
		pods int
	}{{"3 pods", 3}, {"100 pods", 100}} {
		levels := make([]int64, c.pods)
		for i := range levels {
			levels[i] = 700
		}
		in := workload(autoscaler(1, 200, utilization(corev1.ResourceCPU, 50)), 1000, levels...)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Reconcile(context.Background(), in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
