package report

import (
	"testing"

	"github.com/seatrial/seatrial/finding"
)

// TestOfTrial: a run shown again has the rules that it had, those of its trial.
func TestOfTrial(t *testing.T) {
	rules := []finding.Rule{{ID: "SEA1001", Trial: "check"}, {ID: "SEA2001", Trial: "perturb"}}
	for name, test := range map[string]struct {
		results []finding.Result
		want    string
	}{
		"a check":                    {[]finding.Result{{Rule: "SEA1001"}}, "SEA1001"},
		"a trial of a controller":    {[]finding.Result{{Rule: "SEA2001"}}, "SEA2001"},
		"a property of the user's":   {[]finding.Result{{Name: "mine"}}, "SEA1001"},
		"a rule that is not there":   {[]finding.Result{{Rule: "SEA9001"}, {Rule: "SEA2001"}}, "SEA2001"},
		"nothing that was judged by": {nil, "SEA1001"},
	} {
		got := ofTrial(rules, &finding.Report{Results: test.results})
		if len(got) != 1 || got[0].ID != test.want {
			t.Errorf("%s: %+v, want %s", name, got, test.want)
		}
	}
	if got := ofTrial(rules, nil); len(got) != 1 || len(rules) != 2 || rules[1].ID != "SEA2001" {
		t.Errorf("%+v of %+v", got, rules)
	}
}
