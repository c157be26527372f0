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
)

// Write renders r to w, indented and with a final newline. The schema is
// always this version's, and an array that the schema requires is never null.
func Write(w io.Writer, r *finding.Report) error {
	if err := encode(w, normal(r)); err != nil {
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
// version fields are only added.
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
	return normal(&report), nil
}

// normal copies r as far as it changes it.
func normal(r *finding.Report) *finding.Report {
	n := *r
	n.Schema = finding.Schema
	n.Results = nonNil(slices.Clone(r.Results))
	n.Assumptions = nonNil(r.Assumptions)
	n.Omissions = nonNil(r.Omissions)
	n.Warnings = nonNil(r.Warnings)
	for i, result := range n.Results {
		if result.Trace != nil {
			n.Results[i].Trace = result.Trace.Normal()
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
