package sarif

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/trace"
)

func write(t *testing.T, r *finding.Report, rules ...finding.Rule) (run, string) {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r, rules); err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(b.Bytes(), &d); err != nil || len(d.Runs) != 1 {
		t.Fatalf("%v\n%s", err, &b)
	}
	return d.Runs[0], b.String()
}

// violated has a trace of n steps that goes back to the step with index loop.
func violated(n int, loop *int) finding.Result {
	r := finding.Result{
		Rule: "SEA1001", Name: "no-endless-eviction", Subject: "Deployment default/web", Verdict: finding.Violated,
		Message: "pods are evicted for ever",
		Causes: []finding.Cause{
			{Location: finding.Location{File: "a b/x.yaml", Line: 7, Column: 3, Object: "DeschedulerPolicy"}, Message: "evicts them"},
			{Location: finding.Location{File: "web.yaml", Line: 2, Object: "Deployment default/web"}, Message: "does not fit"},
		},
		Trace: &trace.Trace{Initial: []string{"1 node"}, Loop: loop},
	}
	for i := range n {
		r.Trace.Steps = append(r.Trace.Steps, trace.Step{
			Actor: "kubelet", Action: fmt.Sprintf("does %d", i+1),
			Changes: []trace.Change{{Object: "Deployment default/web", Field: "replicas", From: "1", To: "2"}},
		})
	}
	return r
}

func TestNoFindingIsAnEmptyArray(t *testing.T) {
	_, text := write(t, &finding.Report{Verdict: finding.Holds, Results: []finding.Result{{Name: "x", Verdict: finding.Holds}}})
	if !strings.Contains(text, `"results": [],`) {
		t.Error(text)
	}
}

// TestCodeFlowIsBounded: of a long trace the beginning and the end are kept, with
// a word in between of how much is left out.
func TestCodeFlowIsBounded(t *testing.T) {
	for n, left := range map[int]string{
		3: "", 498: "", 499: "… steps 250–251 are left out", 10_000: "… steps 250–9752 are left out",
	} {
		end := n
		got, _ := write(t, &finding.Report{Results: []finding.Result{violated(n, &end)}})
		steps := got.Results[0].CodeFlows[0].ThreadFlows[0].Locations
		if len(steps) != min(n+2, StepsMax) {
			t.Errorf("%d steps make %d", n, len(steps))
		}
		said := ""
		for i, s := range steps {
			if s.Order != i+1 || s.Location.Physical == nil {
				t.Errorf("%d steps: %+v", n, s)
			}
			if text := s.Location.Message.Text; strings.Contains(text, "left out") {
				said = strings.TrimSuffix(text, "; the JSON report has all")
			}
		}
		if said != left {
			t.Errorf("%d steps: %q, want %q", n, said, left)
		}
		last := []string{steps[len(steps)-2].Location.Message.Text, steps[len(steps)-1].Location.Message.Text}
		if !strings.HasPrefix(last[0], fmt.Sprintf("%d kubelet: does %d · Deployment default/web replicas: 1 → 2", n, n)) || last[1] != "↻ this state stays for ever" {
			t.Errorf("%d steps end with %q", n, last)
		}
	}
}

// TestStepsHavePlaces: in the object that the step changes, if a cause is there.
func TestStepsHavePlaces(t *testing.T) {
	loop := 0
	got, _ := write(t, &finding.Report{Results: []finding.Result{violated(1, &loop)}})
	r := got.Results[0]
	var places []string
	for _, s := range r.CodeFlows[0].ThreadFlows[0].Locations {
		places = append(places, fmt.Sprintf("%s:%d", s.Location.Physical.Artifact.URI, s.Location.Physical.Region.Line))
	}
	if !slices.Equal(places, []string{"a%20b/x.yaml:7", "web.yaml:2", "a%20b/x.yaml:7"}) {
		t.Errorf("%q", places)
	}
	if at := r.Locations[0]; at.Physical.Artifact.URI != "a%20b/x.yaml" || *at.Physical.Region != (region{7, 3}) || at.Logical[0].Name != "Deployment default/web" {
		t.Errorf("%+v", at)
	}
	if len(r.Related) != 1 || r.Related[0].Physical.Artifact.URI != "web.yaml" {
		t.Errorf("%+v", r.Related)
	}
}

// TestFingerprintSurvivesAnotherTrace: the same alert on another day.
func TestFingerprintSurvivesAnotherTrace(t *testing.T) {
	a, _ := write(t, &finding.Report{Results: []finding.Result{violated(3, nil)}})
	other := violated(9, nil)
	other.Message, other.Causes = "otherwise", nil
	b, _ := write(t, &finding.Report{Results: []finding.Result{{Name: "before", Verdict: finding.Holds}, other}})
	want := a.Results[0].Fingerprints
	if got := b.Results[0].Fingerprints; len(want) != 2 || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %v", want, got)
	}
}

