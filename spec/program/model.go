package program

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// Components implements statespace.VectorModel.
func (p *Program) Components() *statespace.Components { return p.store.Components() }

// Width implements statespace.VectorModel: a slot for each variable.
func (p *Program) Width() int { return len(p.Variables) }

// Deadlocked is the label of a step that stands for there being none: from a state in which no action is possible to
// itself. It is yielded if the configuration has such states looked for.
const Deadlocked = 1<<32 - 1

// Deadlocks has states from which no action is possible looked for, or not.
func (p *Program) Deadlocks(look bool) { p.deadlock = look }

// Init yields the initial states.
func (p *Program) Init(yield func([]statespace.ID) bool) {
	if p.initial == nil {
		return
	}
	f := p.take()
	defer p.release(f)
	f.begin()
	f.known, f.level = false, 1
	clear(f.now)
	clear(f.next)
	f.emit = func(f *frame) {
		p.complete(f, true)
		g := f.successor(true)
		g.level = 1
		if (p.within(g) || p.exclude() && p.violates(g)) && !yield(g.ids) {
			f.stopped = true
		}
	}
	clear(f.kept)
	p.initial(f)
}

// Level implements statespace.VectorLeveler. TLCGet("level") is 1 in an initial state.
func (p *Program) Level(n int) { p.depth.Store(int32(n)) }

// levelFound is TLCGet("level") in states that are found by steps from those that Next gets, or are initial.
func (p *Program) levelFound() int { return int(p.depth.Load()) + 2 }

// HasBehaviours tells whether the configuration names any behaviours, and not only assumptions to be checked.
func (p *Program) HasBehaviours() bool { return p.initial != nil }

// complete fails if a variable has no value yet.
func (p *Program) complete(f *frame, initial bool) {
	for i := range p.Variables {
		switch {
		case initial && f.now[i].IsNone():
			f.place = 0
			value.Fail("the initial condition leaves %s without a value", p.Variables[i])
		case !initial && !f.given(i):
			a := &p.Actions[f.action]
			panic(&EvaluationError{At: a.At, Problem: fmt.Sprintf("%s leaves %s' without a value", a.Name, p.Variables[i])})
		}
	}
}

// successor returns a frame with the state that the frame has found: the initial one, or the next.
func (f *frame) successor(initial bool) *frame {
	g := f.other
	if g == nil {
		g = f.p.newFrame()
		g.tables, g.rows = f.tables, f.rows
		f.other = g
	}
	g.begin()
	g.known, g.level = true, f.level+1
	store := f.p.store
	for i := range g.ids {
		switch {
		case initial:
			g.ids[i] = store.ID(f.now[i])
		case f.kept[i] != 0:
			g.ids[i] = f.kept[i] - 1
		default:
			g.ids[i] = store.ID(f.next[i])
		}
	}
	clear(g.now)
	return g
}

// within tells whether the constraints hold in a state.
func (p *Program) within(g *frame) bool {
	for i := range p.constraints {
		if !p.constraints[i].holds(g) {
			return false
		}
	}
	return true
}

func (q *Predicate) holds(f *frame) bool {
	r := q.eval(f)
	if r != value.True && r != value.False {
		panic(&EvaluationError{At: q.At, Problem: fmt.Sprintf("%s is %s, TRUE or FALSE is expected", q.Name, value.Describe(r))})
	}
	return r == value.True
}

// load puts a state into a frame.
func (f *frame) load(state []statespace.ID) {
	f.begin()
	f.known = true
	copy(f.ids, state)
	clear(f.now)
}

// Next yields the steps from a state.
func (p *Program) Next(state []statespace.ID, yield func(statespace.Action, []statespace.ID) bool) {
	f := p.take()
	defer p.release(f)
	f.load(state)
	f.level = p.levelFound() - 1
	for i, id := range state {
		if seen := &p.values[i]; seen.Get(uint32(id)) == 0 {
			seen.Put(uint32(id), 1)
		}
	}
	if p.watched.unseen.Load() > 0 {
		p.meet(state)
	}
	clear(f.next)
	clear(f.kept)
	clear(f.added)
	taken := false
	f.emit = func(f *frame) {
		taken = true
		if used := &p.taken[f.action]; !used.Load() {
			used.Store(true)
		}
		p.complete(f, false)
		g := f.successor(false)
		if f.learning {
			f.learn()
		}
		if !p.allowed(f, g) && p.exclude() && !p.violates(g) && !p.fails(f, g) {
			return
		}
		for n := p.repeated(f); n > 0 && !f.stopped; n-- {
			f.stopped = !yield(statespace.Action{Label: uint32(f.action)}, g.ids)
		}
	}
	for _, s := range p.steps {
		if s(f); f.stopped {
			return
		}
	}
	if !taken && p.deadlock {
		yield(statespace.Action{Label: Deadlocked}, state)
	}
}

// allowed tells whether a step, and the state that it leads to, are within the constraints.
func (p *Program) allowed(f, g *frame) bool {
	for i := range p.actionConstraints {
		if !p.actionConstraints[i].holds(f) {
			return false
		}
	}
	return p.within(g)
}

// exclude notes that constraints keep something from being explored.
func (p *Program) exclude() bool {
	if !p.excluded.Load() {
		p.excluded.Store(true)
	}
	return true
}

// Excluded tells whether constraints kept any state or step from being explored.
func (p *Program) Excluded() bool { return p.excluded.Load() }

// Demand has steps that lead out of the constraints yielded if one of these is false of them: TLC looks at them, too,
// and at the invariants in the states they lead to.
func (p *Program) Demand(steps []func(from, to []statespace.ID) bool) { p.demands = steps }

// fails tells whether something that is demanded of each step is false of one.
func (p *Program) fails(f, g *frame) bool {
	for _, holds := range p.demands {
		if !holds(f.ids, g.ids) {
			return true
		}
	}
	return false
}

// CountWays has what is possible in several ways yielded so often, or, which is how it begins, once.
func (p *Program) CountWays(count bool) { p.counted = count }

// repeated is how often a state that was found is yielded.
func (p *Program) repeated(f *frame) int64 {
	if p.counted {
		return f.ways
	}
	return 1
}

// ValueCounts returns how many different values each variable had in the states whose steps were looked for.
func (p *Program) ValueCounts() []int {
	counts := make([]int, len(p.values))
	for i := range p.values {
		counts[i] = p.values[i].Len()
	}
	return counts
}

// NeverTaken returns the actions that were possible in no state that was explored: of those with several values the
// ones that were not with any.
func (p *Program) NeverTaken() (never []Action) {
	seen := map[syntax.Position]int{}
	for i, a := range p.Actions {
		at, known := seen[a.At]
		switch {
		case !known:
			at = -1
			if !p.taken[i].Load() {
				at = len(never)
				never = append(never, Action{Name: a.Base(), At: a.At})
			}
			seen[a.At] = at
		case at >= 0 && p.taken[i].Load():
			never[at].Name = ""
			seen[a.At] = -1
		}
	}
	return slices.DeleteFunc(never, func(a Action) bool { return a.Name == "" })
}

// violates tells whether an invariant is false in a state. States outside of the constraints are not
// explored, and are looked at all the same.
func (p *Program) violates(g *frame) bool {
	for i := range p.Invariants {
		if !p.Invariants[i].holds(g) {
			return true
		}
	}
	return false
}

// Holds tells whether a predicate on states is true in one.
func (p *Program) Holds(q *Predicate, state []statespace.ID) bool {
	f := p.take()
	defer p.release(f)
	f.load(state)
	f.level = p.levelFound()
	return q.holds(f)
}
