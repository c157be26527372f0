package perturb

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// perturbation is the actor of what seatrial does in a trace.
const perturbation = "PERTURBATION"

// changesMax bounds the changes of a step that are shown.
const changesMax = 8

// trace is the run of a result: its writes, with the perturbation and the steps of
// users among them.
func (o *Outcome) trace(r *Result) *trace.Trace {
	t := timeline(r.recording, o.Reference.Mask)
	t.Initial = append([]string{r.Plan.Sentence}, t.Initial...)
	return t
}

// Timeline is what happened in the run of a result; nil if it is not known.
func (o *Outcome) Timeline(r *Result) *trace.Trace {
	if r.recording == nil || o.Reference == nil {
		return nil
	}
	return o.trace(r)
}

// reference is the first run without a perturbation.
func (o *Outcome) reference() *trace.Trace { return timeline(o.Reference.Runs[0], o.Reference.Mask) }

// timeline is a run as a trace. Its writes are those that count.
func timeline(run *recording.Recording, mask history.Mask) *trace.Trace {
	t := &trace.Trace{Schema: trace.Schema}
	t.Initial = []string{fmt.Sprintf("the setup is applied, and the controller runs; revision %d", run.Revision)}
	marks := slices.Clone(run.Marks)
	mark := func(before int64) {
		for len(marks) > 0 && marks[0].Revision < before {
			t.Steps = append(t.Steps, trace.Step{Actor: perturbation, Action: marks[0].Text, Turn: true})
			marks = marks[1:]
		}
	}
	numbers := plan.NewNumbering(mask)
	for i, e := range run.Events {
		mark(e.Revision)
		n, counts := numbers.Next(e)
		if !counts {
			continue
		}
		t.Steps = append(t.Steps, step(e, n.Exact.Changes, run.Times[i].Milliseconds()))
	}
	mark(1<<63 - 1)
	return t
}

func step(e history.Event, changes []history.Change, milliseconds int64) trace.Step {
	actor := e.Actor
	if actor == "" {
		actor = "unknown"
	}
	s := trace.Step{Actor: actor, Action: fmt.Sprintf("%s %s", e.Type, e.Key), Note: fmt.Sprintf("after %d ms, revision %d", milliseconds, e.Revision)}
	for i, c := range changes {
		if i == changesMax {
			s.Changes = append(s.Changes, trace.Change{Object: e.Key.String(), Field: fmt.Sprintf("%d more fields", len(changes)-i)})
			break
		}
		s.Changes = append(s.Changes, trace.Change{Object: e.Key.String(), Field: c.Path, From: plan.Brief(c.From), To: plan.Brief(c.To)})
	}
	return s
}
