package replay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/replay"
	"github.com/seatrial/seatrial/internal/pace"
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
		}, {
			name: "a cycle of which pods are left over", variant: "kivi-c7/bad",
			change:  func(t *trace.Trace) { t.Steps = without(t.Steps, "delete") },
			verdict: replay.Diverged, reason: "the cycle ends where it began; seen: 1 pods of Deployment default/web revision 0 Failed",
		}, {
			name: "a drain that nothing keeps from going on", variant: "c1/bad",
			change: func(t *trace.Trace) {
				t.Setup.Objects = slices.DeleteFunc(t.Setup.Objects, func(raw json.RawMessage) bool {
					return bytes.Contains(raw, []byte(`"PodDisruptionBudget"`))
				})
			},
			verdict: replay.Diverged, reason: "drain evict pod default/web #1 (the API server allows it",
		}, {
			name: "a descheduler that rests where it would go on", variant: "a5/bad",
			change: func(t *trace.Trace) {
				end := len(t.Steps)
				t.Loop, t.Again = &end, nil
			},
			verdict: replay.Diverged, reason: "descheduler evict",
		}, {
			name: "an eviction that a budget forbids", variant: "b3/bad",
			change: func(t *trace.Trace) {
				t.Setup.Objects = append(t.Setup.Objects, []byte(`{"apiVersion":"policy/v1","kind":"PodDisruptionBudget",
					"metadata":{"name":"none","namespace":"default"},"spec":{"maxUnavailable":0,"selector":{}}}`))
			},
			verdict: replay.Diverged, reason: "kube-apiserver refuses it",
		}, {
			name: "an autoscaler that cannot act for another reason", variant: "e3/bad",
			change: func(t *trace.Trace) {
				status := act(t, "status")
				status.Patch = bytes.Replace(status.Patch, []byte(`"reason":"`), []byte(`"reason":"Not`), 1)
			},
			verdict: replay.Diverged, reason: "its condition is another: AbleToScale True",
		},
	}
}

// without are the steps but for the first that has an act with a verb.
func without(steps []trace.Step, verb string) []trace.Step {
	i := slices.IndexFunc(steps, func(s trace.Step) bool {
		return slices.ContainsFunc(s.Acts, func(a trace.Act) bool { return a.Verb == verb })
	})
	return slices.Delete(slices.Clone(steps), i, i+1)
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

// first is the first trace of a case.
func first(t *testing.T, variant string) *trace.Trace {
	t.Helper()
	for _, r := range check(t, variant).Results {
		if r.Trace != nil {
			return r.Trace
		}
	}
	t.Fatal("nothing is violated")
	return nil
}

// TestNoPolicy: a policy that the descheduler does not take is the trace's fault.
func TestNoPolicy(t *testing.T) {
	tr := first(t, "kivi-c5/bad")
	tr.Setup.Components["descheduler"] = []byte(`"nonsense"`)
	_, err := replay.Run(context.WithoutCancel(t.Context()), tr, replay.Options{Timeout: limit})
	var unusable replay.Unusable
	if !errors.As(err, &unusable) || !strings.Contains(err.Error(), "descheduler policy: ") {
		t.Errorf("%v", err)
	}
}

// TestEditedTraces: what Kubernetes does not do is not confirmed.
func TestEditedTraces(t *testing.T) {
	pace.Slow(t)
	for _, e := range edits() {
		t.Run(e.name, func(t *testing.T) {
			tr := first(t, e.variant)
			e.change(tr)
			outcome := run(t, tr)
			if outcome.Verdict != e.verdict || !strings.Contains(outcome.Reason, e.reason) {
				t.Errorf("%s: %s, want %s: …%s…\n%s", outcome.Verdict, outcome.Reason, e.verdict, e.reason, lines(outcome))
			}
		})
	}
}
