package dump

import (
	"fmt"
	"io"

	"github.com/seatrial/seatrial/spec"
)

// Schema is the value of the schema field. Within one version fields are only added.
const Schema = "seatrial.dev/states/v1alpha1"

// graphNode and graphEdge are a state and a step in JSON.
type graphNode struct {
	ID    int `json:"id"`
	Depth int `json:"depth"`
	// Violation tells that the state is on the behaviour that violates a claim.
	Violation bool           `json:"violation,omitempty"`
	Values    map[string]any `json:"values"`
}

type graphEdge struct {
	From   int    `json:"from"`
	To     int    `json:"to"`
	Action string `json:"action"`
	At     string `json:"at,omitempty"`
}

var _ = register(Format{
	Suffix: ".json", Doc: "all states and the steps between them, with values as in the Informal Trace Format",
	Graph: func(w io.Writer, g *spec.Graph, path *spec.Trace) error {
		out := struct {
			Schema    string      `json:"schema"`
			Module    string      `json:"module"`
			Variables []string    `json:"variables"`
			States    []graphNode `json:"states"`
			Steps     []graphEdge `json:"steps"`
		}{Schema, g.Module, g.Variables, []graphNode{}, []graphEdge{}}
		nodes, _ := marked(g, path)
		for i, n := range g.Nodes {
			out.States = append(out.States, graphNode{i, n.Depth, nodes[i], state(g.Variables, n.Values)})
		}
		for _, e := range g.Edges {
			at := ""
			if e.At.Source != nil {
				at = fmt.Sprintf("%s:%d", e.At.Source.Name, e.At.Line)
			}
			out.Steps = append(out.Steps, graphEdge{e.From, e.To, e.Action, at})
		}
		return write(w, out)
	},
})
