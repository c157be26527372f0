// Package pluscal translates PlusCal algorithms to TLA+: Translate adds to a module the
// definitions that its algorithm stands for, as trees that are placed where the
// algorithm has what they come from.
//
// The language is that of Lamport's "A PlusCal User's Manual", in both its syntaxes. Names of
// definitions, values of pc, the records on the stack and the order of conjuncts and
// disjuncts are those of the usual translator, so that states and
// steps are the same one by one.
//
//	tree.go        what an algorithm consists of
//	options.go     what a module asks of its translation
//	parser.go      tokens → algorithm: variables, procedures, processes
//	statement.go   tokens → statements, in both syntaxes
//	macro.go       macro calls → what they stand for
//	label.go       where labels have to be; labels that are added
//	rename.go      names that would clash
//	scope.go       names in expressions → variables of the translation
//	rewrite.go     copies of expressions with parts replaced
//	action.go      statements → actions
//	call.go        calls and returns
//	definition.go  everything else that a translation defines
//	fairness.go    Spec
//	stale.go       whether a translation is one of the algorithm as it stands
package pluscal
