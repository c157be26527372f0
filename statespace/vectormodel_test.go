package statespace

import (
	"fmt"
	"math/rand/v2"
	"sync"
)

// tableVectors is a tableModel behind the second door: a state is a vector of
// three components that together spell its row.
type tableVectors struct {
	*tableModel
	components *Components

	mu   sync.Mutex
	rows map[[3]ID]uint16
}

func newTableVectors(m *tableModel, r *rand.Rand) *tableVectors {
	v := &tableVectors{tableModel: m, components: NewComponents(), rows: map[[3]ID]uint16{}}
	// Ids must not matter: intern other things first, in random order.
	for range r.IntN(20) {
		v.components.Intern(fmt.Appendf(nil, "%d", r.IntN(1000)))
	}
	return v
}

func (v *tableVectors) Components() *Components { return v.components }

func (v *tableVectors) Width() int { return 3 }

// vector interns the parts of a row. Two of them are often equal.
func (v *tableVectors) vector(row uint16) [3]ID {
	var ids [3]ID
	for i, part := range []uint16{row % 3, row / 3 % 5, row / 15} {
		ids[i] = v.components.Intern(fmt.Appendf(nil, "part %d", part))
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.rows[ids] = row
	return ids
}

func (v *tableVectors) row(ids []ID) uint16 {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.rows[[3]ID(ids)]
}

func (v *tableVectors) Init(yield func([]ID) bool) {
	v.tableModel.Init(func(s tableState) bool {
		ids := v.vector(s.at)
		return yield(ids[:])
	})
}

// Next yields from one scratch vector, which the engine has to copy.
func (v *tableVectors) Next(from []ID, yield func(Action, []ID) bool) {
	scratch := make([]ID, 3)
	v.tableModel.Next(tableState{v.row(from)}, func(a Action, s tableState) bool {
		ids := v.vector(s.at)
		copy(scratch, ids[:])
		return yield(a, scratch)
	})
}

// property translates a property of the table.
func (v *tableVectors) property(p Property[tableState]) Property[[]ID] {
	state := func(f func(tableState) bool) func([]ID) bool {
		if f == nil {
			return nil
		}
		return func(ids []ID) bool { return f(tableState{v.row(ids)}) }
	}
	step := func(f func(tableState, Action, tableState) bool) func([]ID, Action, []ID) bool {
		if f == nil {
			return nil
		}
		return func(from []ID, a Action, to []ID) bool { return f(tableState{v.row(from)}, a, tableState{v.row(to)}) }
	}
	b := p.behaviour
	return Property[[]ID]{
		name: p.name, kind: p.kind, state: state(p.state), other: state(p.other), step: step(p.step),
		behaviour: Behaviour[[]ID]{Within: state(b.Within), Avoid: step(b.Avoid), Visit: state(b.Visit), Take: step(b.Take)},
	}
}

// translate turns a result back. Memory differs between the doors.
func (v *tableVectors) translate(r Result[[]ID]) Result[tableState] {
	out := Result[tableState]{Stats: r.Stats}
	out.Stats.BytesPerState = 0
	for _, p := range r.Properties {
		q := PropertyResult[tableState]{Name: p.Name, Verdict: p.Verdict, Reason: p.Reason, Vacuous: p.Vacuous}
		if p.Trace != nil {
			q.Trace = &Trace[tableState]{Init: tableState{v.row(p.Trace.Init)}, Loop: p.Trace.Loop}
			for _, s := range p.Trace.Steps {
				q.Trace.Steps = append(q.Trace.Steps, Step[tableState]{s.Action, tableState{v.row(s.State)}})
			}
		}
		out.Properties = append(out.Properties, q)
	}
	return out
}
