package text

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
	reportjson "github.com/seatrial/seatrial/report/json"
	"github.com/seatrial/seatrial/trace"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// load reads one of the reports that the JSON format's tests share.
func load(t *testing.T, name string) *finding.Report {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "json", "testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := reportjson.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func render(t *testing.T, r *finding.Report, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWriteReports(t *testing.T) {
	cases := []struct {
		file, report string
		o            Options
	}{
		{"violated.txt", "violated", Options{}},
		{"violated-ascii.txt", "violated", Options{ASCII: true}},
		{"violated-color.txt", "violated", Options{Color: true}},
		{"violated-wide.txt", "violated", Options{Width: 120}},
		{"violated-quiet.txt", "violated", Options{Quiet: true}},
		{"violated-several.txt", "several", Options{}},
		{"violated-long.txt", "long", Options{}},
		{"all.txt", "all", Options{}},
		{"all-color.txt", "all", Options{Color: true}},
		{"all-quiet.txt", "all", Options{Quiet: true}},
		{"hostile.txt", "hostile", Options{}},
		{"holds.txt", "holds", Options{}},
		{"holds-quiet.txt", "holds", Options{Quiet: true}},
		{"inconclusive-budget.txt", "budget", Options{}},
		{"inconclusive-budget-quiet.txt", "budget", Options{Quiet: true}},
		{"inconclusive-left-out.txt", "left-out", Options{}},
		{"interrupted.txt", "interrupted", Options{}},
		{"ignored.txt", "ignored", Options{}},
		{"unconfirmed.txt", "unconfirmed", Options{}},
		{"unconfirmed-quiet.txt", "unconfirmed", Options{Quiet: true}},
	}
	for _, c := range cases {
		t.Run(c.file, func(t *testing.T) {
			got := render(t, load(t, c.report), c.o)
			path := filepath.Join("testdata", c.file)
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s differs (rewrite with -update once you understand why)\n--- want\n%s--- got\n%s", path, want, got)
			}
		})
	}
}

// TestWriteKeepsItsBounds gives every list far more than fits.
func TestWriteKeepsItsBounds(t *testing.T) {
	long := strings.Repeat("a rather long explanation of something ", 12)
	for _, v := range []finding.Verdict{finding.Violated, finding.Holds, finding.Inconclusive} {
		r := &finding.Report{
			Tool: "seatrial", Version: "v0.1.0", Kubernetes: "v1.36.3", Command: "seatrial check .",
			Verdict: v, Reason: long, Bound: finding.Bound{Text: long, Reason: long},
		}
		loop := 20
		steps := &trace.Trace{Initial: []string{long, long}, Loop: &loop}
		for i := range 300 {
			steps.Steps = append(steps.Steps, trace.Step{
				Actor: "scheduler", Action: long, Note: long,
				Changes: []trace.Change{{Object: "Pod default/a", Field: "spec.nodeName", To: long}, {Object: "Pod default/b", Field: "spec.nodeName", To: fmt.Sprint(i)}},
			})
		}
		for i := range 30 {
			r.Results = append(r.Results, finding.Result{
				Rule: fmt.Sprintf("SEA10%02d", i), Name: "some-rule", Subject: "Deployment default/web", Verdict: v,
				Message: long, Reason: long, Vacuous: long, Trace: steps,
				Causes: []finding.Cause{{Location: finding.Location{File: "a.yaml", Line: 3}, Message: long}, {Message: long}, {Message: long}, {Message: long}},
			})
			r.Assumptions = append(r.Assumptions, long)
			r.Omissions = append(r.Omissions, finding.Omission{Name: fmt.Sprintf("Job/default/j%d", i), Reason: long, Blocking: true})
			r.Warnings = append(r.Warnings, finding.Warning{Message: long})
		}
		for _, width := range []int{80, 100} {
			got := render(t, r, Options{Width: width})
			lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
			if len(lines) > 40 {
				t.Errorf("%s: %d lines\n%s", v, len(lines), got)
			}
			for _, line := range lines {
				if n := trace.Columns(line); n > width {
					t.Errorf("%s: %d columns: %s", v, n, line)
				}
			}
			if !strings.HasPrefix(lines[0], strings.ToUpper(string(v))+"  ") {
				t.Errorf("%s: first line %q", v, lines[0])
			}
			if !strings.Contains(got, "\nrepeat    seatrial check .\n") {
				t.Errorf("%s: no command to repeat it\n%s", v, got)
			}
		}
	}
}

