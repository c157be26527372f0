package edit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// document is one document with its node tree. Lines and columns of nodes count
// from 1, columns in characters.
type document struct {
	text []byte
	root *yaml.Node
	// starts are the offsets of the lines, end is how they end.
	starts []int
	end    string
}

func parse(text []byte) (*document, error) {
	d := &document{text: text, end: lineEnd(text)}
	for offset := 0; offset <= len(text); {
		d.starts = append(d.starts, offset)
		n := bytes.IndexByte(text[offset:], '\n')
		if n < 0 {
			break
		}
		offset += n + 1
	}
	var node, more yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&node); err != nil || len(node.Content) == 0 {
		return nil, fmt.Errorf("%w: %w", ErrForm, errors.Join(err))
	}
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: several documents", ErrForm)
	}
	d.root = node.Content[0]
	return d, nil
}

func form(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrForm, fmt.Sprintf(format, args...))
}

// offset is where a line and column are in the text.
func (d *document) offset(line, column int) (int, error) {
	if line < 1 || line > len(d.starts) {
		return 0, form("line %d", line)
	}
	at := d.starts[line-1]
	for range column - 1 {
		_, size := utf8.DecodeRune(d.text[at:])
		if size == 0 {
			return 0, form("column %d of line %d", column, line)
		}
		at += size
	}
	return at, nil
}

// line is the text of a line without its end.
func (d *document) line(n int) string {
	end := len(d.text)
	if n < len(d.starts) {
		end = d.starts[n]
	}
	return strings.TrimRight(string(d.text[d.starts[n-1]:end]), "\r\n")
}

// splice replaces the bytes from one offset to another.
func (d *document) splice(from, to int, with string) []byte {
	return slices.Concat(d.text[:from:from], []byte(with), d.text[to:])
}

// flows tells whether a collection is written in brackets.
func flows(n *yaml.Node) bool { return n.Style&yaml.FlowStyle != 0 }

// plain refuses nodes that stand for others or carry marks.
func plain(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
		return form("an anchor, alias or tag")
	}
	return nil
}

// edit makes one edit.
func (d *document) edit(e Edit) ([]byte, error) {
	parent := d.root
	for i, step := range e.Path {
		if err := plain(parent); err != nil {
			return nil, err
		}
		index := child(parent, step)
		last := i == len(e.Path)-1
		switch {
		case index < 0 && e.Op == Remove:
			return nil, form("%s is not there", e.Path)
		case index < 0:
			return d.insert(parent, step, nested(e.Path[i+1:], e.Value))
		case last && e.Op == Remove:
			return d.remove(parent, index)
		case last || null(parent.Content[index]):
			return d.replace(parent, index, nested(e.Path[i+1:], e.Value))
		}
		parent = parent.Content[index]
	}
	return nil, form("an empty path")
}