// TestRules: all that there are, and the user's own behind them.
func TestRules(t *testing.T) {
	got, _ := write(t, &finding.Report{Results: []finding.Result{{Name: "mine", Subject: "x", Verdict: finding.Inconclusive, Reason: "a limit"}, violated(1, nil)}},
		finding.Rule{ID: "SEA1002", Name: "drain-completes", Level: finding.LevelWarning}, finding.Rule{
			ID: "SEA1001", Name: "no-endless-eviction", Title: "pods go", Means: "They stay.\n\nFor good.", Why: "Two want two things.",
			Mend: []string{"Choose one."}, Links: []finding.Link{{Title: "more", URL: "https://example.org"}},
		})
	var ids []string
	for _, r := range got.Tool.Driver.Rules {
		ids = append(ids, r.ID)
	}
	if !slices.Equal(ids, []string{"SEA1002", "SEA1001", "mine"}) {
		t.Errorf("%q", ids)
	}
	first, second := got.Tool.Driver.Rules[0], got.Tool.Driver.Rules[1]
	if first.Default.Level != "warning" || second.Default.Level != "error" {
		t.Errorf("levels %s, %s", first.Default.Level, second.Default.Level)
	}
	if want := "They stay.\n\nFor good.\n\nWhy it happens: Two want two things.\n\nWhat people change:\n- Choose one."; second.Help.Text != want || second.Full.Text != "They stay.\n\nFor good." {
		t.Errorf("%+v, %+v", second.Help, second.Full)
	}
	if want := "They stay.\n\nFor good.\n\n## Why it happens\n\nTwo want two things.\n\n## What people change\n\n- Choose one.\n\n## Links\n\n- [more](https://example.org)\n"; second.Help.Markdown != want || !strings.HasSuffix(second.HelpURI, "/docs/rules/SEA1001.md") {
		t.Errorf("%q, %s", second.Help.Markdown, second.HelpURI)
	}
	open, fail := got.Results[0], got.Results[1]
	if open.Kind != "open" || open.Level != "none" || open.RuleIndex != 2 || open.Message.Text != "x: inconclusive: a limit" {
		t.Errorf("%+v", open)
	}
	if fail.Kind != "fail" || fail.Level != "error" || fail.RuleIndex != 1 {
		t.Errorf("%+v", fail)
	}
}

func TestURI(t *testing.T) {
	for file, want := range map[string]string{
		"deploy/web.yaml": "deploy/web.yaml", "./a b#c.yaml": "a%20b%23c.yaml", "../x.yaml": "../x.yaml", "/abs/x.yaml": "file:///abs/x.yaml",
		`a:b.yaml`: "a:b.yaml", "a%.yaml": "a%25.yaml", "é.yaml": "%C3%A9.yaml",
	} {
		if file == "a:b.yaml" {
			want = "file:///a:b.yaml" // as a drive is written
		}
		if got := uri(file); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
	for _, file := range []string{"", "-", "<stdin>"} {
		if physical(finding.Location{File: file, Line: 3}) != nil {
			t.Errorf("%q is a place", file)
		}
	}
}

// TestHostileText: names are made harmless before they are shown anywhere.
func TestHostileText(t *testing.T) {
	r := violated(1, nil)
	r.Name, r.Rule, r.Subject, r.Message = "a\x1b[31m", "", "b\u202e", "c\nd"
	_, text := write(t, &finding.Report{Results: []finding.Result{r}})
	for _, bad := range []string{`\u001b`, "\u202e", `c\nd`} {
		if strings.Contains(text, bad) {
			t.Errorf("%q in\n%s", bad, text)
		}
	}
}

// TestNotConfirmedIsTold: of what may be chance it is said what was seen, and on which way; it is open, and no failure.
func TestNotConfirmedIsTold(t *testing.T) {
	got, _ := write(t, &finding.Report{Results: []finding.Result{{
		Name: "twin", Subject: "spec.tls", Verdict: finding.Inconclusive, Message: "a is b", Reason: "it may be chance",
		Applied:  []finding.Difference{{Title: "tls is on", Lines: []string{"+  tls: true"}}},
		Compared: []finding.Difference{{Title: "services web", Before: "expected", After: "found", Lines: []string{"-  a: a", "+  a: b"}}},
		Causes:   []finding.Cause{{Message: "look again"}},
	}}})
	want := "spec.tls: a is b\ninconclusive: it may be chance\ntls is on\n+  tls: true\nservices web (- expected, + found)\n-  a: a\n+  a: b\nlook again"
	if r := got.Results[0]; r.Kind != "open" || r.Level != "none" || r.Message.Text != want {
		t.Errorf("%s, %s: %q", r.Kind, r.Level, r.Message.Text)
	}
}
