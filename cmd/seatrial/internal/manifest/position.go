package manifest

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/seatrial/seatrial/finding"
)

// Source finds the places of the fields of one document. Paths are written as
// in API errors: spec.template.spec.containers[0].resources.
type Source struct {
	// Kind, Namespace and Name identify the object in messages.
	Kind, Namespace, Name string

	file string
	// origin is the file that a rendered document came from; fallback the namespace
	// of an object that has none, where it is not "default".
	origin, fallback string
	root             *yaml.Node
	// prefix is the path of the object in the document, for an object that is
	// part of another one (a manifest in a Scenario).
	prefix string
}

// Position returns the place of the field that path names, or of its nearest
// ancestor that stands in the document. The place of a field of a mapping is
// that of its key, of a list item that of the item. Through an alias or a merge
// key it is the place where the field is written. The empty path is the object.
func (s *Source) Position(path string) finding.Location {
	location := finding.Location{File: s.file, Origin: s.origin, Object: s.object(), Field: path}
	if s.root == nil {
		return location
	}
	location.Line, location.Column = s.root.Line, s.root.Column
	node := s.root
	for rest := joinPath(s.prefix, path); rest != ""; {
		var at *yaml.Node
		at, node, rest = stepInto(dealias(node), rest)
		if at == nil {
			break
		}
		location.Line, location.Column = at.Line, at.Column
	}
	return location
}

// Has tells whether the field itself stands in the document, not only one that
// it is part of.
func (s *Source) Has(path string) bool {
	node := s.root
	for rest := joinPath(s.prefix, path); rest != ""; {
		if _, node, rest = stepInto(dealias(node), rest); node == nil {
			return false
		}
	}
	return node != nil
}

// Written is where the object is written: a file, a line of the document there, and
// the path of the object in that document, which is empty for a document of its own.
func (s *Source) Written() (file string, line int, path string) {
	if s.root == nil {
		return s.file, 0, s.prefix
	}
	return s.file, s.root.Line, s.prefix
}

// Node is the object as it is written, or nil if it is not.
func (s *Source) Node() *yaml.Node {
	node := s.root
	for rest := s.prefix; rest != "" && node != nil; {
		_, node, rest = stepInto(dealias(node), rest)
	}
	return dealias(node)
}

// Within returns the source of what stands at a path in this one.
func (s *Source) Within(path string) *Source { return s.within(path) }

// within returns the source of an object that stands at path in this one.
func (s *Source) within(path string) *Source {
	return &Source{
		Kind: s.Kind, Namespace: s.Namespace, Name: s.Name,
		file: s.file, origin: s.origin, fallback: s.fallback, root: s.root, prefix: joinPath(s.prefix, path),
	}
}

func (s *Source) object() string {
	switch {
	case s.Kind == "":
		return ""
	case s.Name == "":
		return s.Kind
	case s.Namespace == "":
		return s.Kind + " " + s.Name
	}
	return s.Kind + " " + s.Namespace + "/" + s.Name
}

// identity is Kind/namespace/name, with the empty parts left out.
func (s *Source) identity() string {
	parts := []string{s.Kind}
	for _, part := range []string{s.Namespace, s.Name} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "/")
}

func joinPath(prefix, path string) string {
	switch {
	case prefix == "":
		return path
	case path == "" || path[0] == '[':
		return prefix + path
	}
	return prefix + "." + path
}

// aliasesMax bounds the chain of aliases to follow; YAML allows no cycle, but
// the node tree of a hostile document may hold one.
const aliasesMax = 100

func dealias(n *yaml.Node) *yaml.Node {
	for i := 0; n != nil && n.Kind == yaml.AliasNode && i < aliasesMax; i++ {
		n = n.Alias
	}
	return n
}

// stepInto follows the first element of path in n: it returns the node whose
// place counts, the value to go on from, and the rest of the path.
func stepInto(n *yaml.Node, path string) (at, value *yaml.Node, rest string) {
	if n == nil {
		return nil, nil, ""
	}
	switch n.Kind {
	case yaml.SequenceNode:
		index, after, ok := bracket(path)
		if !ok {
			return nil, nil, ""
		}
		i, err := strconv.Atoi(index)
		if err != nil || i < 0 || i >= len(n.Content) {
			return nil, nil, ""
		}
		return n.Content[i], n.Content[i], after
	case yaml.MappingNode:
		return stepIntoMapping(n, path)
	}
	return nil, nil, ""
}

// stepIntoMapping takes the longest key that the path can start with, because
// keys of labels and resources have dots and slashes themselves.
func stepIntoMapping(n *yaml.Node, path string) (at, value *yaml.Node, rest string) {
	if index, after, ok := bracket(path); ok {
		if key, val := lookup(n, index, 0); key != nil {
			return key, val, after
		}
	}
	path = strings.TrimPrefix(path, ".")
	for end := len(path); end > 0; end = strings.LastIndexAny(path[:end], ".[") {
		if key, val := lookup(n, path[:end], 0); key != nil {
			return key, val, path[end:]
		}
	}
	return nil, nil, ""
}

// bracket splits "[x].rest".
func bracket(path string) (inner, rest string, ok bool) {
	if !strings.HasPrefix(path, "[") {
		return "", "", false
	}
	end := strings.IndexByte(path, ']')
	if end < 0 {
		return "", "", false
	}
	return path[1:end], path[end+1:], true
}

// mergeDepthMax bounds nested merge keys.
const mergeDepthMax = 50

// lookup finds a key of a mapping, its own first and then those that come
// through merge keys.
func lookup(n *yaml.Node, name string, depth int) (key, value *yaml.Node) {
	if n == nil || n.Kind != yaml.MappingNode || depth > mergeDepthMax {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := dealias(n.Content[i]); k != nil && k.Value == name && !isMerge(k) {
			return n.Content[i], n.Content[i+1]
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !isMerge(n.Content[i]) {
			continue
		}
		merged := dealias(n.Content[i+1])
		if merged != nil && merged.Kind == yaml.SequenceNode {
			for _, item := range merged.Content {
				if key, value = lookup(dealias(item), name, depth+1); key != nil {
					return key, value
				}
			}
		}
		if key, value = lookup(merged, name, depth+1); key != nil {
			return key, value
		}
	}
	return nil, nil
}

func isMerge(k *yaml.Node) bool {
	return k.Kind == yaml.ScalarNode && k.Value == "<<" && (k.Tag == "!!merge" || k.Tag == "" || k.Tag == "!")
}
