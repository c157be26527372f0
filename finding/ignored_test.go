package finding

import "testing"

// TestSettle: what is ignored does not count, and what was undecided beside it
// does then.
func TestSettle(t *testing.T) {
	ignored := Result{Name: "a", Verdict: Violated, Ignored: &Ignored{By: ByBaseline}}
	violated, undecided, held := Result{Verdict: Violated}, Result{Verdict: Inconclusive, Reason: "a limit"}, Result{Verdict: Holds}
	whole := Bound{Complete: true}
	cases := []struct {
		name   string
		report Report
		want   Verdict
		reason string
		code   Code
	}{
		{"nothing else", Report{Bound: whole, Results: []Result{ignored}}, Holds, "", CodeHolds},
		{"the others hold", Report{Bound: whole, Results: []Result{ignored, held}}, Holds, "", CodeHolds},
		{"another is violated", Report{Bound: whole, Results: []Result{ignored, violated}}, Violated, "", CodeViolated},
		{"another is undecided", Report{Bound: whole, Results: []Result{ignored, undecided}}, Inconclusive, "a limit", CodeInconclusive},
		{"the search was cut short", Report{Bound: Bound{Reason: "the time is over"}, Results: []Result{ignored, held}}, Inconclusive, "the time is over", CodeInconclusive},
		{"a size is undecided", Report{Bound: Bound{Complete: true, Inconclusive: []string{"3 nodes"}}, Results: []Result{ignored}}, Inconclusive, "not all was explored", CodeInconclusive},
		{
			"something is left out",
			Report{Bound: whole, Omissions: []Omission{{Name: "Job/x/y", Reason: "r", Blocking: true}}, Results: []Result{ignored}},
			Inconclusive,
			"Job/x/y is left out and could change the outcome (r); accept it with --accept Job/x/y", CodeInconclusive,
		},
		{"and accepted", Report{Bound: whole, Omissions: []Omission{{Blocking: true, Accepted: true}}, Results: []Result{ignored}}, Holds, "", CodeHolds},
		{"a doubt of the search", Report{Bound: whole, Doubt: "too many orders", Results: []Result{ignored}}, Inconclusive, "too many orders", CodeInconclusive},
		{"nothing is ignored", Report{Doubt: "x", Results: []Result{held, violated}}, Violated, "", CodeViolated},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.report.Verdict = Violated
			c.report.Settle()
			if r := c.report; r.Verdict != c.want || r.Reason != c.reason || r.Code() != c.code {
				t.Errorf("%s %q, code %d; want %s %q, %d", r.Verdict, r.Reason, r.Code(), c.want, c.reason, c.code)
			}
		})
	}
}
