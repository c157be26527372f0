package spec

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/seatrial/seatrial/spec/program"
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// Graph is every state that can be reached, and every step between them.
type Graph struct {
	Module    string
	Variables []string
	// Nodes are in breadth-first order, the initial ones first. Of states that a VIEW or a SYMMETRY takes for
	// the same there is one.
	Nodes []Node
	Edges []Edge
}

// Node is a state.
type Node struct {
	Values []value.Value
	// Depth is the number of steps from an initial state.
	Depth int
}

// Edge is a step between the nodes with these numbers. Two actions that do the same are two edges.
type Edge struct {
	From, To int
	Action   string
	At       syntax.Position
}

// TooManyStates is the error of a graph that has more nodes than were asked for.
type TooManyStates struct{ Most int }

func (e *TooManyStates) Error() string {
	return fmt.Sprintf("there are more than %d states, too many for a graph", e.Most)
}

// Graph explores the states once more, by one goroutine, and keeps them all: at most so many. A state in which an
// expression has no value has no steps.
func (s *Spec) Graph(ctx context.Context, most int) (*Graph, error) {
	p := s.program
	p.Until(ctx)
	b := &grapher{p: p, model: p.Model(), at: map[string]int{}, most: most, graph: &Graph{Module: p.Name, Variables: p.Variables}}
	b.begin()
	for i := 0; i < len(b.states) && b.err == nil; i++ {
		if b.err = context.Cause(ctx); b.err == nil {
			b.expand(i)
		}
	}
	if b.err != nil {
		return nil, b.err
	}
	return b.graph, nil
}

// grapher is a graph in the making.
type grapher struct {
	p     *program.Program
	model statespace.VectorModel
	// at are the numbers of the nodes by what tells states apart.
	at     map[string]int
	states [][]statespace.ID
	most   int
	graph  *Graph
	err    error
}

// enter gives a state its number.
func (b *grapher) enter(state []statespace.ID, depth int) int {
	state = append([]statespace.ID{}, state...)
	if c, ok := b.model.(statespace.VectorCanonicalizer); ok {
		c.Canonical(state)
	}
	seen := state
	if v, ok := b.model.(statespace.VectorViewer); ok {
		seen = v.View(state, nil)
	}
	var key []byte
	for _, id := range seen {
		key = binary.LittleEndian.AppendUint32(key, uint32(id))
	}
	n, known := b.at[string(key)]
	switch {
	case known:
		return n
	case len(b.states) == b.most:
		b.err = &TooManyStates{b.most}
		return 0
	}
	b.at[string(key)] = len(b.states)
	b.states = append(b.states, state)
	b.graph.Nodes = append(b.graph.Nodes, Node{b.p.Values(state), depth})
	return len(b.states) - 1
}

// begin enters the initial states.
func (b *grapher) begin() {
	defer b.rescue()
	b.p.Level(-1)
	b.model.Init(func(state []statespace.ID) bool {
		b.enter(state, 0)
		return b.err == nil
	})
}

// rescue goes on where an expression has no value, and ends where it was interrupted.
func (b *grapher) rescue() {
	switch r := recover().(type) {
	case nil, *program.EvaluationError:
	case *program.Interrupted:
		b.err = r
	default:
		panic(r)
	}
}

// expand adds the steps from a node.
func (b *grapher) expand(i int) {
	defer b.rescue()
	depth := b.graph.Nodes[i].Depth + 1
	b.p.Level(depth - 1)
	b.model.Next(b.states[i], func(a statespace.Action, to []statespace.ID) bool {
		if a.Label == program.Deadlocked {
			return false
		}
		if n := b.enter(to, depth); b.err == nil {
			of := b.p.Actions[a.Label]
			b.graph.Edges = append(b.graph.Edges, Edge{i, n, of.Name, of.At})
		}
		return b.err == nil
	})
}
