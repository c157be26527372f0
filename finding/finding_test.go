package finding

import (
	"testing"
)

func TestCombineRanksVerdicts(t *testing.T) {
	cases := []struct {
		name string
		in   []Verdict
		want Verdict
	}{
		{"nothing was decided", nil, Inconclusive},
		{"one holds", []Verdict{Holds}, Holds},
		{"all hold", []Verdict{Holds, Holds}, Holds},
		{"a budget ran out", []Verdict{Holds, Inconclusive, Holds}, Inconclusive},
		{"a violation outweighs a budget", []Verdict{Inconclusive, Violated}, Violated},
		{"a violation outweighs a budget in any order", []Verdict{Violated, Inconclusive}, Violated},
		{"an unknown verdict is never a pass", []Verdict{Holds, "fine"}, Inconclusive},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := Combine(c.in...); got != c.want {
				t.Errorf("Combine(%v) = %s, want %s", c.in, got, c.want)
			}
		})
	}
}

// TestWorstIsTheDocumentedOrder tries every pair: 4 before 2 before 1 before
// 3 before 0, and an interruption between 1 and 3.
func TestWorstIsTheDocumentedOrder(t *testing.T) {
	order := []Code{4, 2, 1, 130, 3, 0}
	for i, stronger := range order {
		for _, weaker := range order[i:] {
			for _, pair := range [][]Code{{stronger, weaker}, {weaker, stronger}} {
				if got := Worst(pair...); got != stronger {
					t.Errorf("Worst(%v) = %d, want %d", pair, got, stronger)
				}
			}
		}
	}
	if got := Worst(); got != CodeHolds {
		t.Errorf("Worst() = %d, want 0", got)
	}
	if got := Worst(CodeHolds, Code(77)); got != CodeInternal {
		t.Errorf("an unknown code gives %d, want 4", got)
	}
}

func TestReportCode(t *testing.T) {
	cases := []struct {
		name   string
		report Report
		want   Code
	}{
		{"holds", Report{Verdict: Holds, Results: []Result{{Verdict: Holds}}}, CodeHolds},
		{"a vacuous holds is still a holds", Report{Verdict: Holds, Results: []Result{{Verdict: Holds, Vacuous: "never starts"}}}, CodeHolds},
		{"violated", Report{Verdict: Violated, Results: []Result{{Verdict: Violated}}}, CodeViolated},
		{"inconclusive", Report{Verdict: Inconclusive}, CodeInconclusive},
		{"a violation counts whatever else is inconclusive", Report{Verdict: Inconclusive, Results: []Result{{Verdict: Inconclusive}, {Verdict: Violated}}}, CodeViolated},
		{"interrupted after a violation", Report{Verdict: Violated, Interrupted: true}, CodeViolated},
		{"interrupted with nothing found", Report{Verdict: Inconclusive, Interrupted: true}, CodeInterrupted},
		{"interrupted after all was decided", Report{Verdict: Holds, Interrupted: true}, CodeInterrupted},
		{"no verdict is an internal error", Report{}, CodeInternal},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.report.Code(); got != c.want {
				t.Errorf("Code() = %d, want %d", got, c.want)
			}
		})
	}
}

func TestLocationLeavesOutWhatIsUnknown(t *testing.T) {
	for want, l := range map[string]Location{
		"":             {},
		"a.yaml":       {File: "a.yaml"},
		"b.yaml:7":     {File: "b.yaml", Line: 7},
		"c.yaml:7:3":   {File: "c.yaml", Line: 7, Column: 3},
		"-:2":          {File: "-", Line: 2},
		"no-line.yaml": {File: "no-line.yaml", Column: 4},
	} {
		if got := l.String(); got != want {
			t.Errorf("%#v: %q, want %q", l, got, want)
		}
	}
	if got := (Location{File: "c.yaml", Line: 7, Column: 3}).FileLine(); got != "c.yaml:7" {
		t.Errorf("FileLine() = %q", got)
	}
}
