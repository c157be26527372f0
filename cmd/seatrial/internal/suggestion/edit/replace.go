package edit

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// replace gives the value at an index of parent another.
func (d *document) replace(parent *yaml.Node, index int, value *yaml.Node) ([]byte, error) {
	old := parent.Content[index]
	if err := plain(old); err != nil {
		return nil, err
	}
	inFlow := flows(parent)
	if null(old) && old.Value == "" && parent.Kind == yaml.MappingNode {
		return d.fill(parent, index, value)
	}
	if old.Kind == yaml.ScalarNode || flows(old) {
		from, err := d.offset(old.Line, old.Column)
		if err != nil {
			return nil, err
		}
		to, err := d.endOfValue(old, from)
		if err != nil {
			return nil, err
		}
		if old.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			return d.replaceBelow(parent, from, old.Line, value)
		}
		return d.splice(from, to, flow(value, inFlow && d.quotes(parent))), nil
	}
	if inFlow || parent.Kind != yaml.MappingNode {
		return nil, form("a block in a list")
	}
	key := parent.Content[index-1]
	from, err := d.offset(key.Line, key.Column)
	if err != nil {
		return nil, err
	}
	lines := d.entry(Text(key.Value), value, key.Column-1)
	lines[0] = strings.TrimLeft(lines[0], " ")
	to := d.lineOffset(d.endOf(key.Line, parent.Column-1, listed(old)))
	return d.splice(from, to, strings.Join(lines, d.end)+d.end), nil
}

// replaceBelow gives a text that stands below its field another, of one line.
func (d *document) replaceBelow(parent *yaml.Node, from, line int, value *yaml.Node) ([]byte, error) {
	if parent.Kind != yaml.MappingNode || value.Kind != yaml.ScalarNode || strings.ContainsAny(value.Value, "\r\n") {
		return nil, form("a text below an item")
	}
	text := "|-" + d.end + strings.Repeat(" ", parent.Column+1) + value.Value + d.end
	return d.splice(from, d.lineOffset(d.endOf(line, parent.Column-1, false)), text), nil
}

// lineOffset is where a line begins; one behind the last is the end of the text.
func (d *document) lineOffset(n int) int {
	if n > len(d.starts) {
		return len(d.text)
	}
	return d.starts[n-1]
}

// fill gives a field without a value one, behind its colon.
func (d *document) fill(parent *yaml.Node, index int, value *yaml.Node) ([]byte, error) {
	key := parent.Content[index-1]
	from, err := d.offset(key.Line, key.Column)
	if err != nil {
		return nil, err
	}
	to, err := d.endOfValue(key, from)
	if err != nil {
		return nil, err
	}
	if to >= len(d.text) || d.text[to] != ':' {
		return nil, form("a field without a colon")
	}
	return d.splice(to+1, to+1, " "+flow(value, d.quotes(parent))), nil
}

// endOfValue is the offset behind a single value or what is in brackets.
func (d *document) endOfValue(n *yaml.Node, from int) (int, error) {
	switch {
	case n.Kind != yaml.ScalarNode:
		return d.endOfFlow(from)
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return from, nil
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		return d.endOfQuotes(from)
	case !bytes.HasPrefix(d.text[from:], []byte(n.Value)):
		return 0, form("a value over several lines")
	}
	return from + len(n.Value), nil
}

// remove takes the field or item at an index of parent away.
func (d *document) remove(parent *yaml.Node, index int) ([]byte, error) {
	width, first := 1, index
	if parent.Kind == yaml.MappingNode {
		width, first = 2, index-1
	}
	if len(parent.Content) == width {
		return nil, form("the only one of its kind")
	}
	if flows(parent) {
		return d.removeFromFlow(parent, first, width)
	}
	begin, indent := parent.Content[first], parent.Column-1
	next := d.endOf(begin.Line, indent, width == 2 && listed(parent.Content[index]))
	lead := d.line(begin.Line)
	if column := begin.Column - 1; width == 2 && strings.TrimSpace(string([]rune(lead)[:column])) != "" {
		// It stands behind the dash of an item: the next field takes its place.
		if first+2 >= len(parent.Content) || parent.Content[first+2].Line != next {
			return nil, form("the last field behind a dash")
		}
		from, err := d.offset(begin.Line, begin.Column)
		if err != nil {
			return nil, err
		}
		to, err := d.offset(next, parent.Content[first+2].Column)
		if err != nil {
			return nil, err
		}
		return d.splice(from, to, ""), nil
	}
	if trimmed := strings.TrimLeft(lead, " "); width == 1 && len(lead)-len(trimmed) != indent {
		return nil, form("an item behind another dash")
	}
	from, to := d.lineOffset(begin.Line), d.lineOffset(next)
	if to == len(d.text) && from > 0 && !bytes.HasSuffix(d.text, []byte("\n")) { // the file keeps ending without a line end
		from -= len(d.end)
	}
	return d.splice(from, to, ""), nil
}

func (d *document) removeFromFlow(parent *yaml.Node, first, width int) ([]byte, error) {
	n := parent.Content[first]
	from, err := d.offset(n.Line, n.Column)
	if err != nil {
		return nil, err
	}
	if next := first + width; next < len(parent.Content) {
		to, err := d.offset(parent.Content[next].Line, parent.Content[next].Column)
		if err != nil {
			return nil, err
		}
		return d.splice(from, to, ""), nil
	}
	value := parent.Content[first+width-1]
	at, err := d.offset(value.Line, value.Column)
	if err != nil {
		return nil, err
	}
	if value.Kind != yaml.ScalarNode && !flows(value) {
		return nil, form("a block between brackets")
	}
	to, err := d.endOfValue(value, at)
	if err != nil {
		return nil, err
	}
	comma := bytes.LastIndexByte(d.text[:from], ',')
	if comma < 0 || len(bytes.TrimSpace(d.text[comma+1:from])) > 0 {
		return nil, form("no comma before the last item")
	}
	return d.splice(comma, to, ""), nil
}
