package campaign

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// user is the actor of what is applied in a trace.
const user = "USER"

// changesMax bounds the changes of a step that are shown.
const changesMax = 8

// timeline is the run that shows a finding: what was applied, and the writes that count.
func (o *Outcome) timeline(f *Finding) *trace.Trace {
	t := &trace.Trace{Schema: trace.Schema, Initial: []string{"the CRDs are there, and the operator runs"}}
	numbers := plan.NewNumbering(o.mask)
	add := func(what string, s *oracle.Step) {
		if s == nil {
			return
		}
		t.Steps = append(t.Steps, trace.Step{Actor: user, Action: what, Turn: true})
		if s.Refused != "" {
			t.Steps[len(t.Steps)-1].Note = "refused: " + s.Refused
		}
		for _, e := range s.Events {
			if n, counts := numbers.Next(e); counts {
				t.Steps = append(t.Steps, write(e, n.Exact.Changes))
			}
		}
	}
	for _, s := range f.run.Steps {
		add("apply "+name(s), s)
	}
	if f.Restart {
		add("kill the operator and start it again", f.run.Restart)
	}
	if f.Delete {
		add("delete the custom resource", f.run.Deleted)
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