// null tells whether nothing is written for a node.
func null(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// child is the index in n.Content of what a step leads to, or -1.
func child(n *yaml.Node, step any) int {
	switch s := step.(type) {
	case string:
		if n.Kind == yaml.MappingNode {
			for i := 0; i+1 < len(n.Content); i += 2 {
				if n.Content[i].Value == s {
					return i + 1
				}
			}
		}
	case int:
		if n.Kind == yaml.SequenceNode && s >= 0 && s < len(n.Content) {
			return s
		}
	}
	return -1
}

// nested is a value with the objects and lists that lead to it around it.
func nested(path Path, value *yaml.Node) *yaml.Node {
	for _, step := range slices.Backward(path) {
		if key, ok := step.(string); ok {
			value = Map(key, value)
		} else {
			value = List(value)
		}
	}
	return value
}

// insert adds a field to an object or an item to a list.
func (d *document) insert(parent *yaml.Node, step any, value *yaml.Node) ([]byte, error) {
	key, keyed := step.(string)
	if keyed != (parent.Kind == yaml.MappingNode) || !keyed && parent.Kind != yaml.SequenceNode {
		return nil, form("%v is in no object or list", step)
	}
	if flows(parent) || len(parent.Content) == 0 {
		return d.insertInFlow(parent, key, keyed, value)
	}
	indent := parent.Column - 1
	var lines []string
	if keyed {
		lines = d.entry(Text(key), value, indent)
	} else {
		lines = d.block(List(value), indent)
	}
	text := strings.Join(lines, d.end) + d.end
	at := d.lineOffset(d.place(parent, keyed))
	if at == len(d.text) && at > 0 && d.text[at-1] != '\n' { // the file's last line has no end, and keeps having none
		text = d.end + strings.TrimSuffix(text, d.end)
	}
	return d.splice(at, at, text), nil
}

// bulky are fields before which a new one is put, since few read on behind them.
var bulky = []string{"template", "containers", "initContainers"}

// place is the line before which something new is put in a block.
func (d *document) place(parent *yaml.Node, keyed bool) int {
	end := func(i int) int {
		return d.endOf(parent.Content[i].Line, parent.Column-1, keyed && listed(parent.Content[i+1]))
	}
	if !keyed {
		return d.endOf(parent.Content[len(parent.Content)-1].Line, parent.Column-1, false)
	}
	for i := 2; i+1 < len(parent.Content); i += 2 {
		if slices.Contains(bulky, parent.Content[i].Value) {
			return end(i - 2)
		}
	}
	return end(len(parent.Content) - 2)
}

// listed tells whether a value is a list whose dashes may stand below its key.
func listed(value *yaml.Node) bool { return value.Kind == yaml.SequenceNode && !flows(value) }

// endOf is the line behind what begins on a line of a block that is indented by so
// many blanks: a field, or an item with its dash. A list that is its value may be
// indented no further.
func (d *document) endOf(first, indent int, dashes bool) int {
	end := first + 1
	for n := first + 1; n <= len(d.starts); n++ {
		line := d.line(n)
		trimmed := strings.TrimLeft(line, " ")
		depth := len(line) - len(trimmed)
		blank := strings.TrimSpace(line) == ""
		switch {
		case blank:
		case depth > indent, depth == indent && dashes && (trimmed == "-" || strings.HasPrefix(trimmed, "- ")):
			end = n + 1
		case strings.HasPrefix(trimmed, "#"):
		default:
			return end
		}
	}
	return end
}

// insertInFlow adds to what is written in brackets, JSON among it.
func (d *document) insertInFlow(parent *yaml.Node, key string, keyed bool, value *yaml.Node) ([]byte, error) {
	from, err := d.offset(parent.Line, parent.Column)
	if err != nil {
		return nil, err
	}
	to, err := d.endOfFlow(from)
	if err != nil {
		return nil, err
	}
	quoted := d.quotes(parent)
	text := flow(value, quoted)
	if keyed {
		text = scalar(Text(key), quoted) + ": " + text
	}
	if len(parent.Content) == 0 {
		return d.splice(from+1, to-1, text), nil
	}
	last := len(bytes.TrimRight(d.text[:to-1], " \t\r\n"))
	if d.text[last-1] == ',' {
		return nil, form("a comma before the bracket")
	}
	if begin := parent.Content[len(parent.Content)-1]; begin.Line != parent.Line { // one below the other
		indent := d.line(parent.Content[len(parent.Content)-step(keyed)].Line)
		return d.splice(last, last, ","+d.end+indent[:len(indent)-len(strings.TrimLeft(indent, " \t"))]+text), nil
	}
	return d.splice(last, last, ", "+text), nil
}

func step(keyed bool) int {
	if keyed {
		return 2
	}
	return 1
}

// quotes tells whether the fields of the document are written as in JSON.
func (d *document) quotes(parent *yaml.Node) bool {
	return flows(parent) && flows(d.root) && len(d.root.Content) > 0 && d.root.Content[0].Style&yaml.DoubleQuotedStyle != 0
}

// endOfFlow is the offset behind the bracket that closes the one at an offset.
func (d *document) endOfFlow(from int) (int, error) {
	depth := 0
	for i := from; i < len(d.text); i++ {
		switch c := d.text[i]; c {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1, nil
			}
		case '"', '\'':
			end, err := d.endOfQuotes(i)
			if err != nil {
				return 0, err
			}
			i = end - 1
		case '#':
			if i > 0 && strings.IndexByte(" \t\n", d.text[i-1]) >= 0 {
				return 0, form("a comment between brackets")
			}
		}
		if depth == 0 {
			break
		}
	}
	return 0, form("a bracket that does not close")
}

// endOfQuotes is the offset behind a quoted text.
func (d *document) endOfQuotes(from int) (int, error) {
	quote := d.text[from]
	for i := from + 1; i < len(d.text); i++ {
		switch {
		case d.text[i] == '\\' && quote == '"':
			i++
		case d.text[i] == quote && quote == '\'' && i+1 < len(d.text) && d.text[i+1] == quote:
			i++
		case d.text[i] == quote:
			return i + 1, nil
		}
	}
	return 0, form("a quote that does not close")
}

// indentsLists tells how the document writes a list that is the value of a field:
// the first one there is decides.
func (d *document) indentsLists() bool {
	var find func(n *yaml.Node) (found, indents bool)
	find = func(n *yaml.Node) (bool, bool) {
		for i := range n.Content {
			if n.Kind == yaml.MappingNode && i%2 == 1 && listed(n.Content[i]) && len(n.Content[i].Content) > 0 {
				return true, n.Content[i].Column > n.Content[i-1].Column
			}
			if found, indents := find(n.Content[i]); found {
				return true, indents
			}
		}
		return false, false
	}
	if d.root == nil {
		return false
	}
	_, indents := find(d.root)
	return indents
}
