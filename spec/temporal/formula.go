// Package temporal decides formulas of linear time about the behaviours of a statespace.VectorModel: combinations of
// "always" and "eventually" over conditions on states and on steps.
//
// Most formulas have a form that statespace decides itself (see Split). The others are negated and made into an
// automaton that reads a behaviour and accepts those that violate the formula; Product is the model together with
// that automaton, and the formula holds if no fair behaviour of it is accepted.
//
// Behaviours may stay in a state at any point. Formulas must not be able to tell whether they did, which is so
// of all formulas of TLA+: conditions on steps are about steps that change something, or say what is true if nothing
// changes.
package temporal

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/statespace"
)

// ID is short for what states are vectors of.
type ID = statespace.ID

type operator uint8

const (
	isConstant operator = iota
	isState
	isStep
	isNot
	isAnd
	isOr
	isAlways
	isEventually
)

// Formula is a formula. Formulas are not changed once made.
type Formula struct {
	op    operator
	truth bool
	state func([]ID) bool
	step  func(from, to []ID) bool
	args  []*Formula
}

// Constant is true or false.
func Constant(truth bool) *Formula { return &Formula{op: isConstant, truth: truth} }

// State is a condition on the first state of a behaviour.
func State(holds func([]ID) bool) *Formula { return &Formula{op: isState, state: holds} }

// Step is a condition on the first step of a behaviour, which may be one that changes nothing.
func Step(holds func(from, to []ID) bool) *Formula { return &Formula{op: isStep, step: holds} }

// Not is the negation of a formula.
func Not(f *Formula) *Formula { return &Formula{op: isNot, args: []*Formula{f}} }

// And is true where all of them are, and where there is none.
func And(fs ...*Formula) *Formula { return &Formula{op: isAnd, args: fs} }

// Or is true where one of them is.
func Or(fs ...*Formula) *Formula { return &Formula{op: isOr, args: fs} }

// Implies is true where f is not, or g is.
func Implies(f, g *Formula) *Formula { return Or(Not(f), g) }

// Equivalent is true where both are, or none.
func Equivalent(f, g *Formula) *Formula { return And(Implies(f, g), Implies(g, f)) }

// Always is true where f is, from now on.
func Always(f *Formula) *Formula { return &Formula{op: isAlways, args: []*Formula{f}} }

// Eventually is true where f is, now or later.
func Eventually(f *Formula) *Formula { return &Formula{op: isEventually, args: []*Formula{f}} }

// LeadsTo is true where g is true, at the time or later, whenever f is.
func LeadsTo(f, g *Formula) *Formula { return Always(Implies(f, Eventually(g))) }

// reduced returns f, or its negation, without isNot, with conditions joined, and without what is superfluous.
func (f *Formula) reduced(negated bool) *Formula {
	switch f.op {
	case isConstant:
		return Constant(f.truth != negated)
	case isState:
		if negated {
			return State(func(s []ID) bool { return !f.state(s) })
		}
		return f
	case isStep:
		if negated {
			return Step(func(from, to []ID) bool { return !f.step(from, to) })
		}
		return f
	case isNot:
		return f.args[0].reduced(!negated)
	case isAnd, isOr:
		return join((f.op == isAnd) != negated, f.args, negated)
	}
	always := (f.op == isAlways) != negated
	op := isEventually
	if always {
		op = isAlways
	}
	arg := f.args[0].reduced(negated)
	switch {
	case arg.op == isConstant, arg.op == op:
		return arg
	case (arg.op == isAlways || arg.op == isEventually) && arg.args[0].op == op:
		// [](<>([]P)) is <>([]P), and so for the other.
		return arg
	case always && arg.op == isAnd, !always && arg.op == isOr:
		parts := make([]*Formula, len(arg.args))
		for i, a := range arg.args {
			parts[i] = &Formula{op: op, args: []*Formula{a}}
		}
		return join(always, parts, false)
	}
	return &Formula{op: op, args: []*Formula{arg}}
}

// join makes a conjunction or a disjunction of what the parts reduce to: flat, with one condition on states and one
// on steps.
func join(and bool, parts []*Formula, negated bool) *Formula {
	op := isOr
	if and {
		op = isAnd
	}
	joined := &Formula{op: op}
	var states []func([]ID) bool
	var steps []func(from, to []ID) bool
	var add func(f *Formula) bool
	add = func(f *Formula) bool {
		switch f.op {
		case isConstant:
			return f.truth == and
		case isState:
			states = append(states, f.state)
		case isStep:
			steps = append(steps, f.step)
		case op:
			for _, a := range f.args {
				add(a)
			}
		default:
			joined.args = append(joined.args, f)
		}
		return true
	}
	for _, p := range parts {
		if !add(p.reduced(negated)) {
			return Constant(!and)
		}
	}
	holds := func(from, to []ID) bool {
		for _, state := range states {
			if state(from) != and {
				return !and
			}
		}
		for _, step := range steps {
			if step(from, to) != and {
				return !and
			}
		}
		return and
	}
	if len(steps) > 0 {
		joined.args = append(joined.args, Step(holds))
	} else if len(states) > 0 {
		joined.args = append(joined.args, State(func(s []ID) bool { return holds(s, nil) }))
	}
	switch len(joined.args) {
	case 0:
		return Constant(and)
	case 1:
		return joined.args[0]
	}
	return joined
}

