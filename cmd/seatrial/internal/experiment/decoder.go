package experiment

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// fileMax bounds the file of an experiment, in bytes.
const fileMax = 8 << 20

// Error is about the file of a trial: what is wrong, where, and what to do.
type Error struct {
	File string
	Line int // 0 if it is about the whole file
	Text string
}

// Error is one line.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Text
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text)
}

// ReadFile reads the file of a trial, whose size is bounded. Its error is an [Error].
func ReadFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{File: path, Text: errors.Unwrap(err).Error()}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, fileMax+1))
	if err != nil {
		return nil, &Error{File: path, Text: err.Error()}
	}
	if len(data) > fileMax {
		return nil, &Error{File: path, Text: fmt.Sprintf("the file has more than %d MiB", fileMax>>20)}
	}
	return data, nil
}

// Decoder reads the file of a trial part by part, so that an error knows its line.
type Decoder struct {
	// File stands for the file in errors.
	File string
	// Lines are those of the keys at the top.
	Lines map[string]int
	errs  []*Error
}

// Fail notes an error; line is 0 for the whole file.
func (d *Decoder) Fail(line int, format string, args ...any) {
	d.errs = append(d.errs, &Error{d.File, line, fmt.Sprintf(format, args...)})
}

// Count is how many errors were noted.
func (d *Decoder) Count() int { return len(d.errs) }

// Failures are the errors in the order of their lines; nil if there are none.
func (d *Decoder) Failures() error {
	slices.SortStableFunc(d.errs, func(a, b *Error) int { return cmp.Compare(a.Line, b.Line) })
	var all []error
	for _, err := range d.errs {
		all = append(all, err)
	}
	return errors.Join(all...)
}

// Document reads a file that is one mapping, each key into what fields has for it: a
// *yaml.Node takes the value as it is. unknown is what is said of another key, with a %q for
// it. It returns false if there is no such mapping; everything else that is wrong is noted.
func (d *Decoder) Document(data []byte, kind string, fields map[string]any, unknown string) bool {
	var document, second yaml.Node
	documents := yaml.NewDecoder(bytes.NewReader(data))
	if err := documents.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		d.failYAML(0, err)
		return false
	}
	if err := documents.Decode(&second); err == nil {
		d.Fail(second.Line, "there is a second document: a file has one %s", kind)
	} else if !errors.Is(err, io.EOF) {
		d.failYAML(0, err)
	}
	if len(document.Content) != 1 || document.Content[0].Kind != yaml.MappingNode {
		d.Fail(0, "this is no %s", kind)
		return false
	}
	d.Lines = map[string]int{}
	root := document.Content[0]
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if _, twice := d.Lines[key.Value]; twice {
			d.Fail(key.Line, "%s is there twice", key.Value)
		}
		d.Lines[key.Value] = key.Line
		switch into := fields[key.Value].(type) {
		case nil:
			d.Fail(key.Line, unknown, key.Value)
		case *yaml.Node:
			*into = *value
		default:
			d.Part(value, key.Line, into)
		}
	}
	return true
}

// Part decodes one value, strictly; line is what errors are said of.
func (d *Decoder) Part(value *yaml.Node, line int, into any) {
	timesAreTexts(value)
	var plain any
	if err := value.Decode(&plain); err != nil {
		d.failYAML(line, err)
		return
	}
	text, err := json.Marshal(plain)
	if err == nil {
		decode := json.NewDecoder(bytes.NewReader(text))
		decode.DisallowUnknownFields()
		err = decode.Decode(into)
	}
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind):
		field := kind.Field
		if field != "" {
			field += ": "
		}
		d.Fail(line, "%s%s is wanted, and there is %s", field, wanted(kind.Type), kind.Value)
	case err != nil:
		d.Fail(line, "%s", strings.TrimPrefix(oneLine(err), "json: "))
	}
}

// wanted says in words what a field of a Go type takes.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "a mapping"
	}
	return "a whole number"
}

// timesAreTexts lets what looks like a time be the text that it is for Kubernetes.
func timesAreTexts(n *yaml.Node) {
	if n.ShortTag() == "!!timestamp" && n.Style&yaml.TaggedStyle == 0 {
		n.Tag = "!!str"
	}
	for _, child := range n.Content {
		timesAreTexts(child)
	}
}

// lineOf is how the YAML library says where an error is.
var lineOf = regexp.MustCompile(`^yaml: (?:unmarshal errors: )?line (\d+): (.*)$`)

// failYAML is Fail with an error of the YAML library, which may know a better line.
func (d *Decoder) failYAML(line int, err error) {
	text := oneLine(err)
	if found := lineOf.FindStringSubmatch(text); found != nil {
		if n, err := strconv.Atoi(found[1]); err == nil {
			line, text = n, found[2]
		}
	}
	d.Fail(line, "%s", strings.TrimPrefix(text, "yaml: "))
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

func newLines(data []byte) *bufio.Reader { return bufio.NewReader(bytes.NewReader(data)) }
