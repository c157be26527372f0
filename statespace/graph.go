package statespace

// stutterBit marks, in an edge's class, a successor equal to its predecessor.
const stutterBit = 1 << 15

// graph is the transition graph in compressed rows: the edges of state i are
// those from start(i) to start(i+1). Only states below expanded have rows.
// It is kept when a liveness property asks for it.
type graph struct {
	offsets  pages[uint64]
	targets  pages[uint32]
	classes  pages[uint16]
	stepBits pages[uint8]
	// stateBits has a row of stateBytes bytes for every state, stepBits one of
	// stepBytes for every edge: the values of the liveness predicates.
	stateBits             pages[uint8]
	stateBytes, stepBytes int
	expanded              int
}

// edge is one transition of the graph.
type edge struct {
	to      uint32
	class   uint16
	stutter bool
}

func newGraph(p *plan) *graph {
	return &graph{stateBytes: (p.liveStates + 7) / 8, stepBytes: (p.liveSteps + 7) / 8}
}

// row returns the range of the edges of a state; one that is not expanded has
// none.
func (g *graph) row(state uint32) (from, to int) {
	if int(state) >= g.expanded {
		return 0, 0
	}
	return int(g.offsets.at(int(state))), int(g.offsets.at(int(state) + 1))
}

func (g *graph) edge(i int) edge {
	c := g.classes.at(i)
	return edge{to: g.targets.at(i), class: c &^ stutterBit, stutter: c&stutterBit != 0}
}

// stateIs evaluates a literal; an absent one is true.
func (g *graph) stateIs(state uint32, l literal) bool {
	return l.pred == none || g.stateBit(state, l.pred) != l.negated
}

func (g *graph) stateBit(state uint32, pred int) bool {
	return g.stateBits.at(int(state)*g.stateBytes+pred>>3)&(1<<(pred&7)) != 0
}

func (g *graph) stepBit(i, pred int) bool {
	return g.stepBits.at(i*g.stepBytes+pred>>3)&(1<<(pred&7)) != 0
}

// extend makes room for n states in all, of which expanded have rows, with
// edges edges.
func (g *graph) extend(n, expanded, edges int) {
	g.offsets.extend(expanded + 1)
	g.targets.extend(edges)
	g.classes.extend(edges)
	g.stepBits.extend(edges * g.stepBytes)
	g.stateBits.extend(n * g.stateBytes)
}

// livenessBytes is what deciding a liveness property takes per state: see
// components, and the predecessor and queue of the stem.
const livenessBytes = 32

// bytesFor returns the memory with n states and edges edges, that of the
// liveness search included.
func (g *graph) bytesFor(n, edges int) int64 {
	return pagesBytes(n+1, 8) + pagesBytes(edges, 4) + pagesBytes(edges, 2) +
		pagesBytes(edges*g.stepBytes, 1) + pagesBytes(n*g.stateBytes, 1) + int64(n)*livenessBytes
}
