// Package json renders a report as JSON, whole: everything that was found,
// assumed and left out. docs/report-schema.json describes it; the schema field
// carries its version.
package json

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/trace"
)

// Write renders r to w, indented and with a final newline. The schema is
// always this version's, and an array that the schema requires is never null. The
// setups of the traces are written once each, beside the results.
func Write(w io.Writer, r *finding.Report) error {
	n := whole(r)
	err := apart(n)
	if err == nil {
		err = encode(w, n)
	}
	if err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	return nil
}

// WriteSimulation renders a random walk to w, as Write does a report.
func WriteSimulation(w io.Writer, s *finding.Simulation) error {
	n := *s
	n.Schema = finding.SimulationSchema
	n.Assumptions, n.Omissions, n.Warnings = nonNil(s.Assumptions), nonNil(s.Omissions), nonNil(s.Warnings)
	if s.Trace != nil {
		n.Trace = s.Trace.Normal()
	}
	if err := encode(w, &n); err != nil {
		return fmt.Errorf("encode simulation: %w", err)
	}
	return nil
}

func encode(w io.Writer, value any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(value)
}

// Read reads one report that Write wrote. Another schema and anything after
// the report are errors; unknown fields are not, since within one schema
// version fields are only added. Each trace has its setup again.
func Read(r io.Reader) (*finding.Report, error) {
	d := json.NewDecoder(r)
	var report finding.Report
	if err := d.Decode(&report); err != nil {
		return nil, fmt.Errorf("decode report: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("decode report: something follows the report")
	}
	if report.Schema != finding.Schema {
		return nil, fmt.Errorf("decode report: the schema is %q, want %q", report.Schema, finding.Schema)
	}
	if err := join(&report); err != nil {
		return nil, fmt.Errorf("decode report: %w", err)
	}
	return whole(&report), nil
}

// ReadSimulation reads one random walk that WriteSimulation wrote, as Read does a
// report.
func ReadSimulation(r io.Reader) (*finding.Simulation, error) {
	d := json.NewDecoder(r)
	var s finding.Simulation
	if err := d.Decode(&s); err != nil {
		return nil, fmt.Errorf("decode simulation: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("decode simulation: something follows the simulation")
	}
	if s.Schema != finding.SimulationSchema {
		return nil, fmt.Errorf("decode simulation: the schema is %q, want %q", s.Schema, finding.SimulationSchema)
	}
	if s.Trace != nil {
		if err := s.Trace.Check(); err != nil {
			return nil, fmt.Errorf("decode simulation: trace: %w", err)
		}
		s.Trace.Compact()
		s.Trace = s.Trace.Normal()
	}
	return &s, nil
}

// join gives each trace its setup.
func join(r *finding.Report) error {
	for i := range r.Setups {
		if r.Setups[i] == nil {
			return fmt.Errorf("setups[%d] is null", i)
		}
		r.Setups[i].Compact()
	}
	for i := range r.Results {
		for _, t := range r.Results[i].Traces() {
			if t.SetupOf != nil {
				if *t.SetupOf < 0 || *t.SetupOf >= len(r.Setups) || t.Setup != nil {
					return fmt.Errorf("results[%d].trace: setupOf is %d of %d setups, or there are both", i, *t.SetupOf, len(r.Setups))
				}
				t.Setup, t.SetupOf = r.Setups[*t.SetupOf], nil
			}
			if err := t.Check(); err != nil {
				return fmt.Errorf("results[%d].trace: %w", i, err)
			}
			t.Compact()
		}
	}
	r.Setups = nil
	return nil
}

// apart takes the setups out of the traces of r, each once.
func apart(r *finding.Report) error {
	at := map[string]int{}
	for i := range r.Results {
		for _, t := range r.Results[i].Traces() {
			if t.Setup == nil {
				continue
			}
			text, err := json.Marshal(t.Setup)
			if err != nil {
				return err
			}
			k, known := at[string(text)]
			if !known {
				k = len(r.Setups)
				at[string(text)] = k
				r.Setups = append(r.Setups, t.Setup)
			}
			t.Setup, t.SetupOf = nil, &k
		}
	}
	return nil
}

// whole is r with all that the schema requires, copied as far as it is changed here
// and by apart.
func whole(r *finding.Report) *finding.Report {
	n := *r
	n.Schema = finding.Schema
	n.Results = nonNil(slices.Clone(r.Results))
	n.Assumptions = nonNil(r.Assumptions)
	n.Omissions = nonNil(r.Omissions)
	n.Warnings = nonNil(r.Warnings)
	for i := range n.Results {
		result := &n.Results[i]
		for _, t := range []**trace.Trace{&result.Trace, &result.Reference} {
			if *t != nil {
				*t = (*t).Normal()
			}
		}
	}
	return &n
}

func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
