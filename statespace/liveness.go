package statespace

import (
	"slices"
	"sort"
)

// A liveness property is violated by a fair behaviour with a certain tail (see
// tail). In a finite graph such a behaviour exists if and only if some set of
// states, strongly connected by steps that the tail allows, satisfies what the
// tail asks for again and again and every fairness constraint:
//
//   - a weak class is disabled in one of its states or taken by one of its steps;
//   - a strong class is disabled in all of its states or taken by one of its steps.
//
// Staying in one state for ever is always possible, so that a single state
// counts as connected without any step. Whether a class is enabled is a
// matter of the whole graph, and a step that changes nothing neither enables
// nor takes a class. For a strong class that is enabled but never taken in a
// component, no violating set can contain the states where it is enabled: they
// are removed and the rest is decomposed again (Streett refinement), which
// takes at most one round per strong class and state, not one per subset of
// the classes.
//
// States that were not expanded are left out: their steps are unknown, so that
// a violation never rests on them, and an incomplete graph never gives Holds.

// liveness decides the liveness claims of a finished exploration.
type liveness struct {
	s     *search
	g     *graph
	scc   *componentSearch
	limit uint32

	// What one component was found to have.
	everywhere, somewhere, taken, here, refuse bitset

	// Of the claim in hand: for leads-to, the stem of each state, else unused.
	stem   stem
	best   lassoSeed
	queued [][]uint32
}

// lassoSeed is a component that contains a violating cycle, and the state by
// which the stem enters it.
type lassoSeed struct {
	states []uint32
	entry  uint32
	length int
	ok     bool
}

func newLiveness(s *search) *liveness {
	l := &liveness{s: s, g: s.graph, limit: uint32(s.expanded)}
	if s.hooks.mutant == truncatedIsTerminal {
		l.limit = uint32(s.states)
		s.reason = ""
	}
	l.scc = newComponentSearch(s.graph, s.states, s.cancelled)
	for _, set := range []*bitset{&l.everywhere, &l.somewhere, &l.taken, &l.here, &l.refuse} {
		*set = newBitset(s.fair.constraints)
	}
	return l
}

// find returns a violation of the claim, nil if there is none in the explored
// part.
func (l *liveness) find(c *claim) (*path, error) {
	if l.s.cancelled() {
		return nil, errCancelled
	}
	l.best, l.stem = lassoSeed{}, stem{}
	l.queued = append(l.queued[:0], l.restrict(c))
	for len(l.queued) > 0 {
		last := len(l.queued) - 1
		states := l.queued[last]
		l.queued = l.queued[:last]
		if !l.scc.run(states, c.tail.avoid, func(component []uint32) { l.examine(c, component) }) {
			return nil, errCancelled
		}
	}
	if !l.best.ok {
		return nil, nil
	}
	return l.lasso(c)
}

// restrict returns the states that the tail may be in.
func (l *liveness) restrict(c *claim) []uint32 {
	if c.tail.trigger != none {
		l.stem = l.stems(c)
		return l.stem.order
	}
	var states []uint32
	for v := range l.limit {
		if l.g.stateIs(v, c.tail.within) {
			states = append(states, v)
		}
	}
	return states
}

// examine looks at one component: it is discarded, refined or kept as a seed.
func (l *liveness) examine(c *claim, component []uint32) {
	t, f := &c.tail, &l.s.fair
	visited, took, moved := l.inspect(t, component)
	if !visited || !took {
		return
	}
	if l.s.hooks.mutant == forgetsStuttering && !moved {
		return
	}
	unfair := false
	for i := range f.weak {
		if f.weak[i]&l.everywhere[i]&^l.taken[i] != 0 && l.s.hooks.mutant != ignoresWeak {
			return
		}
		l.refuse[i] = f.strong[i] & l.somewhere[i] &^ l.taken[i]
		unfair = unfair || l.refuse[i] != 0
	}
	if !unfair {
		l.offer(component)
		return
	}
	if l.s.hooks.mutant == skipsRefinement {
		return
	}
	var rest []uint32
	for _, v := range component {
		l.enabledAt(v)
		if !l.here.meets(l.refuse) {
			rest = append(rest, v)
		}
	}
	if len(rest) > 0 {
		l.queued = append(l.queued, rest)
	}
}

