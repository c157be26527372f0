// Package sarif renders a report as SARIF 2.1.0, for code scanning: a result for
// each violation, with its trace as a code flow, and for what is undecided.
package sarif

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
	"github.com/seatrial/seatrial/report/markdown"
	"github.com/seatrial/seatrial/report/text"
	"github.com/seatrial/seatrial/trace"
)

// StepsMax bounds the steps of a code flow; the middle of a longer trace is left
// out. GitHub shows a thousand locations of a result.
const StepsMax = 500

const (
	schemaURI      = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	informationURI = "https://github.com/seatrial/seatrial"
	// printKey has the version of how fingerprints are made.
	printKey = "seatrial/v1"
	// lineKey is the fingerprint that GitHub goes by; without it, it would take a
	// hash of the line, which any edit changes.
	lineKey = "primaryLocationLineHash"
)

// Write renders r to w. rules are all that the trial has: those of r and the
// others too, so that a viewer can tell what was asked; rules that r names and
// that are not among them, as properties of the user's own, are added.
func Write(w io.Writer, r *finding.Report, rules []finding.Rule) error {
	d := newDriver(r, rules)
	prints := finding.Fingerprints(r.Results)
	results := []result{} // an empty array, not null: uploads fail without it
	for i, one := range r.Results {
		if one.Verdict != finding.Holds {
			results = append(results, d.result(one, prints[i]))
		}
	}
	doc := document{Schema: schemaURI, Version: "2.1.0", Runs: []run{{
		Tool: tool{d.driver}, Invocations: []invocation{d.invocation(r)}, Results: results, ColumnKind: "unicodeCodePoints",
		Properties: properties{Verdict: report.Overall(r), Reason: r.Reason, Bound: report.Bound(r), Command: r.Command, Kubernetes: r.Kubernetes},
	}}}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(doc); err != nil {
		return fmt.Errorf("encode SARIF: %w", err)
	}
	return nil
}

// maker turns parts of a report into parts of a run.
type maker struct {
	driver driver
	index  map[string]int
}

// newDriver lists the rules, those of the report's results that are not known
// after the others.
func newDriver(r *finding.Report, rules []finding.Rule) *maker {
	m := &maker{driver: driver{Name: r.Tool, Version: r.Version, InformationURI: informationURI, Rules: []descriptor{}}, index: map[string]int{}}
	if m.driver.Name == "" {
		m.driver.Name = "seatrial"
	}
	for _, rule := range rules {
		m.add(descriptor{
			ID: rule.ID, Name: rule.Name, HelpURI: rule.URI(),
			Short: &message{rule.Title}, Full: &message{rule.Means},
			Help:    &help{Text: text.RuleHelp(rule), Markdown: markdown.Rule(rule)},
			Default: configuration{string(cmp.Or(rule.Level, finding.LevelError))},
		})
	}
	for _, one := range r.Results {
		if _, known := m.index[ruleID(one)]; !known {
			m.add(descriptor{ID: ruleID(one), Name: safe(one.Name), Short: &message{"the property " + safe(one.Name)}, Default: configuration{"error"}})
		}
	}
	return m
}

func (m *maker) add(d descriptor) {
	m.index[d.ID] = len(m.driver.Rules)
	m.driver.Rules = append(m.driver.Rules, d)
}

// ruleID is a rule's id, or the name of a property that has none.
func ruleID(r finding.Result) string {
	if r.Rule != "" {
		return r.Rule
	}
	return safe(r.Name)
}

func (m *maker) result(r finding.Result, print string) result {
	out := result{
		RuleID: ruleID(r), RuleIndex: m.index[ruleID(r)], Kind: "fail", Level: "error", Message: message{said(r)},
		Fingerprints: map[string]string{printKey: print, lineKey: print + ":1"},
	}
	if i := r.Ignored; i != nil {
		kind := "external"
		if i.By == finding.ByAnnotation {
			kind = "inSource"
		}
		out.Suppressions = []suppression{{Kind: kind, Status: "accepted", Justification: safe(report.Excuse(i))}}
	}
	if r.Verdict != finding.Violated {
		out.Kind, out.Level = "open", "none"
	}
	primary := location{Logical: logical(r.Subject)}
	for i, c := range r.Causes {
		if i == 0 {
			primary.Physical = physical(c.Location)
			continue
		}
		if p := physical(c.Location); p != nil {
			out.Related = append(out.Related, location{ID: i, Physical: p, Message: &message{safe(c.Message)}})
		}
	}
	out.Locations = []location{primary}
	out.Fixes = fixes(r.Suggestions)
	if r.Trace != nil {
		out.CodeFlows = []codeFlow{flow(r)}
	}
	return out
}

