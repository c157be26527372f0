package replay_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/replay"
	"github.com/seatrial/seatrial/trace"
)

// edit is a trace of a case, changed so that it is not what Kubernetes does.
type edit struct {
	name, variant string
	change        func(*trace.Trace)
	verdict       replay.Verdict
	// reason is a part of the outcome's.
	reason string
}

func edits() []edit {
	return []edit{
		{
			name: "a bind to a node that the scheduler does not prefer", variant: "kivi-c5/bad",
			change: func(t *trace.Trace) {
				t.Loop, t.Again = nil, nil
				bound := act(t, "bind").Pod.Ordinal
				for i := range t.Steps {
					for _, a := range t.Steps[i].Acts {
						if a.Pod != nil && a.Pod.Ordinal == bound && a.Pod.Node != "" {
							a.Pod.Node = "small"
						}
					}
				}
			},
			verdict: replay.Diverged, reason: "kube-scheduler bind",
		}, {
			name: "another number of replicas", variant: "kivi-c1/bad",
			change:  func(t *trace.Trace) { five := int32(5); act(t, "scale").To = &five },
			verdict: replay.Diverged, reason: "deployments.apps/scale default/web -> 6",
		}, {
			name: "a trace that rests too early", variant: "b3/bad",
			change: func(t *trace.Trace) {
				t.Steps = t.Steps[:len(t.Steps)-1]
				end := len(t.Steps)
				t.Loop = &end
			},
			verdict: replay.Diverged, reason: "the trace rests here",
		}, {
			name: "an eviction that nobody makes", variant: "kivi-c5/bad",
			change: func(t *trace.Trace) {
				delete(t.Setup.Components, "descheduler")
				t.Setup.Components["descheduler"] = []byte(`{"apiVersion":"descheduler/v1alpha2","kind":"DeschedulerPolicy"}`)
			},
			verdict: replay.Diverged, reason: "descheduler does nothing of the kind",
		},
	}
}

// act is the first act with a verb.
func act(t *trace.Trace, verb string) *trace.Act {
	for i := range t.Steps {
		for j := range t.Steps[i].Acts {
			if t.Steps[i].Acts[j].Verb == verb {
				return &t.Steps[i].Acts[j]
			}
		}
	}
	panic("no act " + verb)
}

// TestEditedTraces: what Kubernetes does not do is not confirmed.
func TestEditedTraces(t *testing.T) {
	for _, e := range edits() {
		t.Run(e.name, func(t *testing.T) {
			var tr *trace.Trace
			for _, r := range check(t, e.variant).Results {
				if r.Trace != nil && tr == nil {
					tr = r.Trace
				}
			}
			e.change(tr)
			outcome := run(t, tr)
			if outcome.Verdict != e.verdict || !strings.Contains(outcome.Reason, e.reason) {
				t.Errorf("%s: %s, want %s: …%s…\n%s", outcome.Verdict, outcome.Reason, e.verdict, e.reason, lines(outcome))
			}
		})
	}
}
