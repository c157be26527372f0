package github

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
)

func TestWrite(t *testing.T) {
	violated := finding.Result{
		Rule: "SEA1001", Name: "no-endless-eviction", Subject: "Deployment default/web", Verdict: finding.Violated, Message: "100 % are evicted",
		Causes: []finding.Cause{
			{Location: finding.Location{File: "<stdin>", Line: 2}, Message: "begins it"},
			{Location: finding.Location{File: "./a,b:c.yaml", Line: 7, Column: 3}, Message: "evicts them"},
		},
	}
	ignored := violated
	ignored.Causes, ignored.Ignored = nil, &finding.Ignored{By: finding.ByBaseline}
	cases := []struct {
		name   string
		report finding.Report
		want   string
	}{
		{
			"violated",
			finding.Report{Verdict: finding.Violated, Results: []finding.Result{violated, ignored}},
			"::error file=a%2Cb%3Ac.yaml,line=7,col=3,title=SEA1001 no-endless-eviction::Deployment default/web: 100 %25 are evicted%0A<stdin>:2: begins it%0A./a,b:c.yaml:7: evicts them\n" +
				"::notice title=SEA1001 no-endless-eviction::Deployment default/web: ignored: in the baseline\n",
		},
		{
			"holds",
			finding.Report{Verdict: finding.Holds, Results: []finding.Result{{Name: "x", Verdict: finding.Holds}}, Bound: finding.Bound{Text: "1 node", Complete: true, States: 3, Depth: 1}},
			"::notice title=seatrial%3A holds::1 property up to this bound: 1 node (3 states, 1 step deep, all explored)\n",
		},
		{"inconclusive", finding.Report{
			Verdict: finding.Inconclusive, Reason: "a limit", Results: []finding.Result{{Name: "x", Subject: "s", Verdict: finding.Inconclusive, Reason: "a limit"}, {Name: "y", Subject: "s", Verdict: finding.Inconclusive, Reason: "an error"}},
			Omissions: []finding.Omission{{Name: "Job/x/y", Location: finding.Location{File: "j.yaml", Line: 1}, Reason: "not modelled", Blocking: true}, {Name: "z"}},
		}, "::warning title=seatrial%3A inconclusive::a limit. That is not a pass.\n" +
			"::warning file=j.yaml,line=1,title=left out of account::Job/x/y: not modelled\n" +
			"::warning title=y::s: inconclusive: an error\n"},
		{
			"undecided beside a violation",
			finding.Report{Verdict: finding.Violated, Bound: finding.Bound{Reason: "the search ended"}, Results: []finding.Result{
				{Name: "x", Subject: "s", Verdict: finding.Violated},
				{Name: "y", Subject: "s", Verdict: finding.Inconclusive, Reason: "the search ended"},
				{Name: "z", Subject: "s", Verdict: finding.Inconclusive, Reason: "a test is flaky"},
			}},
			"::error title=x::s violates x\n::warning title=z::s: inconclusive: a test is flaky\n",
		},
		{
			"seen, and not confirmed",
			finding.Report{Verdict: finding.Inconclusive, Reason: "no time", Results: []finding.Result{{
				Name: "twin", Subject: "s", Verdict: finding.Inconclusive, Message: "a is b", Reason: "no time", Causes: []finding.Cause{{Message: "look again"}},
			}}},
			"::warning title=seatrial%3A inconclusive::no time. That is not a pass.\n::warning title=twin%3A not confirmed::s: a is b%0Alook again\n",
		},
		{
			"no causes, no message",
			finding.Report{Verdict: finding.Violated, Results: []finding.Result{{Name: "mine", Subject: "s", Verdict: finding.Violated}}},
			"::error title=mine::s violates mine\n",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			if err := Write(&b, &c.report); err != nil {
				t.Fatal(err)
			}
			if b.String() != c.want {
				t.Errorf("got\n%s\nwant\n%s", &b, c.want)
			}
		})
	}
}

// TestNobodyElseCommands: whatever a manifest holds, it cannot begin a line.
func TestNobodyElseCommands(t *testing.T) {
	const bad = "x\n::add-mask::y\r\n::error::"
	r := &finding.Report{Verdict: finding.Violated, Reason: bad, Results: []finding.Result{
		{Name: bad, Subject: bad, Message: bad, Verdict: finding.Violated, Causes: []finding.Cause{{Location: finding.Location{File: bad, Line: 1}, Message: bad}}},
		{Name: bad, Subject: bad, Verdict: finding.Violated, Ignored: &finding.Ignored{By: finding.ByAnnotation, Reason: bad}},
	}}
	var b strings.Builder
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	r.Verdict, r.Results = finding.Inconclusive, []finding.Result{{Name: bad, Subject: bad, Verdict: finding.Inconclusive, Reason: bad + "2"}}
	r.Omissions = []finding.Omission{{Name: bad, Reason: bad, Location: finding.Location{File: bad}, Blocking: true}}
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != 5 || strings.Contains(b.String(), "\r") {
		t.Errorf("%d lines:\n%s", len(lines), &b)
	}
	for _, line := range lines {
		if !strings.HasPrefix(line, "::error ") && !strings.HasPrefix(line, "::warning ") && !strings.HasPrefix(line, "::notice ") {
			t.Errorf("%q", line)
		}
	}
}
