package statespace

import "slices"

// oracle decides the properties of a tableModel from first principles: safety
// by looking at everything that is reached, liveness by looking at every set of
// states. It knows the engine's budgets only as "this state is not expanded".
type oracle struct {
	m *tableModel
	// order lists the states in breadth-first order, depth is theirs by row
	// (none if not reached); those before expanded have known successors.
	order    []uint16
	depth    []int
	expanded int
	complete bool
	// known are the expanded states as a mask, for models of few states.
	known uint64
}

// newOracle explores m within bounds; 0 is no bound.
func newOracle(m *tableModel, statesMax, depthMax int) *oracle {
	o := &oracle{m: m, depth: make([]int, len(m.edges)), complete: true}
	for i := range o.depth {
		o.depth[i] = none
	}
	add := func(s uint16, depth int) bool {
		if o.depth[s] != none {
			return true
		}
		if statesMax > 0 && len(o.order) == statesMax {
			return false
		}
		o.depth[s] = depth
		o.order = append(o.order, s)
		return true
	}
	for _, s := range m.initial {
		if !add(s, 0) {
			o.complete = false
		}
	}
	for o.complete && o.expanded < len(o.order) {
		s := o.order[o.expanded]
		if depthMax > 0 && o.depth[s] == depthMax {
			o.complete = false
			break
		}
		for _, e := range m.edges[s] {
			if !add(e.to, o.depth[s]+1) {
				o.complete = false
			}
		}
		if o.complete {
			o.known |= 1 << s
			o.expanded++
		}
	}
	return o
}

func (o *oracle) marked(s uint16, bit int) bool { return o.m.marks[s]>>bit&1 != 0 }

func (o *oracle) isFair(class uint16) bool {
	return int(class) < len(o.m.classes) && o.m.classes[class].Fairness != Unfair
}

// safety returns the length of the shortest trace that decides a claim about
// states and steps, none if there is none.
func (o *oracle) safety(c *tableClaim) int {
	best := none
	offer := func(length int) {
		if best == none || length < best {
			best = length
		}
	}
	for i, s := range o.order {
		atRest := true
		if i < o.expanded {
			for _, e := range o.m.edges[s] {
				on := e.action.Label>>max(0, c.bit)&1 != 0
				if c.kind == kindAlwaysStep && !on || c.kind == kindSometimesStep && on {
					offer(o.depth[s] + 1)
				}
				atRest = atRest && (e.to == s || !o.isFair(e.action.Class))
			}
		}
		on := o.marked(s, max(0, c.bit))
		if c.kind == kindAlways && !on || c.kind == kindSometimes && on ||
			c.kind == kindAtRest && i < o.expanded && atRest && !on {
			offer(o.depth[s])
		}
	}
	return best
}

// liveness returns the length of the shortest stem of a violation among the
// expanded states, none if there is none. Every set of states is tried.
func (o *oracle) liveness(t *tableTail) int {
	within := o.withinMask(t)
	stems := o.stems(t, within)
	forward, backward := o.adjacency(t)
	best := none
	for set := within; set != 0; set = (set - 1) & within {
		if !connected(set, forward, backward) || !o.fairSet(set, t) {
			continue
		}
		for s := range stems {
			if set>>s&1 != 0 && stems[s] != none && (best == none || stems[s] < best) {
				best = stems[s]
			}
		}
	}
	return best
}

func (o *oracle) withinMask(t *tableTail) uint64 {
	var mask uint64
	for _, s := range o.order[:o.expanded] {
		if t.within == none || o.marked(s, t.within) != t.withinNot {
			mask |= 1 << s
		}
	}
	return mask
}

// stems returns the shortest stem to each state: its depth or, for leads-to,
// the depth of a state with the antecedent and the way from there within.
func (o *oracle) stems(t *tableTail, within uint64) []int {
	if t.trigger == none {
		return o.depth
	}
	stems := slices.Repeat([]int{none}, len(o.m.edges))
	for s := range stems {
		if within>>s&1 != 0 && o.marked(uint16(s), t.trigger) {
			stems[s] = o.depth[s]
		}
	}
	for changed := true; changed; {
		changed = false
		for s := range stems {
			if stems[s] == none {
				continue
			}
			for _, e := range o.m.edges[s] {
				if within>>e.to&1 != 0 && (stems[e.to] == none || stems[e.to] > stems[s]+1) {
					stems[e.to], changed = stems[s]+1, true
				}
			}
		}
	}
	return stems
}

func (t *tableTail) allows(e tableEdge) bool {
	return t.avoid == none || e.action.Label>>t.avoid&1 == 0
}

func (o *oracle) adjacency(t *tableTail) (forward, backward []uint64) {
	forward, backward = make([]uint64, len(o.m.edges)), make([]uint64, len(o.m.edges))
	for s, edges := range o.m.edges {
		for _, e := range edges {
			if t.allows(e) {
				forward[s] |= 1 << e.to
				backward[e.to] |= 1 << s
			}
		}
	}
	return forward, backward
}

// connected reports whether every state of the set reaches every other inside.
func connected(set uint64, forward, backward []uint64) bool {
	return closure(set, forward) == set && closure(set, backward) == set
}

// closure returns what the lowest state of the set reaches inside it.
func closure(set uint64, next []uint64) uint64 {
	seen := set & -set
	for {
		grown := seen
		for s := range next {
			if seen>>s&1 != 0 {
				grown |= next[s] & set
			}
		}
		if grown == seen {
			return seen
		}
		seen = grown
	}
}

// fairSet reports whether going round all of the set for ever, by all its
// allowed steps, is fair and does what the tail asks for. More steps never
// hurt, so that no other choice of steps has to be tried.
func (o *oracle) fairSet(set uint64, t *tableTail) bool {
	visited, took := t.visit == none, t.take == none
	enabledAll, enabledAny, taken := ^uint64(0), uint64(0), uint64(0)
	for s := range o.m.edges {
		if set>>s&1 == 0 {
			continue
		}
		visited = visited || o.marked(uint16(s), t.visit) != t.visitNot
		var enabled uint64
		for _, e := range o.m.edges[s] {
			moves := int(e.to) != s
			if moves {
				enabled |= 1 << e.action.Class
			}
			if set>>e.to&1 == 0 || !t.allows(e) {
				continue
			}
			took = took || e.action.Label>>t.take&1 != 0
			if moves {
				taken |= 1 << e.action.Class
			}
		}
		enabledAll &= enabled
		enabledAny |= enabled
	}
	for c, class := range o.m.classes {
		bit := uint64(1) << c
		if class.Fairness == Weak && enabledAll&^taken&bit != 0 || class.Fairness == Strong && enabledAny&^taken&bit != 0 {
			return false
		}
	}
	return visited && took
}

// expect returns the verdict the engine must give on a claim and, if there is
// a trace, its length: of the whole trace for safety, of the stem for liveness.
func (o *oracle) expect(c *tableClaim) (v Verdict, length int) {
	switch {
	case c.kind >= kindEventuallyAlways && c.kind <= kindNever:
		length = o.liveness(&c.tail)
	default:
		length = o.safety(c)
	}
	witness := c.kind == kindSometimes || c.kind == kindSometimesStep
	switch {
	case length != none && witness:
		return Holds, length
	case length != none:
		return Violated, length
	case o.complete:
		return Holds, none
	}
	return Inconclusive, none
}