// TestWriteAllKeepsItsBounds: each violation has a part of at most 40 lines, and
// the verdicts come before the first of them.
func TestWriteAllKeepsItsBounds(t *testing.T) {
	r := load(t, "all")
	long := strings.Repeat("a rather long explanation of something ", 12)
	steps := &trace.Trace{Initial: []string{long}}
	for range 50 {
		steps.Steps = append(steps.Steps, trace.Step{Actor: "scheduler", Action: long, Note: long})
	}
	r.Results = nil
	for i := range 12 {
		steps := &trace.Trace{Initial: steps.Initial, Steps: slices.Clone(steps.Steps)}
		steps.Steps[i].Actor = "kubelet"
		violated := finding.Result{Name: fmt.Sprintf("rule-%d", i), Subject: "Deployment default/web", Verdict: finding.Violated, Message: long, Trace: steps}
		for k := range 30 {
			violated.Causes = append(violated.Causes, finding.Cause{Location: finding.Location{File: "a.yaml", Line: k + 1}, Message: fmt.Sprint(k%20, long)})
		}
		r.Results = append(r.Results, violated, finding.Result{Name: fmt.Sprintf("other-%d", i), Subject: "x", Verdict: finding.Holds},
			finding.Result{Name: fmt.Sprintf("third-%d", i), Subject: "x", Verdict: finding.Inconclusive})
	}
	parts := strings.Split(render(t, r, Options{}), "\nVIOLATED ")
	if len(parts) != 13 {
		t.Fatalf("%d parts for 12 violations", len(parts)-1)
	}
	for i, part := range parts {
		if i == 12 {
			part, _, _ = strings.Cut(part, "\nassumes ")
		}
		if n := strings.Count(part, "\n"); n > 42 { // with the blank line after it
			t.Errorf("part %d has %d lines\n%s", i, n, part)
		}
	}
}

// TestWriteAllShowsStepsOnce: the second of two violations by the same steps
// refers to the first.
func TestWriteAllShowsStepsOnce(t *testing.T) {
	r := load(t, "all")
	again := r.Results[1]
	again.Name, again.Message = "another", "The same seen from elsewhere."
	r.Results = append(r.Results, again)
	got := render(t, r, Options{})
	if n := strings.Count(got, "evicts a pod of default/web from big-1\n"); n != 1 {
		t.Errorf("the steps are there %d times\n%s", n, got)
	}
	want := "VIOLATED 3/3  SEA1001 another  Deployment default/web\n\nThe same seen from elsewhere.\n\nThe steps are those of 2/3.\n\ncause "
	if !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
}

