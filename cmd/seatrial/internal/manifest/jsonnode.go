package manifest

import (
	"bytes"
	"encoding/json"
	"sort"

	"go.yaml.in/yaml/v3"
)

// lineIndex turns offsets of a text into lines and columns.
type lineIndex struct{ starts []int64 }

func newLineIndex(data []byte) *lineIndex {
	index := &lineIndex{starts: []int64{0}}
	for i, b := range data {
		if b == '\n' {
			index.starts = append(index.starts, int64(i)+1)
		}
	}
	return index
}

// at returns the 1-based line and column (in bytes) of an offset.
func (x *lineIndex) at(offset int64) (line, column int) {
	i := sort.Search(len(x.starts), func(i int) bool { return x.starts[i] > offset }) - 1
	i = max(i, 0)
	return i + 1, int(offset-x.starts[i]) + 1
}

// jsonNode builds the node tree of valid JSON that starts at base in its file.
// encoding/json bounds the nesting before this is called.
func jsonNode(raw []byte, base int64, lines *lineIndex) *yaml.Node {
	b := &jsonBuilder{raw: raw, base: base, lines: lines, decoder: json.NewDecoder(bytes.NewReader(raw))}
	b.decoder.UseNumber()
	return b.value()
}

type jsonBuilder struct {
	raw     []byte
	base    int64
	lines   *lineIndex
	decoder *json.Decoder
}

// next reads a token and makes a node at its place.
func (b *jsonBuilder) next() (json.Token, *yaml.Node) {
	start := b.decoder.InputOffset()
	token, err := b.decoder.Token()
	if err != nil {
		return nil, nil
	}
	for start < int64(len(b.raw)) && bytes.IndexByte([]byte(" \t\r\n,:"), b.raw[start]) >= 0 {
		start++
	}
	node := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str"}
	node.Line, node.Column = b.lines.at(b.base + start)
	return token, node
}

func (b *jsonBuilder) value() *yaml.Node {
	token, node := b.next()
	if node == nil {
		return nil
	}
	switch t := token.(type) {
	case json.Delim:
		node.Kind, node.Tag = yaml.SequenceNode, "!!seq"
		if t == '{' {
			node.Kind, node.Tag = yaml.MappingNode, "!!map"
		}
		for b.decoder.More() {
			child := b.value()
			if child == nil {
				return node
			}
			node.Content = append(node.Content, child)
		}
		b.next()
	case string:
		node.Value = t
	case json.Number:
		node.Value = t.String()
	}
	return node
}
