package markdown

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
)

func TestSuggestions(t *testing.T) {
	r := &finding.Report{Verdict: finding.Violated, Results: []finding.Result{
		{Name: "a", Subject: "b", Verdict: finding.Violated, Suggestions: []finding.Suggestion{
			{Title: "raise replicas", Cost: "one pod more runs", Bound: "2 nodes", Patch: "--- a/x\n+++ b/x\n-a\n+b\n"},
			{Title: "lower minAvailable", Cost: "one pod fewer stays", Bound: "2 nodes", Patch: "--- a/y\r\n"},
		}},
		{Name: "c", Subject: "d", Verdict: finding.Violated, Unmended: "nothing is known"},
	}}
	var b strings.Builder
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"**Suggested**, and checked up to 2 nodes: raise replicas. Cost: one pod more runs.\n\n```diff\n--- a/x\n+++ b/x\n-a\n+b\n```\n",
		"<details><summary>or: lower minAvailable</summary>\n\nCost: one pod fewer stays.\n\n```diff\n--- a/y\n```\n",
		"No change is suggested: nothing is known.\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}
