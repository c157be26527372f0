package campaign

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// user is the actor of what is applied in a trace.
const user = "USER"

// changesMax bounds the changes of a step that are shown.
const changesMax = 8

// timeline is the run that shows a finding: what was applied, and the writes that count behind
// the last of it. What came of the others is as it should be.
func (o *Outcome) timeline(f *Finding) *trace.Trace {
	t := &trace.Trace{Schema: trace.Schema, Initial: []string{"the CRDs are there, and the operator runs"}}
	steps := slices.Clone(f.run.Steps)
	whats := make([]string, len(steps))
	for i, s := range steps {
		whats[i] = "apply " + name(s)
	}
	if f.Made {
		whats[0] = "create the custom resource as it is behind the changes"
	}
	if f.Restart && f.run.Restart != nil {
		steps, whats = append(steps, f.run.Restart), append(whats, "kill the operator and start it again")
	}
	if f.Delete && f.run.Deleted != nil {
		steps, whats = append(steps, f.run.Deleted), append(whats, "delete the custom resource")
	}
	numbers := plan.NewNumbering(o.mask)
	for i, s := range steps {
		applied := trace.Step{Actor: user, Action: whats[i], Turn: true}
		if s.Refused != "" {
			applied.Note = "refused: " + s.Refused
		}
		var writes []trace.Step
		for _, e := range s.Events {
			if n, counts := numbers.Next(e); counts && e.Actor != plan.User {
				writes = append(writes, write(e, n.Exact.Changes))
			}
		}
		if i < len(steps)-1 {
			if s.Refused == "" {
				applied.Note = fmt.Sprintf("%d writes follow", len(writes))
			}
			writes = nil
		}
		t.Steps = append(append(t.Steps, applied), writes...)
	}
	if len(t.Steps) > 0 && t.Steps[len(t.Steps)-1].Actor == user {
		t.Steps = append(t.Steps, trace.Step{Actor: "operator", Action: "writes nothing that counts"})
	}
	return t
}

func write(e history.Event, changes []history.Change) trace.Step {
	actor := e.Actor
	switch actor {
	case "":
		actor = "unknown"
	case plan.Controller:
		actor = "operator"
	}
	s := trace.Step{Actor: actor, Action: fmt.Sprintf("%s %s", e.Type, e.Key)}
	for i, c := range changes {
		if i == changesMax {
			s.Changes = append(s.Changes, trace.Change{Object: e.Key.String(), Field: fmt.Sprintf("%d more fields", len(changes)-i)})
			break
		}
		s.Changes = append(s.Changes, trace.Change{Object: e.Key.String(), Field: c.Path, From: plan.Brief(c.From), To: plan.Brief(c.To)})
	}
	return s
}
