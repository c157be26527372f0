package program

import (
	"slices"
	"sync/atomic"

	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
)

// node is an expression that has been compiled.
type node struct {
	eval func(*frame) value.Value
	reads
	// of is how the value is made of others, if it is; plain is true for a variable as it is.
	of    *operation
	plain bool
	// fixed is the value, if it is known already.
	fixed value.Value
	cost  int
	// height is how deep the parts are within each other.
	height int
}

// reads says what the value of an expression depends on.
type reads struct {
	// now are the variables whose values of the state are read, locals the slots of bound names; both
	// sorted.
	now, locals []int
	// whole are those of now of which everything is read, and sights what is read of others. Of what is in neither all
	// is read, too.
	whole  []int
	sights []sight
	// next is true if values of the next state are read: those of the variables in then, sorted.
	next bool
	then []int
	// impure is true if evaluating it again may give something else, or does something.
	impure bool
	// asks is true if it is asked what is ENABLED.
	asks bool
	// open are operators whose bodies are being compiled, so that what they read is not known yet.
	open []*called
}

// variables is how many are read, of the state and of the next one.
func (r *reads) variables() int { return len(r.now) + len(r.then) }

func (r reads) constant() bool {
	return len(r.now) == 0 && len(r.locals) == 0 && !r.next && !r.impure && len(r.open) == 0
}

func merge(a, b []int) []int {
	switch {
	case len(b) == 0:
		return a
	case len(a) == 0:
		return b
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// mostSights bounds what is said of how variables are read.
const mostSights = 1 << 9

// see adds how o reads variables, which r may not have added yet.
func (r *reads) see(o reads) {
	r.whole = merge(r.wholly(), o.wholly())
	if len(o.sights) == 0 {
		return
	}
	if len(r.sights)+len(o.sights) > mostSights {
		r.whole, r.sights = merge(r.whole, o.now), nil
		return
	}
	r.sights = append(r.sights[:len(r.sights):len(r.sights)], o.sights...)
}

// wholly are the variables of which everything is read.
func (r *reads) wholly() []int {
	whole := r.whole
	for _, slot := range r.now {
		if !slices.ContainsFunc(r.sights, func(s sight) bool { return s.slot == slot }) {
			whole = merge(whole, []int{slot})
		}
	}
	return whole
}

// add makes r depend on what o depends on, too.
func (r *reads) add(o reads) {
	r.see(o)
	r.now, r.then, r.locals = merge(r.now, o.now), merge(r.then, o.then), merge(r.locals, o.locals)
	r.next, r.impure, r.asks = r.next || o.next, r.impure || o.impure, r.asks || o.asks
	for _, t := range o.open {
		if !slices.Contains(r.open, t) {
			r.open = append(r.open[:len(r.open):len(r.open)], t)
		}
	}
}

// without is r where a slot is bound within.
func (r reads) without(slots ...int) reads {
	for _, s := range slots {
		if i, ok := slices.BinarySearch(r.locals, s); ok {
			r.locals = slices.Delete(slices.Clone(r.locals), i, i+1)
		}
	}
	return r
}

func fixed(v value.Value) node {
	return node{eval: func(*frame) value.Value { return v }, fixed: v}
}

// made is a node of parts.
func made(eval func(*frame) value.Value, cost int, parts ...node) node {
	n := node{eval: eval, cost: cost}
	for _, p := range parts {
		n.add(p.reads)
		n.cost += p.cost
		n.height = max(n.height, 1+p.height)
	}
	return n
}

// once makes a constant find its value only once. It is not found before it is needed, since it may
// have none.
func once(n node) node {
	if !n.constant() || !n.fixed.IsNone() || n.cost < 2 {
		return n
	}
	eval := n.eval
	var found atomic.Pointer[value.Value]
	n.eval = func(f *frame) value.Value {
		if v := found.Load(); v != nil {
			return *v
		}
		v := eval(f)
		found.Store(&v)
		return v
	}
	n.cost = 1
	return n
}

// valueOf returns the value of a constant, found while the specification is compiled.
func (c *compiler) valueOf(n node) (v value.Value, ok bool) {
	if !n.fixed.IsNone() {
		return n.fixed, true
	}
	if !n.constant() {
		return v, false
	}
	defer func() {
		if r := recover(); r != nil {
			// It has no value, which matters only if it is asked for.
			v, ok = value.Value{}, false
		}
	}()
	return n.eval(c.program.newFrame()), true
}

// at returns a number for a position, for frame.place.
func (c *compiler) at(p syntax.Position) int32 {
	c.program.places = append(c.program.places, p)
	return int32(len(c.program.places) - 1)
}
