package dump

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/seatrial/seatrial/spec"
	"github.com/seatrial/seatrial/spec/value"
)

var _ = register(Format{
	Suffix: ".dot", Doc: "all states and the steps between them, to be drawn by Graphviz",
	Graph: func(w io.Writer, g *spec.Graph, path *spec.Trace) error {
		b := bufio.NewWriter(w) // what fails is said by Flush
		nodes, edges := marked(g, path)
		_, _ = fmt.Fprintf(b, "digraph %s {\n  node [shape=box, fontname=\"monospace\"]\n  edge [fontname=\"sans-serif\"]\n", quote(g.Module))
		for i, n := range g.Nodes {
			var label strings.Builder
			for k, name := range g.Variables {
				label.WriteString(escape(name+" = "+value.Format(n.Values[k])) + `\l`)
			}
			_, _ = fmt.Fprintf(b, "  %d [label=\"%s\"%s%s]\n", i, label.String(), when(n.Depth == 0, ", style=filled, fillcolor=lightgrey"), when(nodes[i], ", color=red"))
		}
		for i, e := range g.Edges {
			_, _ = fmt.Fprintf(b, "  %d -> %d [label=%s%s]\n", e.From, e.To, quote(e.Action), when(edges[i], ", color=red, penwidth=2"))
		}
		_, _ = fmt.Fprintln(b, "}")
		return b.Flush()
	},
})

func when(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

// escape is a text within the quotes of DOT.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text)
}

func quote(text string) string { return `"` + escape(text) + `"` }

// marked tells which nodes and edges are on a path, if all its states are nodes. One that the configuration's ALIAS
// shows in another way is on none.
func marked(g *spec.Graph, path *spec.Trace) (nodes, edges map[int]bool) {
	nodes, edges = map[int]bool{}, map[int]bool{}
	if path == nil {
		return nodes, edges
	}
	of := func(values []value.Value) string {
		var b strings.Builder
		for _, v := range values {
			b.WriteString(value.Format(v) + "\n")
		}
		return b.String()
	}
	at := map[string]int{}
	for i, n := range g.Nodes {
		at[of(n.Values)] = i
	}
	type step struct {
		from, to int
		action   string
	}
	steps := map[step]bool{}
	before, known := -1, false
	for i, s := range path.States {
		var n int
		if n, known = at[of(s.Values)]; !known {
			return map[int]bool{}, map[int]bool{}
		}
		nodes[n] = true
		if i > 0 {
			steps[step{before, n, s.Action}] = true
		}
		before = n
	}
	for i, e := range g.Edges {
		edges[i] = steps[step{e.From, e.To, e.Action}]
	}
	return nodes, edges
}
