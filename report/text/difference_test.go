package text

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
)

// TestDifferences: what was done and what is different, in 80 columns; what does not fit is counted.
func TestDifferences(t *testing.T) {
	long := []string{" data:"}
	for range 40 {
		long = append(long, "+  x: "+strings.Repeat("y", 200))
	}
	r := &finding.Report{Verdict: finding.Violated, Results: []finding.Result{{
		Name: "twin", Subject: "spec.tls", Verdict: finding.Violated,
		Applied:      []finding.Difference{{Title: "the seed is applied"}, {Title: "on", Before: "before", After: "after", Lines: []string{" spec:", "-  tls: false", "+  tls: true"}}},
		Compared:     []finding.Difference{{Title: "configmaps default/web", Note: "\x1b[31m", Before: "expected", After: "found", Lines: long}, {Title: "secrets default/web"}},
		Consequences: []string{"no pod is ready"},
	}}}
	var b bytes.Buffer
	if err := Write(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"done      the seed is applied\n          on\n           spec:\n          -  tls: false\n          +  tls: true\n",
		"differs   configmaps default/web (- expected, + found): \\x1b[31m\n           data:\n          +  x: yyy",
		"lines more (-o json has all)\n          secrets default/web\n",
		"leads to  no pod is ready\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	for line := range strings.Lines(b.String()) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if n := strings.Count(b.String(), "\n"); n > linesMax {
		t.Errorf("%d lines", n)
	}
}
