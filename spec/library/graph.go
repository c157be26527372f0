package library

import (
	"slices"

	"github.com/seatrial/seatrial/spec/value"
)

// Graphs are records of a set of nodes and a set of edges: pairs <<from, to>> in Graphs, sets {a, b} in
// UndirectedGraphs. What those modules say of paths is about infinite sets of sequences, and is found here by following
// edges.
var (
	_ = instead("Graphs", "IsDirectedGraph",
		one("SimplePath", func(g Value) Value { return simplePaths(graphOf(g, pairEnds)) }),
		several("AreConnectedIn", 3, func(a []Value) Value {
			return value.OfBool(graphOf(a[2], pairEnds).connected(a[0], a[1]))
		}),
		one("IsStronglyConnected", func(v Value) Value {
			g := graphOf(v, pairEnds)
			for from := range g.nodes {
				if slices.Contains(g.reached(from), false) {
					return value.False
				}
			}
			return value.True
		}),
	)
	_ = instead("UndirectedGraphs", "IsUndirectedGraph",
		one("SimplePath", func(g Value) Value { return simplePaths(graphOf(g, setEnds)) }),
		several("AreConnectedIn", 3, func(a []Value) Value {
			return value.OfBool(graphOf(a[2], setEnds).connected(a[0], a[1]))
		}),
		one("ConnectedComponents", func(g Value) Value { return value.OfSet(graphOf(g, setEnds).components()) }),
		one("IsStronglyConnected", func(g Value) Value { return value.OfBool(len(graphOf(g, setEnds).components()) == 1) }),
	)
)

// graph is one whose nodes are known by their places: to has where edges lead.
type graph struct {
	nodes []Value
	to    [][]int
}

// graphOf reads a graph. Edges that lead out of its nodes are on no path.
func graphOf(g Value, ends func(edge Value) (from, to Value, both bool)) *graph {
	nodes, ok := value.At(g, value.OfString("node"))
	edges, isRecord := value.At(g, value.OfString("edge"))
	if !ok || !isRecord {
		value.Fail("%s is no graph: a record with the fields node and edge is expected", value.Describe(g))
	}
	made := &graph{nodes: nodes.Members()}
	made.to = make([][]int, len(made.nodes))
	for _, e := range edges.Members() {
		from, to, both := ends(e)
		a, in := made.place(from)
		b, out := made.place(to)
		if !in || !out {
			continue
		}
		made.to[a] = append(made.to[a], b)
		if both && a != b {
			made.to[b] = append(made.to[b], a)
		}
	}
	return made
}

func pairEnds(edge Value) (from, to Value, both bool) {
	pair := edge.Sequence("an edge of a graph")
	if len(pair) != 2 {
		value.Fail("%s is no edge: a pair of nodes is expected", value.Describe(edge))
	}
	return pair[0], pair[1], false
}

func setEnds(edge Value) (from, to Value, both bool) {
	ends := edge.Members()
	if len(ends) == 0 || len(ends) > 2 {
		value.Fail("%s is no edge: a set of two nodes, or of one, is expected", value.Describe(edge))
	}
	return ends[0], ends[len(ends)-1], true
}

func (g *graph) place(node Value) (int, bool) {
	return slices.BinarySearchFunc(g.nodes, node, value.Compare)
}

// reached tells for each node whether there is a path to it.
func (g *graph) reached(from int) []bool {
	seen := make([]bool, len(g.nodes))
	seen[from] = true
	for open := []int{from}; len(open) > 0; {
		node := open[len(open)-1]
		open = open[:len(open)-1]
		for _, next := range g.to[node] {
			if !seen[next] {
				seen[next] = true
				open = append(open, next)
			}
		}
	}
	return seen
}

func (g *graph) connected(m, n Value) bool {
	from, ok := g.place(m)
	to, is := g.place(n)
	return ok && is && g.reached(from)[to]
}

// components are the sets of nodes, none larger, that are connected within.
func (g *graph) components() (all []Value) {
	done := make([]bool, len(g.nodes))
	for from := range g.nodes {
		if done[from] {
			continue
		}
		var members []Value
		for n, is := range g.reached(from) {
			if is {
				done[n] = true
				members = append(members, g.nodes[n])
			}
		}
		all = append(all, value.OfSet(members))
	}
	return all
}

// simplePaths are the paths that come to no node twice.
func simplePaths(g *graph) Value {
	const most = 1 << 20
	var all []Value
	used := make([]bool, len(g.nodes))
	var path []Value
	var extend func(node int)
	extend = func(node int) {
		used[node], path = true, append(path, g.nodes[node])
		if all = append(all, value.OfTuple(slices.Clone(path))); len(all) > most {
			value.Exceed("the graph has more than %d simple paths, too many to list", most)
		}
		for _, next := range g.to[node] {
			if !used[next] {
				extend(next)
			}
		}
		used[node], path = false, path[:len(path)-1]
	}
	for node := range g.nodes {
		extend(node)
	}
	return value.OfSet(all)
}
