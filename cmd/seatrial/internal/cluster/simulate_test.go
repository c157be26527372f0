package cluster_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/trace"
)

func simulate(t *testing.T, text string, o cluster.Options, seed uint64, steps int) *finding.Simulation {
	t.Helper()
	s, err := cluster.Simulate(context.Background(), inputOf(t, text), o, seed, steps)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSimulateRepeatsASeed(t *testing.T) {
	first := simulate(t, pair, cluster.Options{}, 7, 100)
	if diff := cmp.Diff(first, simulate(t, pair, cluster.Options{}, 7, 100)); diff != "" {
		t.Errorf("the same seed gives another walk:\n%s", diff)
	}
	different := 0
	for seed := range uint64(10) {
		if !cmp.Equal(first.Trace, simulate(t, pair, cluster.Options{}, seed, 100).Trace) {
			different++
		}
	}
	if different < 5 {
		t.Errorf("of 10 other seeds %d give another walk", different)
	}
}

// TestSimulateEndsAtRest: each event happens in some run, none more often than
// its budget allows, and at different moments; then nothing is left to do. A
// shorter walk is the beginning of a longer one.
func TestSimulateEndsAtRest(t *testing.T) {
	begins := []string{"node n1 is cordoned", "a drain of node n1 begins: it is cordoned", "Deployment default/late is created"}
	moments := map[string]bool{}
	for seed := range uint64(30) {
		s := simulate(t, pair, cluster.Options{}, seed, 100)
		if !s.AtRest || s.End != "at rest" || s.Code() != finding.CodeHolds {
			t.Fatalf("seed %d: %s", seed, s.End)
		}
		happened := map[string]bool{}
		for i, step := range s.Trace.Steps {
			if !slices.Contains(begins, step.Action) {
				continue
			}
			if happened[step.Action] {
				t.Errorf("seed %d: twice: %s", seed, step.Action)
			}
			happened[step.Action] = true
			moments[fmt.Sprint(step.Action, " at ", i)] = true
		}
		if len(s.Trace.Steps) <= 3 {
			continue
		}
		short := simulate(t, pair, cluster.Options{}, seed, 3)
		if short.AtRest || short.End != "not at rest after 3 steps" || !cmp.Equal(short.Trace.Steps, s.Trace.Steps[:3]) {
			t.Errorf("seed %d: three steps are %s: %v", seed, short.End, actions(short.Trace))
		}
	}
	for _, event := range begins {
		n := 0
		for moment := range moments {
			if strings.HasPrefix(moment, event) {
				n++
			}
		}
		if n < 3 {
			t.Errorf("%s: at %d different moments in 30 runs: %v", event, n, moments)
		}
	}
}

func actions(t *trace.Trace) []string {
	var out []string
	for _, s := range t.Steps {
		out = append(out, s.Actor+": "+s.Action)
	}
	return out
}

// TestSimulateStarvesNobody: in a cluster that never rests every controller
// acts again and again.
func TestSimulateStarvesNobody(t *testing.T) {
	s := simulate(t, preempted, cluster.Options{Events: []string{cluster.NoEvent}}, 1, 600)
	if s.AtRest || len(s.Trace.Steps) != 600 {
		t.Fatalf("%d steps, %s", len(s.Trace.Steps), s.End)
	}
	last := map[string]int{}
	for i, step := range s.Trace.Steps {
		for _, who := range []string{"scheduler", "kubelet", "replicaset", "descheduler"} {
			if step.Actor == who {
				last[who] = i
			} else if i-last[who] > 100 {
				t.Fatalf("%s does nothing from step %d to %d", who, last[who]+1, i+1)
			}
		}
	}
}

func TestSimulateOnlySomeEvents(t *testing.T) {
	for seed := range uint64(5) {
		s := simulate(t, pair, cluster.Options{Events: []string{"none"}}, seed, 100)
		if !s.AtRest || len(s.Trace.Steps) != 0 || !strings.Contains(s.Text, "no events (--event none)") {
			t.Errorf("seed %d: %s: %s: %v", seed, s.Text, s.End, actions(s.Trace))
		}
	}
	if _, err := cluster.Simulate(context.Background(), inputOf(t, pair), cluster.Options{Events: []string{"x"}}, 1, 1); err == nil {
		t.Error("an unknown event is accepted")
	}
}

// TestSimulateIsCutShort: a walk that somebody ends is shown as far as it went.
func TestSimulateIsCutShort(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, err := cluster.Simulate(ctx, inputOf(t, pair), cluster.Options{}, 1, 100)
	if err != nil || !s.CutShort || s.AtRest || s.Code() != finding.CodeInconclusive || !strings.Contains(s.End, "cancel") {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err = cluster.Simulate(context.Background(), inputOf(t, pair), cluster.Options{MaxStates: 1}, 1, 100); err != nil || !s.CutShort || s.End == "" {
		t.Errorf("%+v, %v", s, err)
	}
}
