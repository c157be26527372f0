package statespace

import (
	"fmt"
	"slices"
)

// none marks an absent predicate.
const none = -1

// claim is a property with its predicates replaced by their indices.
type claim struct {
	name string
	kind kind
	// pred is the state or step predicate of a safety property or witness.
	pred int

	tail tail
}

// tail describes the infinite tails that would violate a liveness property, by
// predicate index. Predicates of tails come first, so that index and bit of
// the graph are the same.
type tail struct {
	within, visit literal
	// trigger must be true in a state from which on within holds (leads-to).
	trigger     int
	avoid, take int
}

// literal is a state predicate or its negation.
type literal struct {
	pred    int
	negated bool
}

func (c *claim) live() bool { return c.kind >= kindEventuallyAlways && c.kind <= kindNever }

// graphed reports whether the claim is decided on the finished graph.
func (c *claim) graphed() bool { return c.live() || c.kind == kindMost }

func (c *claim) witness() bool { return c.kind == kindSometimes || c.kind == kindSometimesStep }

// whileExpanding reports whether the claim is decided by the successors of a
// state, and not when the state is found.
func (c *claim) whileExpanding() bool {
	return c.kind == kindAlwaysStep || c.kind == kindSometimesStep || c.kind == kindAtRest
}

// plan is what a run evaluates.
type plan struct {
	claims []claim
	// liveStates and liveSteps count the predicates kept as bits in the graph.
	liveStates, liveSteps int
	live                  bool
	// onState, onRest and onStep are the claims decided while exploring.
	onState, onRest, onStep []int
	// premises are the constraints that predicates give, in the order of the properties.
	premises []premise
	// stateOwner and stepOwner name the claim of each predicate.
	stateOwner, stepOwner []int
}

// premise is a Fair property: its predicates, which are kept in the graph as those of claims are.
type premise struct {
	claim          int
	strong         bool
	enabled, taken int
}

// compile turns properties into a plan and the predicates it refers to.
func compile[S any](props []Property[S]) (*plan, *predicates[S], error) {
	p, preds := &plan{claims: make([]claim, len(props))}, &predicates[S]{}
	owner := 0
	addState := func(f func(S) bool) int {
		if f == nil {
			return none
		}
		p.stateOwner = append(p.stateOwner, owner)
		preds.states = append(preds.states, f)
		return len(preds.states) - 1
	}
	addStep := func(f func(S, Action, S) bool) int {
		if f == nil {
			return none
		}
		p.stepOwner = append(p.stepOwner, owner)
		preds.steps = append(preds.steps, f)
		return len(preds.steps) - 1
	}
	for i, prop := range props {
		if err := prop.check(); err != nil {
			return nil, nil, fmt.Errorf("statespace: property %d (%q): %w", i, prop.name, err)
		}
		c := &p.claims[i]
		owner = i
		*c = claim{name: prop.name, kind: prop.kind, pred: none}
		if c.graphed() {
			p.live = true
			c.tail = compileTail(prop, addState, addStep)
		}
	}
	for i, prop := range props {
		if owner = i; prop.kind == kindFair && p.live {
			p.premises = append(p.premises, premise{i, prop.fairness == Strong, addState(prop.state), addStep(prop.step)})
		}
	}
	p.liveStates, p.liveSteps = len(preds.states), len(preds.steps)
	for i, prop := range props {
		c := &p.claims[i]
		owner = i
		switch c.kind {
		case kindAlways, kindSometimes:
			c.pred = addState(prop.state)
			p.onState = append(p.onState, i)
		case kindAtRest:
			c.pred = addState(prop.state)
			p.onRest = append(p.onRest, i)
		case kindAlwaysStep, kindSometimesStep:
			c.pred = addStep(prop.step)
			p.onStep = append(p.onStep, i)
		}
	}
	return p, preds, nil
}

