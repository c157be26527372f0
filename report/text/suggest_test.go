package text

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
)

// TestSuggestions: the first with its lines, the others by what they do, and why there
// is none.
func TestSuggestions(t *testing.T) {
	long := finding.Change{File: "b.yaml", Line: 7}
	for i := range 30 {
		long.New = append(long.New, fmt.Sprintf("line %d", i))
	}
	r := &finding.Report{Verdict: finding.Violated, All: true, Suggesting: &finding.Suggesting{Tried: 3, Held: 2, Reason: "interrupted"}, Results: []finding.Result{
		{Name: "a", Subject: "b", Verdict: finding.Violated, Suggestions: []finding.Suggestion{
			{Title: "raise replicas", Cost: "one pod more runs", Changes: []finding.Change{{File: "a.yaml", Line: 3, Old: []string{"  replicas: 1"}, New: []string{"  replicas: \x1b2"}}, long}},
			{Title: "lower minAvailable"},
		}},
		{Name: "c", Subject: "d", Verdict: finding.Violated, Suggestions: []finding.Suggestion{{Title: "write much", Cost: "time", Changes: []finding.Change{long}}}},
		{Name: "e", Subject: "f", Verdict: finding.Violated, Unmended: "there is no file to change"},
	}}
	var b strings.Builder
	if err := Write(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"suggest   raise replicas\n          cost: one pod more runs\n          a.yaml:3\n          -   replicas: 1\n          +   replicas: \\x1b2\n          … 1 place more (-o json has all)\n          or lower minAvailable\n",
		"          + line 15\n          … 14 lines more (-o json has all)\n",
		"suggest   nothing: there is no file to change\n",
		"tried     3 changes, each by a check of its own; with 2 of them all was well;\n            not all that are known: interrupted\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}
