package junit

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/trace"
)

// write renders r and parses it back.
func write(t *testing.T, r *finding.Report) (suites, string) {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	var got suites
	d := xml.NewDecoder(bytes.NewReader(b.Bytes()))
	d.Strict = true
	if err := d.Decode(&got); err != nil || len(got.Suites) != 1 {
		t.Fatalf("%v\n%s", err, &b)
	}
	if strings.Count(b.String(), "<?xml") != 1 {
		t.Errorf("more than one prolog:\n%s", &b)
	}
	return got, b.String()
}

func TestOneCasePerPropertyAndSubject(t *testing.T) {
	loop := 0
	got, text := write(t, &finding.Report{
		Verdict: finding.Violated, Tool: "seatrial", Version: "v1", Kubernetes: "v1.36.3", Command: "seatrial check a",
		Bound: finding.Bound{Text: "1 node", Complete: true, States: 3, Depth: 2},
		Results: []finding.Result{
			{Rule: "SEA1006", Name: "pods-run", Subject: "Deployment default/web", Verdict: finding.Holds},
			{Rule: "SEA1006", Name: "pods-run", Subject: "Deployment default/api", Verdict: finding.Holds, Vacuous: "nothing starts"},
			{
				Rule: "SEA1001", Name: "no-endless-eviction", Subject: "Deployment default/web", Verdict: finding.Violated, Message: "evicted <for ever>",
				Causes: []finding.Cause{{Location: finding.Location{File: "a.yaml", Line: 7}, Message: "evicts them"}},
				Trace:  &trace.Trace{Steps: []trace.Step{{Actor: "descheduler", Action: "evicts a pod"}}, Loop: &loop},
			},
			{Name: "mine", Subject: "Deployment default/web", Verdict: finding.Inconclusive, Reason: "a limit"},
			{Rule: "SEA1004", Name: "available", Subject: "Deployment default/web", Verdict: finding.Violated, Ignored: &finding.Ignored{By: finding.ByAnnotation, Reason: "known"}},
		},
	})
	s := got.Suites[0]
	if got.Tests != 5 || got.Failures != 1 || got.Errors != 1 || s.Skipped != 1 || len(s.Cases) != 5 {
		t.Errorf("%d tests, %d failures, %d errors, %d skipped\n%s", got.Tests, got.Failures, got.Errors, s.Skipped, text)
	}
	for i, c := range s.Cases {
		failed, wrong, skipped := c.Failure != nil, c.Error != nil, c.Skipped != nil
		if failed != (i == 2) || wrong != (i == 3) || skipped != (i == 4) {
			t.Errorf("case %d: %+v", i, c)
		}
	}
	fail := s.Cases[2]
	if fail.Class != "SEA1001 no-endless-eviction" || fail.Name != "Deployment default/web" || fail.File != "a.yaml" || fail.Line != 7 || fail.Failure.Message != "evicted <for ever>" ||
		!strings.Contains(fail.Failure.Text, "evicts a pod") || !strings.Contains(fail.Failure.Text, "↻ step 1 repeats for ever") || !strings.Contains(fail.Failure.Text, "a.yaml:7: evicts them") {
		t.Errorf("%+v\n%s", fail, text)
	}
	if s.Cases[3].Error.Message != "a limit" || s.Cases[4].Skipped.Message != "ignored: known" || s.Cases[1].Out != "holds, and could not have failed: nothing starts" {
		t.Error(text)
	}
}

// TestNoVerdictIsAnError: a page on which all is green would say that all holds.
func TestNoVerdictIsAnError(t *testing.T) {
	got, text := write(t, &finding.Report{Verdict: finding.Inconclusive, Reason: "interrupted"})
	if got.Errors != 1 || got.Suites[0].Cases[0].Error.Message != "interrupted" {
		t.Error(text)
	}
}

// TestHostileText: XML has no place for control characters, even escaped.
func TestHostileText(t *testing.T) {
	const bad = "a\x00\x1b]]></failure>\ufffe\xff\n"
	got, text := write(t, &finding.Report{Verdict: finding.Violated, Results: []finding.Result{{
		Name: bad, Subject: bad, Verdict: finding.Violated, Message: bad, Causes: []finding.Cause{{Location: finding.Location{File: bad}, Message: bad}},
		Trace: &trace.Trace{Initial: []string{bad}, Steps: []trace.Step{{Actor: bad, Action: bad}}},
	}}})
	c := got.Suites[0].Cases[0]
	const want = `a\x00\x1b]]></failure>\ufffe\xff\n`
	if c.Name != want || c.Failure.Message != want || strings.ContainsAny(text, "\x00\x1b\ufffe\ufffd") {
		t.Errorf("%+v\n%q", c, text)
	}
}

// TestNotConfirmedIsTold: of what may be chance it is said what was seen, and on which way.
func TestNotConfirmedIsTold(t *testing.T) {
	got, text := write(t, &finding.Report{Verdict: finding.Inconclusive, Reason: "no time", Results: []finding.Result{{
		Name: "twin", Subject: "spec.tls", Verdict: finding.Inconclusive, Message: "a is b", Reason: "it may be chance",
		Applied:  []finding.Difference{{Title: "tls is on", Before: "before", After: "after", Lines: []string{"+  tls: true"}}},
		Compared: []finding.Difference{{Title: "services web", Before: "expected", After: "found", Lines: []string{"-  a: a", "+  a: b"}}},
	}}})
	wrong := got.Suites[0].Cases[0].Error
	if got.Errors != 1 || got.Failures != 0 || wrong.Message != "a is b; inconclusive: it may be chance" {
		t.Errorf("%s", text)
	}
	for _, want := range []string{"tls is on\n+  tls: true\n", "services web (- expected, + found)\n-  a: a\n+  a: b\n"} {
		if !strings.Contains(wrong.Text, want) {
			t.Errorf("no %q in %s", want, wrong.Text)
		}
	}
}
