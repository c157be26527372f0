package cluster

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/statespace"
	"github.com/seatrial/seatrial/trace"
)

// Stepper is the model of an input's cluster for those who decide elsewhere which
// of the possible steps is taken: a real control plane, that is followed. It is not
// safe for concurrent use.
type Stepper struct {
	r     *run
	start [][]statespace.ID
}

// Position is a state on a path through the model, with the pods by the ordinals
// that they have on this path.
type Position struct {
	ids   []statespace.ID
	names *roster
}

// Possible is a step that is possible at a position.
type Possible struct {
	trace.Step
	// Outside tells that the environment takes it, if it likes: no component does by
	// itself, or has to.
	Outside bool
	// To is where it leads.
	To Position
}

// NewStepper makes the model of the input's cluster at its least size. Errors are
// Check's.
func NewStepper(ctx context.Context, in *manifest.Input, o Options) (*Stepper, error) {
	o.distinct = true // whoever follows tells pods apart, and nodes
	r, start, err := least(ctx, in, o)
	if err != nil {
		return nil, err
	}
	r.v = model.NewVector(r.w, start)
	_ = r.w.Faults.Take(r.w) // as in Check
	s := &Stepper{r: r}
	for _, state := range start {
		s.start = append(s.start, r.v.Encode(state, nil, nil))
	}
	return s, nil
}

// Start is one of the positions at the start: of the n-th that there are, counted
// from 0 and again from the first.
func (s *Stepper) Start(n int) Position {
	ids := s.start[n%len(s.start)]
	return Position{ids, newRoster(s.r.w, s.r.v.Decode(ids))}
}

// Trace is that of a path on which nothing has happened yet. The pods of the start
// are those of p, which is at the start.
func (s *Stepper) Trace(p Position) *trace.Trace {
	return &trace.Trace{
		Schema: trace.Schema, Initial: lines(view(s.r.w, s.r.v.Decode(p.ids))), Setup: s.r.setup(), Pods: p.names.start,
	}
}

// Loses tells whether machines may be lost.
func (s *Stepper) Loses() bool {
	return slices.ContainsFunc(s.r.w.Events, func(e model.EventSpec) bool { return e.Type == scenario.EventNodeLoss })
}

// SharesBudgets tells whether pods may have several budgets.
func (s *Stepper) SharesBudgets() bool {
	w := s.r.w
	for work := range w.Workloads {
		for rev := range w.Workloads[work].Revisions {
			pod, of := model.Pod{Work: uint16(work), Rev: uint8(rev)}, 0
			for i := range w.PDBs {
				if w.MayCover(i, pod) {
					of++
				}
			}
			if of > 1 {
				return true
			}
		}
	}
	return false
}

// Equal tells whether two positions are one but for the names of pods.
func (p Position) Equal(other Position) bool { return slices.Equal(p.ids, other.ids) }

// Steps are those possible at a position that change the state, in the model's
// order. An error is the real code's that was asked.
func (s *Stepper) Steps(p Position) ([]Possible, error) {
	var out []Possible
	state := s.r.v.Decode(p.ids)
	seen := view(s.r.w, state)
	type successor struct {
		action statespace.Action
		ids    []statespace.ID
	}
	var next []successor
	s.r.v.Next(p.ids, func(a statespace.Action, to []statespace.ID) bool {
		if !slices.Equal(to, p.ids) {
			next = append(next, successor{a, slices.Clone(to)})
		}
		return true
	})
	for _, n := range next {
		actor, step := s.r.v.Explain(state, n.action.Label)
		to := s.r.v.Decode(n.ids)
		e := step.Explain()
		names := p.names.clone()
		acts := names.acts(e.Acts, to)
		if names.lost {
			return nil, fmt.Errorf("the acts of %q do not lead where the step leads", e.Action)
		}
		out = append(out, Possible{
			Step: trace.Step{
				Actor: model.Title(actor), Action: e.Action, Note: e.Note, Changes: changes(seen, view(s.r.w, to)), Acts: acts,
			},
			Outside: s.r.w.Classes[n.action.Class].Fairness == statespace.Unfair,
			To:      Position{n.ids, names},
		})
	}
	return out, s.r.w.Kube.Err()
}

// clone is a roster that goes its own way from here.
func (r *roster) clone() *roster {
	out := *r
	out.at, out.last = maps.Clone(r.at), maps.Clone(r.last)
	return &out
}
