// Package difference writes changes of objects as people read them: as lines of YAML, of which
// each has the keys above it.
package difference

import (
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/history"
)

// node is a key of a map, or an item of a list, in which something changes.
type node struct {
	history.Element
	children []*node
	// changes are those of the whole of it.
	changes []history.Change
}

// child is the node below; it is made if there is none yet.
func (n *node) child(e history.Element) *node {
	i := slices.IndexFunc(n.children, func(c *node) bool { return c.Element == e })
	if i < 0 {
		i = len(n.children)
		n.children = append(n.children, &node{Element: e})
	}
	return n.children[i]
}

// Lines are changes as lines of YAML. Each begins with - for what is only in the first version, + for
// what is only in the second, and a space for what leads there.
func Lines(changes []history.Change) []string {
	root := &node{}
	for _, ch := range changes {
		elements, err := history.Elements(ch.Path)
		if err != nil {
			elements = []history.Element{{Name: ch.Path}}
		}
		at := root
		for _, e := range elements {
			at = at.child(e)
		}
		at.changes = append(at.changes, ch)
	}
	var out []string
	for _, n := range root.children {
		out = n.lines(out, "")
	}
	return out
}

// lines adds those of a node and of all below it.
func (n *node) lines(out []string, indent string) []string {
	orders := false
	for _, ch := range n.changes {
		from, ordered := ch.From.([]any)
		to, both := ch.To.([]any)
		if ordered && both { // only their order is a change of whole lists
			out, orders = append(out, n.head(indent)), true
			out = append(out, "-"+indent+"# in the order "+words(from), "+"+indent+"# in the order "+words(to))
			continue
		}
		out = n.value(out, "-", indent, ch.From)
		out = n.value(out, "+", indent, ch.To)
	}
	if len(n.children) == 0 {
		return out
	}
	if !orders {
		out = append(out, n.head(indent))
	}
	for _, c := range n.children {
		inner := indent
		if !c.Item || n.Item { // a list is not further in than its key
			inner += "  "
		}
		out = c.lines(out, inner)
	}
	return out
}

// head is the line that leads to what is below a node.
func (n *node) head(indent string) string {
	switch {
	case !n.Item:
		return " " + indent + key(n.Name) + ":"
	case n.Key == "":
		return " " + indent + "- # " + n.Name
	}
	return " " + indent + "- " + n.Key + ": " + key(n.Name)
}

// value adds the lines of what a node is on one side; none if it is not there.
func (n *node) value(out []string, sign, indent string, v any) []string {
	if v == nil {
		return out
	}
	var whole any = map[string]any{n.Name: v}
	if n.Item {
		whole = []any{v}
	}
	text, err := yaml.Marshal(whole)
	if err != nil { // it is no JSON
		return append(out, sign+indent+key(n.Name)+": …")
	}
	for line := range strings.Lines(string(text)) {
		out = append(out, sign+indent+strings.TrimSuffix(line, "\n"))
	}
	return out
}

// key is a text as YAML has it.
func key(text string) string {
	out, err := yaml.Marshal(text)
	if err != nil || strings.Count(string(out), "\n") != 1 {
		return text
	}
	return strings.TrimSuffix(string(out), "\n")
}

// words are what items are known by.
func words(items []any) string {
	var all []string
	for _, i := range items {
		s, _ := i.(string)
		all = append(all, s)
	}
	return strings.Join(all, ", ")
}
