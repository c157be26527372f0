package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/finding"
)

// document is one object of a file: its JSON, as kubectl would send it, and
// the node tree that knows the places of its fields.
type document struct {
	file string
	root *yaml.Node
	raw  []byte
}

// parse splits the bytes of a file into documents. Values come from
// sigs.k8s.io/yaml, as in kubectl, so that booleans, numbers and merge keys
// mean what they mean there; places come from the node tree.
func parse(file string, data []byte) ([]document, Problems) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if problem := textProblem(file, data); problem != nil {
		return nil, Problems{*problem}
	}
	if trimmed := bytes.TrimLeft(data, " \t\r\n"); len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') {
		docs, problems := parseJSON(file, data)
		if len(problems) == 0 || filepath.Ext(file) == ".json" {
			return docs, problems
		}
	}
	var docs []document
	var problems Problems
	for _, c := range splitYAML(data) {
		if c.separator != "" {
			problems = append(problems, Problem{
				Location: finding.Location{File: file, Line: c.line, Column: 1},
				Message:  fmt.Sprintf("%q after the document separator: put --- alone on its line", oneLine(c.separator)),
			})
			continue
		}
		doc, ps := parseYAML(file, c)
		problems = append(problems, ps...)
		if doc != nil {
			docs = append(docs, *doc)
		}
	}
	return docs, problems
}

// textProblem refuses what is not text, with the line of the first bad byte.
func textProblem(file string, data []byte) *Problem {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		control := r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
		if (r == utf8.RuneError && size == 1) || control {
			return &Problem{
				Location: finding.Location{File: file, Line: 1 + bytes.Count(data[:i], []byte("\n")), Column: 1},
				Message:  fmt.Sprintf("not a text file: byte %#02x at offset %d (YAML and JSON are read as UTF-8)", data[i], i),
			}
		}
		i += size
	}
	return nil
}

// chunk is the text between two document separators.
type chunk struct {
	text []byte
	// line is the number of the chunk's first line.
	line int
	// separator is what stood behind --- where nothing may stand.
	separator string
}

// splitYAML cuts at separator lines by the rule of kubectl's reader: --- at the
// start of a line, followed by nothing but blanks or a comment.
func splitYAML(data []byte) []chunk {
	var chunks []chunk
	start, startLine := 0, 1
	line := 1
	for offset := 0; offset < len(data); line++ {
		end := offset + bytes.IndexByte(data[offset:], '\n') + 1
		if end == offset {
			end = len(data)
		}
		if text := data[offset:end]; bytes.HasPrefix(text, []byte("---")) {
			chunks = append(chunks, chunk{text: data[start:offset], line: startLine})
			if after := strings.TrimSpace(string(text[3:])); after != "" && after[0] != '#' {
				chunks = append(chunks, chunk{separator: after, line: line})
			}
			start, startLine = end, line+1
		}
		offset = end
	}
	return append(chunks, chunk{text: data[start:], line: startLine})
}

func parseYAML(file string, c chunk) (doc *document, problems Problems) {
	at := func(line int, format string, args ...any) {
		problems = append(problems, Problem{
			Location: finding.Location{File: file, Line: c.line + line - 1, Column: 1},
			Message:  fmt.Sprintf(format, args...),
		})
	}
	if len(bytes.TrimSpace(c.text)) == 0 {
		return nil, nil
	}
	var node yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(c.text))
	if err := guard(func() error { return decoder.Decode(&node) }); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		line, message := yamlError(err)
		at(line, "malformed YAML: %s", message)
		return nil, problems
	}
	// kubectl reads one document between separators and drops what follows.
	var next yaml.Node
	if err := guard(func() error { return decoder.Decode(&next) }); !errors.Is(err, io.EOF) {
		line := next.Line
		if err != nil {
			line, _ = yamlError(err)
		}
		at(max(line, 1), "a second document without a separator: put --- on a line of its own between documents")
		return nil, problems
	}
	if expandedBytes(&node, map[*yaml.Node]int64{}) > 2*fileBytesMax {
		at(1, "larger than %d MiB when its aliases are replaced by what they stand for", 2*fileBytesMax>>20)
		return nil, problems
	}
	var raw []byte
	err := guard(func() (err error) {
		raw, err = sigsyaml.YAMLToJSON(c.text)
		return err
	})
	if err != nil {
		line, message := yamlError(err)
		at(line, "malformed YAML: %s", message)
		return nil, problems
	}
	if len(node.Content) == 0 || bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		return nil, nil
	}
	shiftLines(&node, c.line-1)
	root := dealias(node.Content[0])
	return checkRoot(document{file: file, root: root, raw: raw})
}

