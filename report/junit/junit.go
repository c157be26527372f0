// Package junit renders a report as JUnit XML, for the test pages of CI systems:
// one test case per property and subject. A violation is a failure, an
// inconclusive result an error, since no verdict was reached, and what is ignored
// is skipped.
package junit

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
	"github.com/seatrial/seatrial/trace"
)

type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Suites   []suite  `xml:"testsuite"`
}

type suite struct {
	Name       string     `xml:"name,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Skipped    int        `xml:"skipped,attr"`
	Properties []property `xml:"properties>property"`
	Cases      []testCase `xml:"testcase"`
}

type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type testCase struct {
	Class   string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	File    string   `xml:"file,attr,omitempty"`
	Line    int      `xml:"line,attr,omitempty"`
	Failure *outcome `xml:"failure"`
	Error   *outcome `xml:"error"`
	Skipped *skipped `xml:"skipped"`
	Out     string   `xml:"system-out,omitempty"`
}

type outcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type skipped struct {
	Message string `xml:"message,attr"`
}

// wholeRun is the class of the case that stands for a run without a verdict where
// no result says so.
const wholeRun = "seatrial"

// Write renders r to w.
func Write(w io.Writer, r *finding.Report) error {
	s := suite{Name: strings.TrimSpace("seatrial " + safe(report.Bound(r)))}
	for _, p := range []property{
		{"verdict", string(report.Overall(r))}, {"bound", report.Bound(r)}, {"by", report.Versions(r)}, {"repeat", r.Command},
	} {
		if p.Value != "" {
			s.Properties = append(s.Properties, property{p.Name, safe(p.Value)})
		}
	}
	for _, one := range r.Results {
		c, err := caseOf(one)
		if err != nil {
			return fmt.Errorf("encode JUnit: %w", err)
		}
		s.Cases = append(s.Cases, c)
	}
	if report.Overall(r) == finding.Inconclusive && len(report.With(r.Results, finding.Inconclusive)) == 0 {
		s.Cases = append(s.Cases, testCase{Class: wholeRun, Name: "verdict", Error: &outcome{Message: safe(report.Reason(r)), Type: string(finding.Inconclusive)}})
	}
	for _, c := range s.Cases {
		s.Tests++
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	e := xml.NewEncoder(&b)
	e.Indent("", "  ")
	if err := e.Encode(suites{Name: "seatrial", Tests: s.Tests, Failures: s.Failures, Errors: s.Errors, Suites: []suite{s}}); err != nil {
		return fmt.Errorf("encode JUnit: %w", err)
	}
	b.WriteByte('\n')
	_, err := w.Write(b.Bytes())
	return err
}

func caseOf(r finding.Result) (testCase, error) {
	c := testCase{Class: safe(report.Property(r)), Name: safe(r.Subject)}
	if c.Name == "" {
		c.Name = c.Class
	}
	for _, cause := range r.Causes {
		if file, line, _, ok := cause.Location.Artifact(); ok {
			c.File, c.Line = safe(file), line
			break
		}
	}
	switch {
	case r.Ignored != nil:
		c.Skipped = &skipped{safe("ignored: " + report.Excuse(r.Ignored))}
	case r.Verdict == finding.Violated:
		text, err := story(r)
		if err != nil {
			return c, err
		}
		c.Failure = &outcome{Message: safe(r.Message), Type: string(r.Verdict), Text: text}
	case r.Verdict != finding.Holds:
		why := r.Reason
		if why == "" {
			why = "no reason was given"
		}
		c.Error = &outcome{Message: safe(why), Type: string(finding.Inconclusive)}
		if r.Message == "" {
			break
		}
		text, err := story(r)
		if err != nil {
			return c, err
		}
		c.Error.Message, c.Error.Text = safe(r.Message+"; inconclusive: "+why), text
	case r.Vacuous != "":
		c.Out = safe("holds, and could not have failed: " + r.Vacuous)
	}
	return c, nil
}

// story is what a failure says: the steps, and the places that take part.
func story(r finding.Result) (string, error) {
	var b strings.Builder
	b.WriteByte('\n')
	for _, d := range slices.Concat(r.Applied, r.Compared) {
		for _, line := range append([]string{report.Heading(d)}, report.Clipped(d.Lines, linesMax)...) {
			b.WriteString(safe(line) + "\n")
		}
	}
	for _, c := range r.Consequences {
		b.WriteString(safe(c) + "\n")
	}
	if r.Trace != nil {
		if err := r.Trace.Write(&b, trace.Options{Lines: linesMax, Elsewhere: "-o json has all"}); err != nil {
			return "", err
		}
		b.WriteByte('\n')
	}
	for _, c := range r.Causes {
		at := ""
		if place := c.Location.FileLine(); place != "" {
			at = place + ": "
		}
		b.WriteString(safe(at+c.Message) + "\n")
	}
	return b.String(), nil
}

// linesMax is the most lines of a trace in a test case.
const linesMax = 200

// safe makes text that XML can hold: it has no control characters.
func safe(s string) string { return trace.Printable(s, false) }
