package change

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// parseYAML reads the documents of a file; offset is the line before its first one.
func parseYAML(file string, offset int, text []byte) ([]*node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var out []*node
	for {
		var document yaml.Node
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			line, message := yamlError(err)
			return nil, wrong(file, offset+line, message)
		}
		r := &yamlReader{file: file, offset: offset, open: map[*yaml.Node]bool{}}
		n, err := r.read(&document, 0)
		if err != nil {
			return nil, err
		}
		if n != nil {
			out = append(out, n)
		}
	}
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// yamlError takes the line out of what the parser says.
func yamlError(err error) (int, string) {
	message := err.Error()
	found := yamlLine.FindStringSubmatch(message)
	if found == nil {
		return 1, message
	}
	line, _ := strconv.Atoi(found[1]) // none is the first
	return line, strings.TrimPrefix(message, found[0])
}

// yamlReader makes nodes of the parser's. Those that an alias stands for are made again.
type yamlReader struct {
	file   string
	offset int
	made   int
	open   map[*yaml.Node]bool
	// anchors is in how many anchors the node is that is read, where it is written.
	anchors int
}

func (r *yamlReader) wrong(y *yaml.Node, message any) error {
	return wrong(r.file, r.offset+y.Line, message)
}

func (r *yamlReader) read(y *yaml.Node, depth int) (*node, error) {
	if r.made++; r.made > mostNodes {
		return nil, r.wrong(y, errMany)
	}
	if depth > mostNested {
		return nil, r.wrong(y, errDeep)
	}
	if y.Anchor != "" && len(r.open) == 0 {
		r.anchors++
		defer func() { r.anchors-- }()
	}
	n := &node{line: r.offset + y.Line, anchored: r.anchors > 0 && len(r.open) == 0}
	switch y.Kind {
	case yaml.DocumentNode:
		return r.read(y.Content[0], depth+1)
	case yaml.AliasNode:
		if r.open[y.Alias] {
			return nil, r.wrong(y, "an anchor contains itself")
		}
		r.open[y.Alias] = true
		defer delete(r.open, y.Alias)
		return r.read(y.Alias, depth+1)
	case yaml.SequenceNode:
		n.typ = List
		for _, c := range y.Content {
			child, err := r.read(c, depth+1)
			if err != nil {
				return nil, err
			}
			n.children = append(n.children, child)
		}
	case yaml.MappingNode:
		n.typ = Map
		return n, r.mapping(n, y, depth)
	default:
		n.typ, n.text = scalar(y)
		if n.typ == Number || n.typ == Truth {
			var value any
			if y.Decode(&value) == nil {
				n.json = inJSON(n.text, value)
			}
		}
		if y.Style == 0 && (n.json != "" || y.ShortTag() == "!!timestamp" || oldTruth.MatchString(y.Value)) {
			n.spelt = y.Value
		}
		if y.Style == yaml.LiteralStyle {
			n.first = n.line + 1
		}
	}
	return n, nil
}

// oldTruth is what a truth is called by YAML 1.1, by which many a decoder goes if it is to make one.
var oldTruth = regexp.MustCompile(`^([yY]|[nN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$`)

// mapping adds the keys of a map; what it merges comes last, where it says nothing itself.
func (r *yamlReader) mapping(n *node, y *yaml.Node, depth int) error {
	var merged []*node
	seen := map[string]bool{}
	for i := 0; i+1 < len(y.Content); i += 2 {
		key := y.Content[i]
		child, err := r.read(y.Content[i+1], depth+1)
		if err != nil {
			return err
		}
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		switch {
		case key.Tag == "!!merge" && child.typ == List:
			merged = append(merged, child.children...)
			continue
		case key.Tag == "!!merge":
			merged = append(merged, child)
			continue
		case key.Kind != yaml.ScalarNode:
			return r.wrong(y.Content[i], "a key is a list or a map: write a text")
		case seen[key.Value]:
			return r.wrong(y.Content[i], "the key "+strconv.Quote(key.Value)+" is here for the second time: remove one")
		}
		seen[key.Value] = true
		if y.Content[i].Line > 0 && y.Content[i+1].Kind != yaml.AliasNode {
			child.line = r.offset + y.Content[i].Line
		}
		n.set(key.Value, child)
	}
	for _, m := range merged {
		for i, k := range m.keys {
			if !seen[k] {
				seen[k] = true
				n.set(k, m.children[i])
			}
		}
	}
	return nil
}

// scalar is the type of a scalar, and its text.
func scalar(y *yaml.Node) (Type, string) {
	switch y.ShortTag() {
	case "!!null":
		return Null, "null"
	case "!!bool":
		return Truth, y.Value
	case "!!int", "!!float":
		return Number, y.Value
	}
	return Text, y.Value
}