// expandedBytes is about the size of a document without aliases, so that one
// that grows beyond all bounds is refused before it is expanded. Every node is
// looked at once; an alias of what it is part of counts nothing and is left for
// the parser to refuse.
func expandedBytes(n *yaml.Node, seen map[*yaml.Node]int64) int64 {
	if n == nil {
		return 0
	}
	if size, ok := seen[n]; ok {
		return size
	}
	seen[n] = 0
	size := int64(len(n.Value)) + 4
	for _, child := range n.Content {
		size += expandedBytes(child, seen)
	}
	if n.Kind == yaml.AliasNode {
		size += expandedBytes(n.Alias, seen)
	}
	size = min(size, 1<<40)
	seen[n] = size
	return size
}

// checkRoot refuses what is not an object and fields that are given twice.
func checkRoot(d document) (*document, Problems) {
	if d.root == nil || d.root.Kind != yaml.MappingNode {
		location := finding.Location{File: d.file}
		if d.root != nil {
			location.Line, location.Column = d.root.Line, d.root.Column
		}
		return nil, Problems{{Location: location, Message: "expected an object with apiVersion and kind, found " + nodeKind(d.root)}}
	}
	problems := duplicates(d.file, d.root, "", map[*yaml.Node]bool{})
	if len(problems) > 0 {
		return nil, problems
	}
	return &d, nil
}

func nodeKind(n *yaml.Node) string {
	switch {
	case n == nil:
		return "nothing"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.MappingNode:
		return "an object"
	}
	return "a single value"
}

// duplicates finds keys that a mapping has twice. Through aliases every
// mapping is looked at once.
func duplicates(file string, n *yaml.Node, path string, seen map[*yaml.Node]bool) Problems {
	n = dealias(n)
	if n == nil || seen[n] {
		return nil
	}
	var problems Problems
	switch n.Kind {
	case yaml.SequenceNode:
		seen[n] = true
		for i, item := range n.Content {
			problems = append(problems, duplicates(file, item, fmt.Sprintf("%s[%d]", path, i), seen)...)
		}
	case yaml.MappingNode:
		seen[n] = true
		first := map[string]*yaml.Node{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := dealias(n.Content[i])
			if key == nil || key.Kind != yaml.ScalarNode || isMerge(key) {
				continue
			}
			field := joinPath(path, key.Value)
			if before, again := first[key.Value]; again {
				problems = append(problems, Problem{
					Location: finding.Location{File: file, Line: n.Content[i].Line, Column: n.Content[i].Column, Field: field},
					Message:  fmt.Sprintf("%s: duplicate field, first given on line %d", field, before.Line),
				})
			} else {
				first[key.Value] = n.Content[i]
			}
			problems = append(problems, duplicates(file, n.Content[i+1], field, seen)...)
		}
	}
	return problems
}

// shiftLines turns lines of a chunk into lines of its file. The tree holds
// every node once; aliases are references and not followed.
func shiftLines(n *yaml.Node, by int) {
	if by == 0 {
		return
	}
	n.Line += by
	for _, child := range n.Content {
		shiftLines(child, by)
	}
}

var yamlLine = regexp.MustCompile(`^(?:error converting YAML to JSON: )?(?:yaml: )?(?:unmarshal errors:\s*)?(?:line (\d+): )?`)

// yamlError splits a parser's message into the line and the text.
func yamlError(err error) (line int, message string) {
	text := err.Error()
	m := yamlLine.FindStringSubmatch(text)
	line = 1
	if m[1] != "" {
		if n, err := strconv.Atoi(m[1]); err == nil && n > 0 {
			line = n
		}
	}
	return line, oneLine(text[len(m[0]):])
}

// guard turns a panic of a parser, which reads text from anywhere, into an
// error.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the parser failed on it: %v", r)
		}
	}()
	return f()
}

// parseJSON reads a stream of JSON values.
func parseJSON(file string, data []byte) (docs []document, problems Problems) {
	lines := newLineIndex(data)
	decoder := json.NewDecoder(bytes.NewReader(data))
	for {
		var raw json.RawMessage
		err := decoder.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return docs, problems
		}
		if err != nil {
			offset := decoder.InputOffset()
			var syntax *json.SyntaxError
			if errors.As(err, &syntax) {
				offset = syntax.Offset
			}
			if errors.Is(err, io.ErrUnexpectedEOF) {
				offset = int64(len(data))
			}
			line, column := lines.at(offset)
			return docs, append(problems, Problem{
				Location: finding.Location{File: file, Line: line, Column: column},
				Message:  "malformed JSON: " + err.Error(),
			})
		}
		start := decoder.InputOffset() - int64(len(raw))
		root := jsonNode(raw, start, lines)
		doc, ps := checkRoot(document{file: file, root: root, raw: raw})
		problems = append(problems, ps...)
		if doc != nil {
			docs = append(docs, *doc)
		}
	}
}