// Part is one conjunct of a formula, in the form in which it is decided.
type Part struct {
	// Initial is a condition on initial states, if it is not nil.
	Initial func([]ID) bool
	// Property is decided by statespace, if Formula and Initial are nil.
	Property statespace.Property[[]ID]
	// Formula needs a Product.
	Formula *Formula
	// Step is, for a Property that is about single states and steps only, what is true of each step then.
	Step func(from, to []ID) bool
}

// Split takes a formula apart. Each property has the name.
func Split(name string, f *Formula) []Part {
	f = f.reduced(false)
	if f.op == isAnd {
		var parts []Part
		for _, a := range f.args {
			parts = append(parts, Split(name, a)...)
		}
		return parts
	}
	if f.op == isState {
		return []Part{{Initial: f.state}}
	}
	if p, ok := direct(name, f); ok {
		return []Part{{Property: p, Step: f.always()}}
	}
	return []Part{{Formula: f}}
}

// always is what a formula says of each step if it says nothing else, or nil.
func (f *Formula) always() func(from, to []ID) bool {
	switch {
	case f.op == isConstant:
		return func(_, _ []ID) bool { return f.truth }
	case f.op == isAlways && f.args[0].op == isState:
		return func(_, to []ID) bool { return f.args[0].state(to) }
	case f.op == isAlways && f.args[0].op == isStep:
		return f.args[0].step
	}
	return nil
}

// Safe tells whether a formula is about single states and steps only: what violates it is seen at one of them.
func Safe(f *Formula) bool {
	for _, part := range Split("", f) {
		if part.Formula != nil || part.Initial == nil && part.Step == nil {
			return false
		}
	}
	return true
}

// direct returns the property of statespace that a formula is, if it is one.
func direct(name string, f *Formula) (p statespace.Property[[]ID], ok bool) {
	if f.op == isConstant {
		return statespace.Always(name, func([]ID) bool { return f.truth }), true
	}
	if f.op == isAlways {
		switch g := f.args[0]; g.op {
		case isState:
			return statespace.Always(name, g.state), true
		case isStep:
			return statespace.AlwaysStep(name, func(from []ID, _ statespace.Action, to []ID) bool { return g.step(from, to) }), true
		case isOr:
			// P => <>Q, with a condition and one thing that is to come.
			if q, rest := g.args[0], g.args[1]; len(g.args) == 2 && q.op == isEventually && q.args[0].op == isState && rest.op == isState {
				return statespace.LeadsTo(name, func(s []ID) bool { return !rest.state(s) }, q.args[0].state), true
			}
		}
	}
	return tail(name, f)
}

// tail returns a property about what is true from some point on, or again and again: f is a disjunction of such.
func tail(name string, f *Formula) (p statespace.Property[[]ID], ok bool) {
	alternatives := []*Formula{f}
	if f.op == isOr {
		alternatives = f.args
	}
	var within []func([]ID) bool
	var avoid []func(from, to []ID) bool
	var b statespace.Behaviour[[]ID]
	for _, a := range alternatives {
		if a.op != isAlways && a.op != isEventually || a.args[0].op != isAlways && a.args[0].op != isEventually {
			return p, false
		}
		again, condition := a.op == isAlways, a.args[0].args[0]
		switch {
		case again && condition.op == isState:
			within = append(within, condition.state)
		case again && condition.op == isStep:
			avoid = append(avoid, condition.step)
		case condition.op == isState && b.Visit == nil:
			b.Visit = func(s []ID) bool { return !condition.state(s) }
		case condition.op == isStep && b.Take == nil:
			b.Take = func(from []ID, _ statespace.Action, to []ID) bool { return !condition.step(from, to) }
		default:
			return p, false
		}
	}
	if len(within) > 0 {
		b.Within = func(s []ID) bool { return !slices.ContainsFunc(within, func(w func([]ID) bool) bool { return w(s) }) }
	}
	if len(avoid) > 0 {
		b.Avoid = func(from []ID, _ statespace.Action, to []ID) bool {
			return slices.ContainsFunc(avoid, func(a func(from, to []ID) bool) bool { return a(from, to) })
		}
	}
	return statespace.Never(name, b), true
}

// String shows the form of a formula, for messages and tests.
func (f *Formula) String() string {
	names := map[operator]string{isNot: "~", isAnd: "/\\", isOr: "\\/", isAlways: "[]", isEventually: "<>"}
	switch f.op {
	case isConstant:
		return fmt.Sprint(f.truth)
	case isState:
		return "P"
	case isStep:
		return "[A]"
	}
	return fmt.Sprint(names[f.op], f.args)
}
