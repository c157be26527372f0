// Package statespace explores finite transition systems exhaustively and
// decides properties of their behaviours, with a trace for every violation. It
// knows nothing of Kubernetes: models of clusters, controllers and
// specifications are built on it.
//
// # Use
//
// A [Model] has small comparable structs for states, a [VectorModel] vectors of
// ids of interned [Components]. Both yield their initial states and, for a
// state, its successors with the [Action] that leads there. [Check] and
// [CheckVectors] decide a list of [Property] values, made by [Always],
// [LeadsTo] and the other constructors, and return a [Verdict] for each:
//
//   - Holds: true of every behaviour; everything was explored;
//   - Violated: the [Trace] shows a behaviour for which it is false, valid
//     whatever remains unexplored;
//   - Inconclusive: a budget of [Options] ran out or the context ended first.
//
// A model or predicate that breaks its contract is an error, a [*ModelError]
// that says where. [TerminalVectors] returns the states that nothing changes,
// [Walk] simulates.
//
// # Behaviours
//
// A behaviour takes one step after the other and may stay in its state for
// ever at any point, as far as fairness allows. Each action belongs to a
// [Class]. A weakly fair class that stays enabled is taken eventually, a
// strongly fair one if it is enabled again and again. A class is enabled in a
// state when one of its actions leads to another state, and taken when such a
// step is. A step that leads back to its own state is a step for predicates on
// steps, but none for fairness.
//
// # Data
//
// Inside, a state is a record of a fixed number of words, whichever door it
// came in by. It is known by the 128-bit hash of its content (for a vector, of
// the contents of its components). The table of visited states maps hashes to
// ids; ids number the states in breadth-first order. Records are kept only
// until the state is expanded, then its predecessor's id remains; liveness
// properties also keep the graph, in compressed rows, with the values of their
// predicates as bits. Traces are rebuilt by running the model again.
//
//	frontier.go, worker.go   one chunk of states: expand, insert, number, commit
//	explore.go, budget.go    levels, chunks, budgets, progress
//	record.go, vector.go     the two doors
//	table.go, memory.go      visited states; large pages
//	page.go                  arrays that grow without copying
//	graph.go, scc.go         the transition graph and its components
//	liveness.go, lasso.go    fair components; stem and cycle
//	replay.go, judge.go      traces by re-execution, and an independent check
//	audit.go                 what symmetry must not be applied to
//
// # Speed
//
// The time of a check is the number of states times their successors times what
// one successor takes: 50 to 130 ns here, for small states whose Next does not
// allocate. In the order of what they gain:
//
//   - hold in a state only what behaviour depends on, no clocks, counters or
//     names; choose values of the environment when they are read, if nothing
//     constrains them (see the example);
//   - give a [Canonicalizer] where members are alike: sort them;
//   - keep states small and without unused room, and Next free of allocation: a
//     [VectorModel] keeps large objects as ids and asks its code once for each;
//   - use as many workers as there are processors, for levels of a thousand
//     states and more.
//
// Memory is 36 to 55 bytes a state besides the records of two levels. Liveness
// adds about 35, and 4 to 6 per step to another state; predicates on steps add
// their bits, and the steps that change nothing.
//
// # Guarantees
//
// Results are the same bytes for any number of workers: ids, counts, verdicts
// and traces. Traces of safety properties and witnesses are shortest; a lasso
// has the shortest stem in what was explored when it was found (everything with
// Options.All; else liveness is also looked at before that) and, for where the
// stem ends, a short cycle. Every trace has
// been re-executed on concrete states and judged by code that shares nothing
// with the search. A state that was not expanded is neither terminal nor
// stuttering: it makes Holds impossible. Two states are confused with
// probability n²/2¹²⁹ for n states, 1.5·10⁻²³ for 10⁸.
//
// Under a [Canonicalizer] one state of each orbit is explored, and traces are
// still paths of the model. Canonical must be a symmetry of the model, and
// properties and classes must not tell the states of an orbit apart; a sample
// of states is compared, and a property caught at it is Inconclusive.
package statespace