// compileTail reduces every kind of liveness property to the tails that
// violate it.
func compileTail[S any](p Property[S], addState func(func(S) bool) int, addStep func(func(S, Action, S) bool) int) tail {
	t := tail{within: literal{pred: none}, visit: literal{pred: none}, trigger: none, avoid: none, take: none}
	switch p.kind {
	case kindEventuallyAlways:
		t.visit = literal{addState(p.state), true}
	case kindAlwaysEventually:
		t.within = literal{addState(p.state), true}
	case kindEventuallyNever, kindMost:
		t.take = addStep(p.step)
	case kindLeadsTo:
		t.trigger = addState(p.state)
		t.within = literal{addState(p.other), true}
	case kindNever:
		t.within.pred = addState(p.behaviour.Within)
		t.visit.pred = addState(p.behaviour.Visit)
		t.avoid = addStep(p.behaviour.Avoid)
		t.take = addStep(p.behaviour.Take)
	}
	return t
}

// check refuses a property that was not made by a constructor or lacks a
// predicate.
func (p *Property[S]) check() error {
	state, step, other := p.state != nil, p.step != nil, p.other != nil
	ok := false
	switch p.kind {
	case kindAlways, kindAtRest, kindEventuallyAlways, kindAlwaysEventually, kindSometimes:
		ok = state
	case kindAlwaysStep, kindEventuallyNever, kindSometimesStep, kindMost:
		ok = step
	case kindLeadsTo:
		ok = state && other
	case kindNever:
		ok = true
	case kindFair:
		if ok = state && step; ok && p.fairness != Weak && p.fairness != Strong {
			return fmt.Errorf("its fairness is neither Weak nor Strong")
		}
	default:
		return fmt.Errorf("not made by a constructor of this package")
	}
	if !ok {
		return fmt.Errorf("its predicate is nil")
	}
	return nil
}

// fairness is Options.Classes in the form the search uses.
type fairness struct {
	classes int
	// fair holds for each class whether it is weak or strong.
	fair   []bool
	weak   bitset
	strong bitset
	// premises follow the classes in weak and strong: constraints is the number of both.
	premises    []premise
	constraints int
}

func newFairness(classes []Class) (fairness, error) {
	f := fairness{classes: len(classes), fair: make([]bool, len(classes)), weak: newBitset(len(classes)), strong: newBitset(len(classes))}
	if len(classes) > stutterBit {
		return f, fmt.Errorf("statespace: %d classes, at most %d are possible", len(classes), stutterBit)
	}
	for i, c := range classes {
		switch c.Fairness {
		case Unfair:
		case Weak:
			f.weak.add(i)
		case Strong:
			f.strong.add(i)
		default:
			return f, fmt.Errorf("statespace: class %d (%q) has unknown fairness %d", i, c.Name, c.Fairness)
		}
		f.fair[i] = c.Fairness != Unfair
	}
	return f, nil
}

// with adds the premises of a plan to the constraints.
func (f *fairness) with(p *plan) {
	f.premises, f.constraints = p.premises, f.classes+len(p.premises)
	weak, strong := newBitset(f.constraints), newBitset(f.constraints)
	copy(weak, f.weak)
	copy(strong, f.strong)
	for i, c := range p.premises {
		if c.strong {
			strong.add(f.classes + i)
		} else {
			weak.add(f.classes + i)
		}
	}
	f.weak, f.strong = weak, strong
}

// any reports whether some class is fair.
func (f *fairness) any() bool { return slices.Contains(f.fair, true) }

// isFair reports whether class c is fair. Without declared classes every
// action is unfair.
func (f *fairness) isFair(c uint16) bool { return int(c) < len(f.fair) && f.fair[c] }

// bitset is a set of small numbers.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) add(i int)      { b[i>>6] |= 1 << (i & 63) }
func (b bitset) has(i int) bool { return b[i>>6]&(1<<(i&63)) != 0 }

func (b bitset) union(o bitset) {
	for i := range b {
		b[i] |= o[i]
	}
}
