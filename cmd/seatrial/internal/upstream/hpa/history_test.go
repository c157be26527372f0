package hpa

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"
)

// TestHistoryIsAmongOurs runs random histories of the real controller on a
// fake clock. Between two reconciles the clock moves on, and our state by any
// sequence of Elapse; each decision of the real controller must be ours under
// one of those sequences, consistently over the whole history.
func TestHistoryIsAmongOurs(t *testing.T) {
	const histories = 1500
	p := newPlant(t)
	seen := map[string]int{}
	synctest.Test(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(2, 36))
		for i := range histories {
			h := newHistory(t, p, random, i, []int32{15, 25, 60, 100, 180})
			// Reconciles are due a sync period apart, some are missed, each may be
			// late. The nanoseconds keep an age from being equal to a period, where
			// the real controller tells "expired" from "outdated".
			due, late := time.Now(), int64(random.IntN(14000))*int64(time.Millisecond)
			for range 4 + random.IntN(9) {
				due = due.Add(seconds(syncPeriodSeconds))
				if random.IntN(5) == 0 {
					due = due.Add(seconds(syncPeriodSeconds * int32(random.IntN(14))))
				}
				advance(time.Until(due.Add(time.Duration(random.Int64N(late + int64(time.Millisecond))))))
				h.states = closure(h.hpa, h.states)
				seen["largest"] = max(seen["largest"], len(h.states))
				h.step(t, seen)
			}
		}
	})
	for _, kind := range []string{"held down", "held up", "ScaleUpLimit", "ScaleDownLimit", "TooManyReplicas", "TooFewReplicas", AboveMaximum, BelowMinimum, "failed"} {
		if seen[kind] < 100 {
			t.Errorf("only %d reconciles of %q", seen[kind], kind)
		}
	}
	t.Logf("%d histories: %v", histories, seen)
}

// TestHistoryWithoutTimeIsOurs is the same on a clock that stands still: then
// there is one state, and every decision is equal.
func TestHistoryWithoutTimeIsOurs(t *testing.T) {
	const histories = 1500
	p := newPlant(t)
	seen := map[string]int{}
	synctest.Test(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(3, 36))
		for i := range histories {
			// Periods so long that as many changes fit in as the history can have.
			h := newHistory(t, p, random, i, []int32{120, 300, 1800})
			for range 4 + random.IntN(5) {
				h.step(t, seen)
				if len(h.states) != 1 {
					t.Fatalf("history %d: %d states", i, len(h.states))
				}
			}
		}
	})
	t.Logf("%d histories: %v", histories, seen)
}

// TestTimeMatters shows that the oracle can fail: a state that never forgets
// does not follow the real controller.
func TestTimeMatters(t *testing.T) {
	p := newPlant(t)
	hpa := autoscaler(1, 9, externalMetric("queue", averageTarget(1000)))
	synctest.Test(t, func(t *testing.T) {
		in := Input{HPA: hpa, SpecReplicas: 6, StatusReplicas: 6, Selector: selector}
		qps := func(milli int64) {
			in.External = map[string]resource.Quantity{"queue": *resource.NewMilliQuantity(milli, resource.DecimalSI)}
		}
		qps(2000)
		if desired := p.reconcile(t, in, nil); desired != 6 {
			t.Fatalf("the real controller goes to %d within the window, want 6", desired)
		}
		remembered := reconcile(t, in).State
		advance(seconds(downscaleStabilisationSeconds) + time.Second)
		if desired := p.reconcile(t, in, nil); desired != 2 {
			t.Fatalf("the real controller goes to %d after the window, want 2", desired)
		}
		in.State = remembered
		if out := reconcile(t, in); out.Desired != 6 {
			t.Errorf("without Elapse %d, want 6", out.Desired)
		}
		in.State = Elapse(hpa, remembered)[0]
		if out := reconcile(t, in); out.Desired != 2 {
			t.Errorf("with Elapse %d, want 2", out.Desired)
		}
	})
}

// history is one HPA under random loads, with every state we may be in.
type history struct {
	number   int
	p        *plant
	random   *rand.Rand
	hpa      *autoscalingv2.HorizontalPodAutoscaler
	replicas int32
	states   map[State]bool
	log      []string
}

