package growth

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

// templateKey is equal for equal templates.
func templateKey(t scenario.NodeTemplate) (string, error) {
	raw, err := json.Marshal(t)
	return string(raw), err
}

// mentions tells whether the scenario is about a pool, or a node of it, by name.
func mentions(spec *scenario.Spec, pool string) bool {
	about := func(name string) bool { return name == pool || strings.HasPrefix(name, pool+"-") }
	if slices.ContainsFunc(spec.Events, func(e scenario.Event) bool { return slices.ContainsFunc(e.Nodes, about) }) ||
		slices.ContainsFunc(spec.NodeCrash, func(c scenario.NodeCrash) bool { return slices.ContainsFunc(c.Nodes, about) }) {
		return true
	}
	return slices.ContainsFunc(spec.Properties, func(p scenario.Property) bool {
		return about(p.Node) || p.Name != "" // an expression may name any node
	})
}
