package statespace

// stutterBit is the number of fairness classes that an edge can name; above it
// is room for the mark of a successor equal to its predecessor.
const stutterBit = 1 << 15

// graph is the transition graph in compressed rows: the edges of state i are
// those from start(i) to start(i+1). Only states below expanded have rows.
// It is kept when a liveness property asks for it. Where no predicate is about
// steps, a step that changes nothing decides nothing and has no edge.
type graph struct {
	// A row starts at the base of its group of states plus its offset.
	bases   []uint64
	offsets pages[uint32]
	targets pages[uint32]
	// labels has a row of labelBytes bytes for every edge: its class, if that
	// matters, with the mark of a stuttering step as the highest bit, and the
	// values of the liveness predicates on steps. stateBits has a row of
	// stateBytes bytes for every state.
	labels                 pages[uint8]
	stateBits              pages[uint8]
	labelBytes, classBytes int
	stateBytes             int
	// stutters tells whether stuttering steps have edges, classed whether
	// classes matter.
	stutters, classed bool
	searchBytes       int64
	expanded          int
}

const (
	groupBits = 10
	// rowsMost bounds the edges from a group's base to its end.
	rowsMost = 1<<32 - 1
)

// edge is one transition of the graph. Its class is 0 where no class is fair.
type edge struct {
	to      uint32
	class   uint16
	stutter bool
}

func newGraph(p *plan, f *fairness) *graph {
	g := &graph{stateBytes: (p.liveStates + 7) / 8, stutters: p.liveSteps > 0, classed: f.any(), searchBytes: sccBytes}
	switch {
	case g.classed && f.classes > 1<<7:
		g.classBytes = 2
	case g.classed || g.stutters:
		g.classBytes = 1
	}
	g.labelBytes = g.classBytes + (p.liveSteps+7)/8
	for i := range p.claims {
		if p.claims[i].kind == kindMost {
			g.searchBytes = max(g.searchBytes, sccBytes+mostBytes)
		}
		if p.claims[i].tail.trigger != none {
			g.searchBytes = sccBytes + stemBytes
		}
	}
	return g
}

// label writes the class and the mark of an edge to the front of its label.
func (g *graph) label(to []uint8, class uint16, stutter bool) {
	if g.classBytes == 0 {
		return
	}
	if !g.classed {
		class = 0
	}
	to[0] = uint8(class)
	if g.classBytes == 2 {
		to[1] = uint8(class >> 8)
	}
	if stutter {
		to[g.classBytes-1] |= 1 << 7
	}
}

func (g *graph) start(state int) int {
	return int(g.bases[state>>groupBits]) + int(g.offsets.at(state))
}

// row returns the range of the edges of a state; one that is not expanded has
// none.
func (g *graph) row(state uint32) (from, to int) {
	if int(state) >= g.expanded {
		return 0, 0
	}
	return g.start(int(state)), g.start(int(state) + 1)
}

func (g *graph) edge(i int) edge {
	e := edge{to: g.targets.at(i)}
	if g.classBytes == 0 {
		return e
	}
	at := i*g.labelBytes + g.classBytes - 1
	top := g.labels.at(at)
	e.class, e.stutter = uint16(top&^(1<<7)), top>>7 != 0
	if g.classBytes == 2 {
		e.class = e.class<<8 | uint16(g.labels.at(at-1))
	}
	return e
}

// stateIs evaluates a literal; an absent one is true.
func (g *graph) stateIs(state uint32, l literal) bool {
	return l.pred == none || g.stateBit(state, l.pred) != l.negated
}

func (g *graph) stateBit(state uint32, pred int) bool {
	return g.stateBits.at(int(state)*g.stateBytes+pred>>3)&(1<<(pred&7)) != 0
}

func (g *graph) stepBit(i, pred int) bool {
	return g.labels.at(i*g.labelBytes+g.classBytes+pred>>3)&(1<<(pred&7)) != 0
}

// extend makes room for n states in all, of which expanded have rows, with
// edges edges, before of which are there.
func (g *graph) extend(n, expanded, before, edges int) {
	for len(g.bases) <= expanded>>groupBits {
		g.bases = append(g.bases, uint64(before))
	}
	g.offsets.extend(expanded + 1)
	g.targets.extend(edges)
	g.labels.extend(edges * g.labelBytes)
	g.stateBits.extend(n * g.stateBytes)
}

// full reports whether rows that end at edges are too far from their base.
func (g *graph) full(before, edges int) bool {
	if len(g.bases) > 0 {
		before = int(g.bases[len(g.bases)-1])
	}
	return edges-before > rowsMost
}

// bytesFor returns the memory with n states and edges edges, that of the
// liveness search included.
func (g *graph) bytesFor(n, edges int) int64 {
	return pagesBytes(n+1, 4) + int64(n>>groupBits+1)*8 + pagesBytes(edges, 4) +
		pagesBytes(edges*g.labelBytes, 1) + pagesBytes(n*g.stateBytes, 1) + int64(n)*g.searchBytes
}
