package edit

import (
	"encoding/json"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Text is a string, Number an integer, Flag a boolean.
func Text(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }

// Number is an integer.
func Number[N int | int32 | int64](n N) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.FormatInt(int64(n), 10)}
}

// Flag is a boolean.
func Flag(b bool) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(b)}
}

// Map is an object: keys, which are strings, and values in turn.
func Map(pairs ...any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for i := 0; i+1 < len(pairs); i += 2 {
		key, _ := pairs[i].(string)
		value, _ := pairs[i+1].(*yaml.Node)
		n.Content = append(n.Content, Text(key), value)
	}
	return n
}

// Flow is a node that is written on one line.
func Flow(n *yaml.Node) *yaml.Node {
	out := *n
	out.Style |= yaml.FlowStyle
	return &out
}

// List is a list of values.
func List(items ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: items}
}

// scalar is a single value on one line; quoted is for JSON.
func scalar(n *yaml.Node, quoted bool) string {
	if quoted && n.Tag == "!!str" {
		text, _ := json.Marshal(n.Value) // strings always encode
		return string(text)
	}
	text, err := yaml.Marshal(&yaml.Node{Kind: yaml.ScalarNode, Tag: n.Tag, Value: n.Value, Style: n.Style & (yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle)})
	line := strings.TrimSuffix(string(text), "\n")
	if err != nil || strings.Contains(line, "\n") {
		quotedText, _ := json.Marshal(n.Value)
		return string(quotedText)
	}
	return line
}

// flow is a value on one line.
func flow(n *yaml.Node, quoted bool) string {
	var items []string
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			items = append(items, scalar(n.Content[i], quoted)+": "+flow(n.Content[i+1], quoted))
		}
		return "{" + strings.Join(items, ", ") + "}"
	case yaml.SequenceNode:
		for _, item := range n.Content {
			items = append(items, flow(item, quoted))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return scalar(n, quoted)
}

// simple tells whether a value is written on one line even in a block.
func simple(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode || n.Style&yaml.FlowStyle != 0 || len(n.Content) == 0
}

// block is a value over lines, indented by so many blanks.
func (d *document) block(n *yaml.Node, indent int) []string {
	pad := strings.Repeat(" ", indent)
	if simple(n) {
		return []string{pad + flow(n, false)}
	}
	var lines []string
	if n.Kind == yaml.SequenceNode {
		for _, item := range n.Content {
			inner := d.block(item, indent+2)
			inner[0] = pad + "- " + strings.TrimPrefix(inner[0], pad+"  ")
			lines = append(lines, inner...)
		}
		return lines
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		lines = append(lines, d.entry(n.Content[i], n.Content[i+1], indent)...)
	}
	return lines
}

// entry is a field over lines.
func (d *document) entry(key, value *yaml.Node, indent int) []string {
	pad := strings.Repeat(" ", indent)
	head := pad + scalar(key, false) + ":"
	if simple(value) {
		return []string{head + " " + flow(value, false)}
	}
	inner := indent + 2
	if value.Kind == yaml.SequenceNode && !d.indentsLists() {
		inner = indent
	}
	return append([]string{head}, d.block(value, inner)...)
}
