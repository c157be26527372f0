package statespace

import "time"

// Fairness says how often a class of actions is taken.
type Fairness uint8

const (
	// Unfair actions may happen or not: the environment's.
	Unfair Fairness = iota
	// Weak: a class that stays enabled is taken eventually.
	Weak
	// Strong: a class that is enabled again and again is taken eventually.
	Strong
)

// Class is a set of actions that share one fairness constraint. A class is
// enabled in a state when one of its actions leads to another state.
type Class struct {
	Name     string
	Fairness Fairness
}

// Verdict is the outcome for one property.
type Verdict uint8

const (
	// Inconclusive: a budget ran out, the run was cancelled, or a witness was
	// not found in an exploration that was cut short. The zero value.
	Inconclusive Verdict = iota
	// Holds: true of every behaviour within the bound that was explored.
	Holds
	// Violated: Trace shows a behaviour for which it is false.
	Violated
)

// Options are the budgets and settings of a run. The zero value explores
// everything with one worker per CPU.
type Options struct {
	// Classes are the fairness classes, indexed by Action.Class.
	Classes []Class
	// Workers is the number of goroutines; 0 means GOMAXPROCS. Results do not
	// depend on it.
	Workers int
	// MaxStates bounds the distinct states stored; 0 means no bound.
	MaxStates int
	// MaxMemory bounds the bytes the engine holds for states, table and graph;
	// 0 means no bound.
	MaxMemory int64
	// MaxDepth bounds the number of steps from an initial state; 0 means no bound.
	MaxDepth int
	// All goes on after the first violation until every property is decided.
	// Otherwise the search ends with the level in which a violation is found;
	// liveness is looked at from time to time, not only when all is explored.
	All bool
	// Labels, if not zero, has steps counted by their Action.Label: of those below
	// it, one by one.
	Labels int
	// Progress, if set, is called at most once a second from the goroutine
	// that called Check.
	Progress func(Progress)

	hooks hooks
}

// Progress is a snapshot of a running exploration.
type Progress struct {
	States, Transitions int
	Frontier, Depth     int
	Elapsed             time.Duration
}

// Stats describes what was explored.
type Stats struct {
	// States is the number of distinct states, Transitions the number of
	// successors generated, initial states included.
	States, Transitions int
	// Levels is the number of breadth-first levels, the initial one included.
	Levels int
	// Widest is the size of the largest level, and Sizes are those of all.
	Widest int
	Sizes  []int
	// Labels counts the steps of each label below Options.Labels.
	Labels []LabelCount
	// Complete is true when no state was left unexpanded.
	Complete bool
	// Reason says why not, when Complete is false.
	Reason string
	// EnabledClasses tells for each class whether it was ever enabled.
	EnabledClasses []bool
	// BytesPerState is the engine's memory divided by States.
	BytesPerState float64
}

// LabelCount is how often steps with one label were generated, and how many of the
// distinct states were reached by one of them first, in breadth-first order.
type LabelCount struct{ Transitions, States int }

// EndedAtViolation is the Reason of an exploration that ended at a violation,
// because Options.All was not set.
const EndedAtViolation = "the search ended at a violation"

// Result is the outcome of one run.
type Result[S any] struct {
	Properties []PropertyResult[S]
	Stats      Stats
}

// PropertyResult is the outcome for one property.
type PropertyResult[S any] struct {
	Name    string
	Verdict Verdict
	// Reason says why a verdict is Inconclusive.
	Reason string
	// Vacuous says why a Holds could not have been anything else; empty if it
	// could. For a Sometimes property that was not reached it says so.
	Vacuous string
	// Trace is the counterexample of a Violated property, or the witness of a
	// Sometimes property that was reached.
	Trace *Trace[S]
	// Count is what a Most property measured: Unbounded if such steps can be
	// repeated for ever.
	Count int
}

// Unbounded is the Count of steps that lie on a cycle.
const Unbounded = -1

// Trace is a path of the model from an initial state.
type Trace[S any] struct {
	Init  S
	Steps []Step[S]
	// Loop is -1 for a finite trace. Otherwise the behaviour repeats for ever:
	// the last state equals the state before Steps[Loop], or looks the same in the model's view (Loop == len(Steps)
	// means that it stays in the last state for ever).
	Loop int
}

// Step is one action and the state it leads to.
type Step[S any] struct {
	Action Action
	State  S
}
