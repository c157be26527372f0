package change

import (
	"errors"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// parseTOML reads a file; offset is the line before its first one. The library's decoder says whether
// it is right, and its parser where things are.
func parseTOML(file string, offset int, text []byte) (*node, error) {
	var all map[string]any
	if err := toml.Unmarshal(text, &all); err != nil {
		line := 1
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, _ = at.Position()
		}
		return nil, wrong(file, offset+line, err)
	}
	r := &tomlReader{offset: offset}
	r.parser.Reset(text)
	root := &node{typ: Map, line: offset + 1}
	table := root
	for r.parser.NextExpression() {
		switch e := r.parser.Expression(); e.Kind {
		case unstable.Table:
			table = r.table(root, e.Key(), false)
		case unstable.ArrayTable:
			table = r.table(root, e.Key(), true)
		case unstable.KeyValue:
			r.keyValue(table, e)
		}
		if r.made > mostNodes {
			return nil, wrong(file, root.line, errMany)
		}
	}
	if err := r.parser.Error(); err != nil {
		return nil, wrong(file, root.line, err)
	}
	return root, nil
}

type tomlReader struct {
	parser unstable.Parser
	offset int
	made   int
}

// line is where a key is.
func (r *tomlReader) line(n *unstable.Node) int {
	return r.offset + r.parser.Shape(n.Raw).Start.Line
}

// table is the map that a header begins; another item of a list of them if it is one of those.
func (r *tomlReader) table(n *node, keys unstable.Iterator, list bool) *node {
	for keys.Next() {
		key := keys.Node()
		n = r.below(n, key, list && keys.IsLast())
		if n.typ == List && list && keys.IsLast() {
			n.children = append(n.children, &node{typ: Map, line: r.line(key)})
			r.made++
		}
		if n.typ == List && len(n.children) > 0 {
			n = n.children[len(n.children)-1] // the last table of a list is meant
		}
	}
	return n
}

// below is what a map has at a key; it is made if nothing is there.
func (r *tomlReader) below(n *node, key *unstable.Node, list bool) *node {
	if child := n.get(string(key.Data)); child != nil {
		return child
	}
	r.made++
	child := &node{typ: Map, line: r.line(key)}
	if list {
		child.typ = List
	}
	n.set(string(key.Data), child)
	return child
}

// keyValue sets what an expression says, below a map.
func (r *tomlReader) keyValue(n *node, e *unstable.Node) {
	keys := e.Key()
	for keys.Next() {
		key := keys.Node()
		if keys.IsLast() {
			n.set(string(key.Data), r.value(e.Value(), r.line(key)))
			return
		}
		n = r.below(n, key, false)
	}
}

func (r *tomlReader) value(v *unstable.Node, line int) *node {
	r.made++
	n := &node{line: line, text: string(v.Data)}
	switch v.Kind {
	case unstable.Array:
		n.typ, n.text = List, ""
		for items := v.Children(); items.Next(); {
			n.children = append(n.children, r.value(items.Node(), line))
		}
	case unstable.InlineTable:
		n.typ, n.text = Map, ""
		for items := v.Children(); items.Next(); {
			r.keyValue(n, items.Node())
		}
	case unstable.Bool:
		n.typ = Truth
	case unstable.Integer:
		n.typ = Number
		if i, err := strconv.ParseInt(n.text, 0, 64); err == nil { // 1_000 and 1000 are one
			n.text = strconv.FormatInt(i, 10)
		}
	case unstable.Float:
		n.typ = Number
		if f, err := strconv.ParseFloat(strings.ReplaceAll(n.text, "_", ""), 64); err == nil {
			n.json = inJSON(n.text, f)
		}
	case unstable.LocalDate, unstable.LocalTime, unstable.LocalDateTime, unstable.DateTime:
		n.typ, n.spelt = Text, n.text
	default:
		n.typ = Text
	}
	return n
}
