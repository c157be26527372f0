package statespace

import "fmt"

// door is what the search knows of a model: states are records of a fixed
// number of words, whatever the model's own type.
type door interface {
	// words is the length of a record, at least 1.
	words() int
	// symmetric reports whether the model has a canonical form.
	symmetric() bool
	// viewed reports whether states that look the same are taken for one.
	viewed() bool
	// passes tells of a step that leads back to the same state whether it may be seen as another one then: see
	// VectorTimedViewer.
	passes(a Action) bool
	// level says how far the states are that are expanded next: see VectorLeveler.
	level(n int)
	// stepper returns access to the model for one goroutine.
	stepper() stepper
	// format renders a state for an error message.
	format(rec []uint64) string
}

// stepper calls the model. It owns scratch memory: the records it hands to
// emit are valid during the call only, and it must not be used from within one.
type stepper interface {
	init(emit func(rec []uint64) bool) error
	next(rec []uint64, emit func(a Action, rec []uint64) bool) error
	// canonical rewrites rec in place.
	canonical(rec []uint64) error
	key(rec []uint64) key
	// state and step evaluate the predicate of that index.
	state(pred int, rec []uint64) bool
	step(pred int, from []uint64, a Action, to []uint64) bool
}

// ModelError says that a model or a predicate broke its contract: it panicked,
// was not deterministic, changed what it was given, or yielded something that
// cannot be a state. It is a fault of the model, not a verdict.
type ModelError struct {
	// Op is what was being called: "Init", "Next", "Canonical" or "property"
	// followed by the name.
	Op string
	// State is the state it was called with, formatted; empty for Init.
	State string
	// Path is how that state is reached from an initial state, or the state it
	// is a successor of. It is empty if that cannot be told.
	Path []Action
	// Problem says what went wrong.
	Problem string
	// Panic is the value the model panicked with, nil if it did not.
	Panic any

	// id is the state's, noState for Init; Path is filled in from it.
	id uint32
}

// Error returns the whole of it in one line.
func (e *ModelError) Error() string {
	text := fmt.Sprintf("statespace: %s: %s", e.Op, e.Problem)
	if e.State != "" {
		text += " at state " + e.State
	}
	if len(e.Path) > 0 {
		text += fmt.Sprintf(", reached by actions (class/label)%s", formatPath(e.Path))
	}
	return text
}

// Unwrap returns the panic value when it is an error.
func (e *ModelError) Unwrap() error {
	err, _ := e.Panic.(error)
	return err
}

// formatPath renders a path, leaving out the middle of a long one.
func formatPath(path []Action) string {
	const keep = 20
	text := ""
	for i, a := range path {
		if len(path) > 2*keep && i == keep {
			text += fmt.Sprintf(" … (%d more)", len(path)-2*keep)
		}
		if len(path) > 2*keep && i >= keep && i < len(path)-keep {
			continue
		}
		text += fmt.Sprintf(" %d/%d", a.Class, a.Label)
	}
	return text
}

// predicates are the state and step predicates of the properties of a run.
type predicates[S any] struct {
	states []func(S) bool
	steps  []func(S, Action, S) bool
}

func equalWords(a, b []uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