// inspect fills everywhere, somewhere and taken for a component and reports
// whether it meets the obligations of the tail, and whether it has a step.
func (l *liveness) inspect(t *tail, component []uint32) (visited, took, moved bool) {
	visited, took = t.visit.pred == none, t.take == none
	number := l.scc.component[component[0]]
	clear(l.somewhere)
	clear(l.taken)
	for i := range l.everywhere {
		l.everywhere[i] = ^uint64(0)
	}
	for _, v := range component {
		visited = visited || l.g.stateIs(v, t.visit)
		from, to := l.g.row(v)
		for i := from; i < to; i++ {
			if !l.scc.inside(i, number, t.avoid) {
				continue
			}
			moved = true
			took = took || l.g.stepBit(i, t.take)
			if e := l.g.edge(i); !e.stutter {
				l.takenBy(i, e, func(c int) { l.taken.add(c) })
			}
		}
		l.enabledAt(v)
		for i := range l.here {
			l.everywhere[i] &= l.here[i]
			l.somewhere[i] |= l.here[i]
		}
	}
	return visited, took, moved
}

// takenBy calls f with the constraints that an edge, which is no stuttering step, takes.
func (l *liveness) takenBy(i int, e edge, f func(constraint int)) {
	if l.s.fair.isFair(e.class) {
		f(int(e.class))
	}
	for n := range l.s.fair.premises {
		if l.g.stepBit(i, l.s.fair.premises[n].taken) {
			f(l.s.fair.classes + n)
		}
	}
}

// enabledAt fills here with the constraints whose steps are possible in a state.
func (l *liveness) enabledAt(v uint32) {
	clear(l.here)
	for n := range l.s.fair.premises {
		if l.g.stateBit(v, l.s.fair.premises[n].enabled) {
			l.here.add(l.s.fair.classes + n)
		}
	}
	from, to := l.g.row(v)
	for i := from; i < to; i++ {
		e := l.g.edge(i)
		if l.s.hooks.mutant == enabledInside && l.scc.component[e.to] != l.scc.component[v] {
			continue
		}
		if !e.stutter && l.s.fair.isFair(e.class) {
			l.here.add(int(e.class))
		}
	}
}

// meets reports whether the sets have a common element.
func (b bitset) meets(o bitset) bool {
	for i := range b {
		if b[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// offer keeps a component if its stem is shorter than that of the best so far,
// or as short and entered by an earlier state.
func (l *liveness) offer(component []uint32) {
	for _, v := range component {
		length := l.stemLength(v)
		if b := &l.best; !b.ok || length < b.length || length == b.length && v < b.entry {
			*b = lassoSeed{states: b.states, entry: v, length: length, ok: true}
		}
	}
	if b := &l.best; slices.Contains(component, b.entry) {
		b.states = append(b.states[:0], component...)
	}
}

// stemBytes is what stems take per state.
const stemBytes = 3 * 4

// stem is, for leads-to, the shortest way to each state that is reached from
// one with the antecedent through states without the consequent.
type stem struct {
	order  []uint32
	length []uint32
	from   []uint32
}

// depth returns the number of steps from an initial state.
func (s *search) depth(id uint32) int {
	return sort.Search(len(s.levels), func(i int) bool { return s.levels[i] > int(id) }) - 1
}

func (l *liveness) stemLength(v uint32) int {
	if l.stem.length != nil {
		return int(l.stem.length[v])
	}
	return l.s.depth(v)
}

// stems searches breadth-first from all states with the antecedent at once, each
// starting at its own depth.
func (l *liveness) stems(c *claim) stem {
	st := stem{length: make([]uint32, l.s.states), from: make([]uint32, l.s.states)}
	const unknown = ^uint32(0)
	for i := range st.length {
		st.length[i] = unknown
	}
	reach := func(v, from uint32, length int) {
		if v < l.limit && st.length[v] == unknown && l.g.stateIs(v, c.tail.within) {
			st.length[v], st.from[v] = uint32(length), from
			st.order = append(st.order, v)
		}
	}
	done := 0
	for depth := 0; depth < len(l.s.levels) || done < len(st.order); depth++ {
		end := len(st.order)
		if depth < len(l.s.levels) {
			last := l.s.states
			if depth+1 < len(l.s.levels) {
				last = l.s.levels[depth+1]
			}
			for v := l.s.levels[depth]; v < last; v++ {
				if l.g.stateBit(uint32(v), c.tail.trigger) {
					reach(uint32(v), noState, depth)
				}
			}
			end = len(st.order)
		}
		for ; done < end; done++ {
			v := st.order[done]
			from, to := l.g.row(v)
			for i := from; i < to; i++ {
				reach(l.g.targets.at(i), v, depth+1)
			}
		}
	}
	return st
}
