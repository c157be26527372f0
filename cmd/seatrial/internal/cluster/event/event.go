// Package event holds what may happen to a cluster from outside: one file per
// kind, each an actor of the environment with a budget.
package event

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/statespace"
)

// event is the shape all kinds share: start says which steps begin one.
type event struct {
	kind  scenario.EventType
	start func(x *model.Turn, i int)
	// after, if set, emits the unfair steps that may follow later.
	after func(x *model.Turn)
}

var _ model.Actor = event{}

func (e event) Name() string       { return "event-" + string(e.kind) }
func (e event) Title() string      { return "event" }
func (e event) Speed() model.Speed { return model.Environment }
func (e event) Verbs() []model.Verb {
	return []model.Verb{{Name: "start", Fairness: statespace.Unfair}}
}

func (e event) Steps(x *model.Turn) {
	for i := range x.Events {
		if x.Events[i].Type == e.kind && x.May(i) {
			e.start(x, i)
		}
	}
	if e.after != nil {
		e.after(x)
	}
}

// Declare registers a type of event that the manual does not have, in a clone
// of the repository: docs/extending.md adds one. fields are those that it takes
// in a Scenario beside name, type, budget and after, true for those it needs;
// start emits the steps that begin event i, made with x.Begin(i).
func Declare(kind scenario.EventType, fields map[string]bool, start func(x *model.Turn, i int)) model.Actor {
	scenario.DeclareEvent(kind, fields)
	return model.Register(event{kind: kind, start: start})
}

// emit reports the start of an event, or an unfair step that follows one.
func emit(x *model.Turn, work int, to *model.State, explain func() model.Explanation) {
	x.Emit(model.Step{Verb: "start", Work: work, Kind: model.KindEvent, To: to, Explain: explain})
}

// by is event i as who acts.
func by(x *model.Turn, i int) model.By { return model.Outside(string(x.Events[i].Type)) }

// ref points at event i in the scenario.
func ref(x *model.Turn, i int) []model.Ref {
	return []model.Ref{x.ScenarioRef(x.Events[i].Path, "lets this happen")}
}
