package statespace

// Action is one step's label: the fairness class it belongs to and a code that
// only the model understands. The engine uses Class for fairness and hands the
// whole Action back in traces.
type Action struct {
	// Class indexes Options.Classes.
	Class uint16
	// Label is the model's own: an index, a packed tuple. Two successors of one
	// state may share a label.
	Label uint32
}

// Model is the first door: states are small comparable structs without
// pointers. Init and Next must yield in a deterministic order and must not
// keep or change what they are given. Next is called from several goroutines
// when Options.Workers is above one.
type Model[S comparable] interface {
	// Init yields the initial states until yield returns false.
	Init(yield func(S) bool)
	// Next yields every successor of s until yield returns false.
	Next(s S, yield func(Action, S) bool)
}

// Canonicalizer is implemented by a Model whose states have symmetric copies.
// Canonical maps every state of one orbit to the same representative.
type Canonicalizer[S comparable] interface {
	Canonical(s S) S
}

// ID names an interned component. Equal bytes have equal ids within one
// Components; ids depend on the order of interning, so nothing may be ordered
// or hashed by them.
type ID uint32

// VectorModel is the second door: a state is a vector of Width ids of
// components interned in Components. Vectors handed in must not be kept or
// changed; vectors yielded are copied by the engine before yield returns.
// Next is called from several goroutines when Options.Workers is above one.
type VectorModel interface {
	Components() *Components
	Width() int
	Init(yield func([]ID) bool)
	Next(v []ID, yield func(Action, []ID) bool)
}

// VectorViewer is implemented by a VectorModel of which states are taken for the same if they look the same: View
// appends to a slice what is seen of v, as ids of components. Of the states that look the same the first one
// found, in breadth-first order, is explored. What then holds, holds of all only if states that look
// the same have successors that look the same, and properties cannot tell them apart; nothing checks that.
type VectorViewer interface {
	View(v, to []ID) []ID
}

// VectorTimedViewer is implemented by a VectorViewer that is a VectorLeveler, too, and of which what is seen of a state
// may depend on its level. A step that leads back to the same state is one to another state then, as that is seen
// later: if Passes(a), and not where a stands for there being no step.
type VectorTimedViewer interface {
	VectorViewer
	VectorLeveler
	Passes(a Action) bool
}

// VectorLeveler is implemented by a VectorModel of which steps or predicates depend on how far a state is from the
// initial ones. Level(n) is called while nothing else calls the model: from then on Next gets states that are n steps
// away, and predicates those that are n+1 away. Level(-1) comes before Init. Of a state that is reached in several ways
// only the shortest is looked at.
type VectorLeveler interface {
	Level(n int)
}

// VectorCanonicalizer is implemented by a VectorModel with symmetric states.
// Canonical rewrites v in place to the representative of its orbit.
type VectorCanonicalizer interface {
	Canonical(v []ID)
}
