// Package edit changes single fields of YAML and JSON text and leaves every other
// byte as it is. It is careful instead of clever: after each edit the text is parsed
// again and has to mean what it meant, with that one field changed. A form of YAML
// that it does not understand is refused.
package edit

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"

	"go.yaml.in/yaml/v3"
)

// ErrForm is the error for text of a form that is not edited.
var ErrForm = errors.New("this form of YAML is not edited")

// Path leads to a field: strings are keys of mappings, ints indexes of lists.
type Path []any

// Op is what an edit does.
type Op int

const (
	// Set gives the field a value; what is missing on the way to it is added. An
	// index just behind the end of a list appends to it.
	Set Op = iota
	// Remove takes a field or an item away. The last one of a mapping or list cannot
	// go: its parent has to.
	Remove
	// Behind puts a new document behind the one at hand; Path is empty.
	Behind
)

// Edit is one change of one document of a file.
type Edit struct {
	File string
	// Line is any line of the document, from 1, before all edits.
	Line int
	Op   Op
	Path Path
	// Value is what is set; see Text, Number, Map and List.
	Value *yaml.Node
}

// Apply makes edits to the text of one file, in their order; new documents come
// last. The text may have a byte order mark, any line ends, and none at its end.
func Apply(data []byte, edits []Edit) ([]byte, error) {
	mark := []byte("\xef\xbb\xbf")
	text, marked := bytes.CutPrefix(data, mark)
	parts := split(text)
	behind := map[int][]*yaml.Node{}
	for _, e := range edits {
		at := parts.of(e.Line)
		if at < 0 {
			return nil, fmt.Errorf("%w: line %d is in no document", ErrForm, e.Line)
		}
		if e.Op == Behind {
			behind[at] = append(behind[at], e.Value)
			continue
		}
		changed, err := one(parts[at].text, e)
		if err != nil {
			return nil, err
		}
		parts[at].text = changed
	}
	var out []byte
	if marked {
		out = append(out, mark...)
	}
	for i, p := range parts {
		out = append(out, p.text...)
		for _, value := range behind[i] {
			document, err := whole(p.text, value)
			if err != nil {
				return nil, err
			}
			if len(out) > 0 && out[len(out)-1] != '\n' {
				out = append(out, lineEnd(text)...)
			}
			out = append(out, document...)
		}
	}
	return out, nil
}

// part is a document of a file or a separator line.
type part struct {
	text []byte
	// line is the number of its first line.
	line      int
	separator bool
}

type parts []part

// split cuts where kubectl does: at lines that begin with ---.
func split(text []byte) parts {
	var out parts
	begin, first, line := 0, 1, 1
	for offset := 0; offset < len(text); line++ {
		end := offset + bytes.IndexByte(text[offset:], '\n') + 1
		if end == offset {
			end = len(text)
		}
		if bytes.HasPrefix(text[offset:end], []byte("---")) {
			out = append(out, part{text: text[begin:offset], line: first}, part{text: text[offset:end], line: line, separator: true})
			begin, first = end, line+1
		}
		offset = end
	}
	return append(out, part{text: text[begin:], line: first})
}

// of is the index of the document that a line is in, or -1.
func (p parts) of(line int) int {
	i := sort.Search(len(p), func(i int) bool { return p[i].line > line }) - 1
	// An empty document has the line of the one behind it.
	if i < 0 || p[i].separator || len(bytes.TrimSpace(p[i].text)) == 0 {
		return -1
	}
	return i
}

// one makes one edit to one document and holds it to its meaning.
func one(text []byte, e Edit) (changed []byte, err error) {
	defer func() {
		if r := recover(); r != nil { // of the parser, which gets any text
			changed, err = nil, fmt.Errorf("%w: %v", ErrForm, r)
		}
	}()
	before, err := meaning(text)
	if err != nil {
		return nil, err
	}
	want, err := changedMeaning(before, e)
	if err != nil {
		return nil, err
	}
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	changed, err = d.edit(e)
	if err != nil {
		return nil, err
	}
	got, err := meaning(changed)
	if err != nil || !equal(got, want) {
		return nil, fmt.Errorf("%w: the edited text would not mean what it should", ErrForm)
	}
	return changed, nil
}

// whole is a new document with its separator, in the style of a text.
func whole(like []byte, value *yaml.Node) ([]byte, error) {
	trimmed := bytes.TrimSpace(like)
	if len(trimmed) > 0 && trimmed[0] == '{' {
		return nil, fmt.Errorf("%w: a document cannot follow JSON", ErrForm)
	}
	d := &document{text: like, end: lineEnd(like)}
	var b bytes.Buffer
	b.WriteString("---" + d.end)
	for _, line := range d.block(value, 0) {
		b.WriteString(line + d.end)
	}
	return b.Bytes(), nil
}

// lineEnd is how the lines of a text end.
func lineEnd(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// At is a path behind another.
func (p Path) At(more ...any) Path { return append(slices.Clip(slices.Clone(p)), more...) }

// String is the path as messages have it: spec.containers[0].name.
func (p Path) String() string {
	var b bytes.Buffer
	for _, step := range p {
		switch s := step.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", s)
		default:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			fmt.Fprint(&b, s)
		}
	}
	return b.String()
}
