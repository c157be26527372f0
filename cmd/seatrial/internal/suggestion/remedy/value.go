package remedy

import (
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/suggestion/edit"
)

// node is a value that an edit writes.
type node = yaml.Node

func text(s string) *node       { return edit.Text(s) }
func number(n int) *node        { return edit.Number(n) }
func flag(b bool) *node         { return edit.Flag(b) }
func list(items ...*node) *node { return edit.List(items...) }
func object(pairs ...any) *node { return edit.Map(pairs...) }
func flow(n *node) *node        { return edit.Flow(n) }

func edits(all ...edit.Edit) []edit.Edit { return all }

// child is what stands in n below some keys, or nil.
func child(n *node, keys ...string) *node {
	for _, key := range keys {
		if n == nil || n.Kind != yaml.MappingNode {
			return nil
		}
		var next *node
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				next = n.Content[i+1]
			}
		}
		n = next
	}
	return n
}

// copied is n without the places and comments of the user's text; false if it has
// anchors or aliases.
func copied(n *node) (*node, bool) {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return nil, false
	}
	out := &node{Kind: n.Kind, Tag: n.Tag, Value: n.Value, Style: n.Style}
	for _, c := range n.Content {
		inner, ok := copied(c)
		if !ok {
			return nil, false
		}
		out.Content = append(out.Content, inner)
	}
	return out, true
}

// document puts a new object behind that of a source: as a document, or, if that is
// an item of a list, as one more item.
func document(s *manifest.Source, value *node) (edit.Edit, bool) {
	value, ok := copied(value)
	if !ok {
		return edit.Edit{}, false
	}
	file, line, prefix := s.Written()
	if prefix == "" {
		return edit.Edit{File: file, Line: line, Op: edit.Behind, Value: value}, true
	}
	return edit.Edit{}, false
}

type editOf = edit.Edit

func sorted(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
