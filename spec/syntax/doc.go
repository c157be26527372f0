// Package syntax reads TLA+: the text of modules becomes trees that keep file, line and
// column of everything. It knows how things are written and nothing of what they
// mean.
//
// The language is that of Lamport's Specifying Systems (2002) with the additions of TLA+2
// (RECURSIVE, LAMBDA, proofs). Symbols may be ASCII or Unicode; a tree has
// one spelling of each (see Canonical). Bulleted lists of conjuncts and disjuncts
// are read by their columns. Proofs are passed over.
//
//	position.go    places, and errors that show them
//	lexer.go       text → tokens; comments kept for what stands in them
//	operator.go    the symbols: precedence, spellings
//	module.go      tokens → modules and their units; where a PlusCal algorithm is
//	expression.go  tokens → expressions
//	tree.go        what both make
//	print.go       trees → text; printexpression.go has the expressions
package syntax