// said is what a result's message says: what is wrong, why, and the places.
func said(r finding.Result) string {
	text := r.Message
	if text == "" {
		text = string(r.Verdict)
	}
	if r.Verdict == finding.Inconclusive {
		text = "inconclusive"
		if r.Reason != "" {
			text += ": " + r.Reason
		}
	}
	lines := []string{safe(r.Subject + ": " + text)}
	if r.Verdict == finding.Inconclusive && r.Message != "" {
		lines = unconfirmed(r, text)
	}
	for _, c := range r.Causes {
		line := c.Message
		if at := c.Location.FileLine(); at != "" {
			line = at + ": " + line
		}
		lines = append(lines, safe(line))
	}
	return strings.Join(lines, "\n")
}

// differenceLines is the most lines of a difference.
const differenceLines = 40

// unconfirmed is what was seen and may be chance, and the way there: it has no code flow.
func unconfirmed(r finding.Result, why string) []string {
	lines := []string{safe(r.Subject + ": " + r.Message), safe(why)}
	for _, d := range slices.Concat(r.Applied, r.Compared) {
		for _, line := range append([]string{report.Heading(d)}, report.Clipped(d.Lines, differenceLines)...) {
			lines = append(lines, safe(line))
		}
	}
	for _, c := range r.Consequences {
		lines = append(lines, safe(c))
	}
	return lines
}

// invocation says what the run as a whole has to say: a warning each for the
// input, what was left out, and why there is no verdict.
func (m *maker) invocation(r *finding.Report) invocation {
	var notes []notification
	if report.Overall(r) == finding.Inconclusive {
		notes = append(notes, notification{Level: "error", Message: message{"inconclusive: " + safe(report.Reason(r))}})
	}
	note := func(level string, at finding.Location, text string) {
		n := notification{Level: level, Message: message{safe(text)}}
		if p := physical(at); p != nil {
			n.Locations = []location{{Physical: p}}
		}
		notes = append(notes, n)
	}
	for _, o := range r.Omissions {
		level := "note"
		if o.Blocking && !o.Accepted {
			level = "warning"
		}
		note(level, o.Location, o.Name+" is left out of account: "+o.Reason)
	}
	for _, w := range r.Warnings {
		note("warning", w.Location, w.Message)
	}
	return invocation{Successful: true, Notifications: notes}
}

// physical is a place in a file; nil for none, and for standard input, which
// nobody can open again.
func physical(l finding.Location) *physicalLocation {
	file, line, column, ok := l.Artifact()
	if !ok {
		return nil
	}
	p := &physicalLocation{Artifact: artifact{uri(file)}}
	if line > 0 {
		p.Region = &region{Line: line, Column: column}
	}
	return p
}

// uri is a relative reference, from the folder in which seatrial ran, or a file
// URI.
func uri(file string) string {
	slashed := filepath.ToSlash(file)
	switch {
	case strings.HasPrefix(slashed, "/"):
		return (&url.URL{Scheme: "file", Path: slashed}).String()
	case len(slashed) > 1 && slashed[1] == ':':
		return (&url.URL{Scheme: "file", Path: "/" + slashed}).String()
	}
	// Without a scheme, a colon in the first element would make one.
	return strings.TrimPrefix((&url.URL{Path: slashed}).String(), "./")
}

func logical(object string) []logicalLocation {
	if object == "" {
		return nil
	}
	return []logicalLocation{{Name: safe(object), Kind: "resource"}}
}

func safe(s string) string { return trace.Printable(s, false) }
