package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Encode writes t as indented JSON with a final newline. The schema is always
// this package's and the arrays are never null, whatever t holds.
func Encode(w io.Writer, t *Trace) error {
	if err := t.Check(); err != nil {
		return fmt.Errorf("encode trace: %w", err)
	}
	if t.SetupOf != nil {
		return errors.New("encode trace: setupOf is for traces in a report")
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(t.Normal()); err != nil {
		return fmt.Errorf("encode trace: %w", err)
	}
	return nil
}

// Decode reads one trace that Encode wrote. A missing or other schema, a loop
// outside the trace, acts that make no sense, a setup that has stayed in a report
// and anything after the trace are errors. Unknown fields are not: within one
// schema version fields are only added.
func Decode(r io.Reader) (*Trace, error) {
	d := json.NewDecoder(r)
	var t Trace
	if err := d.Decode(&t); err != nil {
		return nil, fmt.Errorf("decode trace: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("decode trace: something follows the trace")
	}
	if t.Schema != Schema {
		return nil, fmt.Errorf("decode trace: the schema is %q, want %q", t.Schema, Schema)
	}
	if err := t.Check(); err != nil {
		return nil, fmt.Errorf("decode trace: %w", err)
	}
	if t.SetupOf != nil {
		return nil, errors.New("decode trace: it was cut out of a report, in which its setup is: give the whole report")
	}
	t.Compact()
	return t.Normal(), nil
}

// Normal returns a copy of t with the schema set and no nil array that the
// schema requires. It shares the steps with t.
func (t *Trace) Normal() *Trace {
	n := *t
	n.Schema = Schema
	if n.Initial == nil {
		n.Initial = []string{}
	}
	if n.Steps == nil {
		n.Steps = []Step{}
	}
	return &n
}
