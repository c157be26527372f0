package perturb

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
)

// TestGroups: one group for each cause, in the order in which patterns failed first;
// of a pattern that first whose oracle names the mistake.
func TestGroups(t *testing.T) {
	result := func(pattern, name, class string, failed int) *Result {
		return &Result{Plan: &plan.Plan{Pattern: pattern, Sentence: class}, Verdict: Failed, Failed: failed, Runs: 3, Divergences: []oracle.Divergence{{Oracle: name, Class: name + " " + class}}}
	}
	o := &Outcome{Results: []*Result{
		result("b", "end-state", "x", 3),
		result("b", "stale-delete", "y", 1),
		result("a", "count", "z", 3),
		{Verdict: Passed, Plan: &plan.Plan{Pattern: "a"}},
		result("a", "count", "old list", 3),
		result("a", "count", "old list", 3), // by what happens in every cluster
		result("b", "stale-delete", "y", 2),
	}}
	o.Results[4].Plan.Assumption, o.Results[5].Plan.Assumption = plan.OldList, plan.LaggingStandby
	o.Results[5].Plan.Sentence = "standby"
	var got []string
	for _, g := range o.Groups() {
		got = append(got, g.Pattern)
		for _, r := range g.Results {
			got = append(got, r.Plan.Sentence)
		}
	}
	if text := strings.Join(got, " "); text != "b y y b x a z a standby old list" {
		t.Error(text)
	}
	if best := o.Groups()[0].Best(); best.Failed != 2 {
		t.Errorf("the first of a group fails %d times", best.Failed)
	}
}