func newHistory(t *testing.T, p *plant, random *rand.Rand, number int, periods []int32) *history {
	t.Helper()
	minimum := int32(random.IntN(3) + 1)
	hpa := autoscaler(minimum, minimum+int32(random.IntN(30)), externalMetric("queue", averageTarget(1000)))
	hpa.Name = fmt.Sprintf("%s-%d", t.Name(), number)
	if random.IntN(5) > 0 {
		hpa = withBehavior(hpa, historyRules(random, periods), historyRules(random, periods))
	}
	return &history{
		number: number, p: p, random: random, hpa: hpa, replicas: int32(random.IntN(12)),
		states: map[State]bool{{}: true},
	}
}

// historyRules draws a window and policies, or leaves them to the defaults.
func historyRules(random *rand.Rand, periods []int32) *autoscalingv2.HPAScalingRules {
	r := &autoscalingv2.HPAScalingRules{}
	if window := []int32{-1, 0, 20, 60, 150, 300}[random.IntN(6)]; window >= 0 {
		r.StabilizationWindowSeconds = &window
	}
	if choice := []autoscalingv2.ScalingPolicySelect{"", "", autoscalingv2.MinChangePolicySelect, autoscalingv2.DisabledPolicySelect}[random.IntN(4)]; choice != "" && random.IntN(2) == 0 {
		r.SelectPolicy = &choice
	}
	for range 1 + random.IntN(2) {
		period := periods[random.IntN(len(periods))]
		if random.IntN(2) == 0 {
			r.Policies = append(r.Policies, podsPolicy(int32(random.IntN(4)+1), period))
		} else {
			r.Policies = append(r.Policies, percentPolicy(int32(random.IntN(120)+1), period))
		}
	}
	return r
}

// step is one reconcile of both sides; it keeps the states of ours that decide
// as the real controller did.
func (h *history) step(t *testing.T, seen map[string]int) {
	t.Helper()
	if h.random.IntN(20) == 0 {
		// Someone else scales the target.
		h.replicas = int32(h.random.IntN(15))
	}
	in := Input{HPA: h.hpa, SpecReplicas: h.replicas, StatusReplicas: h.replicas, Selector: selector}
	wanted := int64(h.random.IntN(int(h.hpa.Spec.MaxReplicas) + 3))
	if h.random.IntN(10) > 0 {
		in.External = map[string]resource.Quantity{"queue": *resource.NewMilliQuantity(1000*wanted, resource.DecimalSI)}
	}
	real := h.p.outcome(in, h.p.reconcile(t, in, nil))
	h.log = append(h.log, fmt.Sprintf("%s from %d, load of %d: real %d (%s)", time.Now().Format("15:04:05.000"), h.replicas, wanted, real.Desired, real.Limited))
	next, kinds := map[State]bool{}, map[string]bool{real.Limited: true}
	answers := map[int32]bool{}
	var ours []string
	for state := range h.states {
		in.State = state
		out, err := Reconcile(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		answers[out.Desired] = true
		if out.Desired == real.Desired && out.Limited == real.Limited && out.Reason == real.Reason {
			next[out.State] = true
			kinds[h.kind(out)] = true
		} else if len(ours) < 5 {
			ours = append(ours, fmt.Sprintf("%+v: %d (%s)", state, out.Desired, out.Limited))
		}
	}
	if len(next) == 0 {
		t.Fatalf("history %d with %+v: the last decision is not among ours\nours: %q\nhistory: %q", h.number, h.hpa.Spec.Behavior, ours, h.log)
	}
	h.states, h.replicas = next, real.Desired
	for kind := range kinds {
		seen[kind]++
	}
	seen["reconciles"]++
	seen["answers allowed"] += len(answers)
}

// kind names the decision of a stabilisation window, or a failure.
func (h *history) kind(out Output) string {
	switch {
	case out.Reason != "" && out.Reason != "ValidMetricFound":
		return "failed"
	case out.Stabilised > out.Recommended:
		return "held down"
	case out.Stabilised < out.Recommended && out.Stabilised <= h.hpa.Spec.MaxReplicas:
		return "held up"
	}
	return "as recommended"
}

// closure adds every state to which time may lead.
func closure(hpa *autoscalingv2.HorizontalPodAutoscaler, states map[State]bool) map[State]bool {
	all, pending := map[State]bool{}, []State{}
	for state := range states {
		all[state] = true
		pending = append(pending, state)
	}
	for len(pending) > 0 {
		last := len(pending) - 1
		state := pending[last]
		pending = pending[:last]
		for _, next := range Elapse(hpa, state) {
			if !all[next] {
				all[next] = true
				pending = append(pending, next)
			}
		}
	}
	return all
}
