package library

// Operators of the community whose text says TRUE, since TLC has them in Java: they are refused, or everything would be
// true of them.
var (
	_ = enter("Statistics", nil, unsupported("ChiSquare", 3))
	_ = enter("GraphViz", nil, Operator{Name: "DotDiGraph", Arity: 3, Impure: true, Takes: map[int]int{1: 1, 2: 1}, Apply: unsupported("DotDiGraph", 3).Apply})
)