// TestCausesOfOneMessageAreFolded: what is said of several places is said once.
func TestCausesOfOneMessageAreFolded(t *testing.T) {
	at := func(file string, line int, message string) finding.Cause {
		return finding.Cause{Location: finding.Location{File: file, Line: line}, Message: message}
	}
	got := causes([]finding.Cause{
		at("a.yaml", 48, "evicts"), at("a.yaml", 43, "evicts"), at("b.yaml", 2, "does not fit"), at("c.yaml", 0, "evicts"), at("a.yaml", 43, "evicts"),
		{Message: "evicts"},
		at("d.yaml", 6, "many"), at("d.yaml", 5, "many"), at("d.yaml", 4, "many"), at("d.yaml", 3, "many"), at("d.yaml", 2, "many"), at("d.yaml", 1, "many"),
		{Message: "nowhere"},
	})
	want := []string{"a.yaml:43, 48, c.yaml  evicts", "b.yaml:2  does not fit", "d.yaml:1, 2, 3, 4, 5, … (6)  many", "nowhere"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestWriteShowsTheViolationWhateverTheOverallVerdictSays: what was found is
// never hidden by what is inconclusive.
func TestWriteShowsTheViolationWhateverTheOverallVerdictSays(t *testing.T) {
	r := load(t, "violated")
	r.Verdict = finding.Inconclusive
	if got := render(t, r, Options{}); !strings.HasPrefix(got, "VIOLATED  SEA1001") {
		t.Error(got)
	}
}

func TestWriteNeverFailsOnThinReports(t *testing.T) {
	for _, r := range []*finding.Report{{}, {Verdict: finding.Violated}, {Verdict: finding.Holds}, {Verdict: "unheard-of"}} {
		got := render(t, r, Options{})
		if got == "" || strings.Contains(got, "\n\n\n") {
			t.Errorf("%+v gives %q", r, got)
		}
	}
}

func TestWriteReportsErrors(t *testing.T) {
	bad := load(t, "violated")
	loop := 99
	bad.Results[0].Trace.Loop = &loop
	if err := Write(&bytes.Buffer{}, bad, Options{}); err == nil {
		t.Error("a loop outside the trace is printed")
	}
	if err := Write(closed{}, load(t, "violated"), Options{}); err == nil {
		t.Error("a failing writer goes unnoticed")
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, os.ErrClosed }

// TestLongNames: the title of a property goes over two lines rather than be cut.
func TestLongNames(t *testing.T) {
	const subject = "Deployment a-namespace-of-some-length/argocd-redis-ha-haproxy"
	loop := 1
	steps := &trace.Trace{Initial: []string{"x"}, Loop: &loop}
	for i := range 60 {
		steps.Steps = append(steps.Steps, trace.Step{Actor: "hpa", Action: fmt.Sprint(i)})
	}
	for _, all := range []bool{false, true} {
		r := &finding.Report{All: all, Verdict: finding.Violated, Results: []finding.Result{
			{Rule: "SEA1003", Name: "rollout-completes", Subject: "Deployment default/web", Verdict: finding.Violated, Trace: steps},
			{Rule: "SEA1003", Name: "rollout-completes", Subject: subject, Verdict: finding.Violated},
			{Rule: "SEA1006", Name: "pods-run", Subject: "another " + subject, Verdict: finding.Inconclusive},
			{Rule: "SEA1007", Name: "spread-holds", Subject: subject, Verdict: finding.Inconclusive},
		}}
		got := strings.Join(strings.Fields(render(t, r, Options{})), " ")
		if !strings.Contains(got, "SEA1003 rollout-completes "+subject) {
			t.Errorf("all %v: the second violation is cut:\n%s", all, got)
		}
		if first := "undecided SEA1006 pods-run another"; !strings.Contains(got, first) {
			t.Errorf("all %v: no %q:\n%s", all, first, got)
		}
	}
}

// TestAllSaysWhatIsVacuous: beside a violation, too, a property that could not have
// failed is no news.
func TestAllSaysWhatIsVacuous(t *testing.T) {
	r := &finding.Report{All: true, Verdict: finding.Violated, Results: []finding.Result{
		{Rule: "SEA1003", Name: "rollout-completes", Subject: "Deployment default/web", Verdict: finding.Violated},
		{Rule: "SEA1006", Name: "pods-run", Subject: "Deployment default/web", Verdict: finding.Holds, Witnesses: []finding.Witness{{Name: "actor reaper acts"}}},
	}}
	if got, want := render(t, r, Options{}), "\nvacuous   SEA1006: never reached: actor reaper acts\n"; !strings.Contains(got, want) {
		t.Errorf("no %q:\n%s", want, got)
	}
}

// TestWarningsOfNoFileAreTold: what is about what happened is told; what is about a line
// of a manifest is counted.
func TestWarningsOfNoFileAreTold(t *testing.T) {
	r := &finding.Report{Verdict: finding.Holds, Warnings: []finding.Warning{
		{Message: "the control plane ended by itself once"},
		{Message: "an old version", Location: finding.Location{File: "a.yaml", Line: 3}},
	}}
	got := render(t, r, Options{})
	for _, want := range []string{"\nwarns     the control plane ended by itself once\n", "\naside     1 warning ("} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q:\n%s", want, got)
		}
	}
}

// TestOfWhatKindStays: a message that is cut says still of what kind the violation is.
func TestOfWhatKindStays(t *testing.T) {
	for _, all := range []bool{false, true} {
		one := finding.Result{Rule: "SEA5001", Name: "settles", Subject: "TestShop", Verdict: finding.Violated, Message: strings.Repeat("status is {Ready:false} ", 20) + "(stuck, heals only by resync)"}
		got := render(t, &finding.Report{All: all, Verdict: finding.Violated, Results: []finding.Result{one}}, Options{})
		if !strings.Contains(got, " …\n(stuck, heals only by resync)\n") {
			t.Errorf("all %v:\n%s", all, got)
		}
	}
}

// TestUndecidedSaysWhy: beside a violation, too, a property without a verdict has its reason.
func TestUndecidedSaysWhy(t *testing.T) {
	for _, all := range []bool{false, true} {
		r := &finding.Report{All: all, Verdict: finding.Violated, Results: []finding.Result{
			{Rule: "SEA4002", Name: "no-panic", Subject: "region", Verdict: finding.Violated},
			{Rule: "SEA4001", Name: "passes", Subject: "batch", Verdict: finding.Inconclusive, Reason: "overridden by the test: TestSplit"},
		}}
		if got, want := render(t, r, Options{}), "\nundecided SEA4001 passes  batch: overridden by the test: TestSplit\n"; !strings.Contains(got, want) {
			t.Errorf("all %v: no %q:\n%s", all, want, got)
		}
	}
}

// TestSoFar: what holds in a part of what there is to explore is no pass, and is not called one.
func TestSoFar(t *testing.T) {
	r := &finding.Report{Verdict: finding.Inconclusive, Reason: "the time was over", Results: []finding.Result{{Rule: "SEA3001", Name: "twin", Verdict: finding.Holds}}}
	for complete, want := range map[bool]string{false: "so far    SEA3001 twin", true: "holds     SEA3001 twin"} {
		r.Bound.Complete = complete
		if got := render(t, r, Options{}); !strings.Contains(got, want) {
			t.Errorf("complete: %t, want %q in\n%s", complete, want, got)
		}
	}
}
