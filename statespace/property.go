package statespace

// Property is a named claim about a model's behaviours. The constructors below
// make them; S is the state struct of a Model or []ID for a VectorModel.
// Predicates must be pure. They are called from several goroutines when
// Options.Workers is above one.
type Property[S any] struct {
	name string
	kind kind

	state, other func(S) bool
	step         func(from S, a Action, to S) bool
	behaviour    Behaviour[S]
	fairness     Fairness
	_            struct{}
}

type kind uint8

const (
	kindAlways kind = iota + 1
	kindAlwaysStep
	kindAtRest
	kindEventuallyAlways
	kindAlwaysEventually
	kindEventuallyNever
	kindLeadsTo
	kindNever
	kindSometimes
	kindSometimesStep
	kindMost
	kindFair
)

// Name returns the name the property was made with.
func (p Property[S]) Name() string { return p.name }

// Always claims that p is true in every reachable state.
func Always[S any](name string, p func(S) bool) Property[S] {
	return Property[S]{name: name, kind: kindAlways, state: p}
}

// AlwaysStep claims that p is true of every reachable step.
func AlwaysStep[S any](name string, p func(from S, a Action, to S) bool) Property[S] {
	return Property[S]{name: name, kind: kindAlwaysStep, step: p}
}

// AtRest claims that p is true in every reachable state in which no fair
// action leads to another state. The counterexample is the path to that state.
func AtRest[S any](name string, p func(S) bool) Property[S] {
	return Property[S]{name: name, kind: kindAtRest, state: p}
}

// EventuallyAlways claims that every fair behaviour reaches a point from which
// on p stays true.
func EventuallyAlways[S any](name string, p func(S) bool) Property[S] {
	return Property[S]{name: name, kind: kindEventuallyAlways, state: p}
}

// AlwaysEventually claims that p is true infinitely often in every fair
// behaviour.
func AlwaysEventually[S any](name string, p func(S) bool) Property[S] {
	return Property[S]{name: name, kind: kindAlwaysEventually, state: p}
}

// EventuallyNever claims that every fair behaviour takes steps with p only
// finitely often.
func EventuallyNever[S any](name string, p func(from S, a Action, to S) bool) Property[S] {
	return Property[S]{name: name, kind: kindEventuallyNever, step: p}
}

// LeadsTo claims that in every fair behaviour each state with p is followed,
// then or later, by one with q.
func LeadsTo[S any](name string, p, q func(S) bool) Property[S] {
	return Property[S]{name: name, kind: kindLeadsTo, state: p, other: q}
}

// Behaviour describes an infinite tail: from some point on every state
// satisfies Within and no step satisfies Avoid, and infinitely often a state
// satisfies Visit (if set) and a step satisfies Take (if set). A nil Within
// admits every state, a nil Avoid every step. A tail that stutters in one
// state for ever takes no step.
type Behaviour[S any] struct {
	Within func(S) bool
	Avoid  func(from S, a Action, to S) bool
	Visit  func(S) bool
	Take   func(from S, a Action, to S) bool
}

// Never claims that no fair behaviour ends in b.
func Never[S any](name string, b Behaviour[S]) Property[S] {
	return Property[S]{name: name, kind: kindNever, behaviour: b}
}

// Sometimes asks for a reachable state with p. It is a witness against
// vacuity: not reaching it is reported, never a violation.
func Sometimes[S any](name string, p func(S) bool) Property[S] {
	return Property[S]{name: name, kind: kindSometimes, state: p}
}

// SometimesStep asks for a reachable step with p, like Sometimes.
func SometimesStep[S any](name string, p func(from S, a Action, to S) bool) Property[S] {
	return Property[S]{name: name, kind: kindSometimesStep, step: p}
}

// Fair is no claim but a premise of the claims about behaviours without end that it is given with: steps with
// taken happen as the fairness says, where enabled tells in which states one is possible. It is for
// what a Class cannot say: steps that satisfy several constraints, and possibilities that are judged by evaluation. A
// step that changes nothing is never taken. The result of a premise always Holds once everything was explored; it is
// Vacuous if enabled is never true.
func Fair[S any](name string, f Fairness, enabled func(S) bool, taken func(from S, a Action, to S) bool) Property[S] {
	return Property[S]{name: name, kind: kindFair, fairness: f, state: enabled, step: taken}
}

// Most asks how many steps with p a behaviour takes at most, fair or not:
// PropertyResult.Count of a result that Holds. It is a measurement and is never
// violated.
func Most[S any](name string, p func(from S, a Action, to S) bool) Property[S] {
	return Property[S]{name: name, kind: kindMost, step: p}
}
