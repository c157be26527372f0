package configtest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
	"github.com/seatrial/seatrial/finding"
)

// TestSecretsInReports: whatever a test says of a secret, and whichever way its verdict goes, a report has none.
func TestSecretsInReports(t *testing.T) {
	for _, secrets := range [][2]string{{"hunter1", "hunter2"}, {"q1", "q2"}} {
		before, _ := change.Parse("a.yaml", []byte("dbPassword: "+secrets[0]+"\n"))
		after, err := change.Parse("a.yaml", []byte("dbPassword: "+secrets[1]+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		m := &parameter.Map{Parameters: []parameter.Class{{ID: "viper:dbpassword"}}}
		changes := choose.Link(m, change.Between(before, after), before, after)
		says := "=== RUN   TestA\n    a_test.go:7: it is " + secrets[1] + ", and was " + secrets[0] + "\n--- FAIL: TestA (0.00s)\n"
		failed := &run.Outcome{Ending: run.Failed, Output: says, Events: []record.Event{{Verb: record.Gave, Subject: "viper:dbpassword", At: "it is no number: " + secrets[1]}}}
		test := choose.Test{Package: ".", Name: "TestA", Reads: []int{0}}
		culprit := judge.Culprit{Changes: []int{0}, Outcome: failed, Proofs: map[int]judge.Proof{0: {Value: secrets[1], At: "a.go:1"}}}
		hard := culprit
		hard.HardCoded, hard.Tried = true, []string{secrets[1] + "-other"}
		for name, judged := range map[string]*judge.Judged{
			"violated":   {Test: test, Culprits: []judge.Culprit{culprit}},
			"hard-coded": {Test: test, Culprits: []judge.Culprit{hard}},
			"excluded":   {Test: test, Excluded: "it fails with the old values, too: " + judge.Says(failed)},
			"holds":      {Test: test, Proofs: map[int]judge.Proof{0: {Value: secrets[1]}}},
		} {
			out := &Outcome{Changes: changes, Tests: []*judge.Judged{judged}, All: 1, start: &start{
				command: ".", before: &run.Started{Stays: true}, after: &run.Started{Ended: "exited with code 1", Outcome: run.Outcome{Output: "wrong: " + secrets[1]}},
			}}
			text, err := json.Marshal(out.Report(""))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), secrets[0]) || strings.Contains(string(text), secrets[1]) {
				t.Errorf("%s: the report says %s", name, text)
			}
		}
	}
}

// TestSecretsBeside: what does not change is a secret, too.
func TestSecretsBeside(t *testing.T) {
	before, _ := change.Parse("a.yaml", []byte("port: 1\ndbPassword: hunter2\n"))
	after, err := change.Parse("a.yaml", []byte("port: 2\ndbPassword: hunter2\n"))
	if err != nil {
		t.Fatal(err)
	}
	m := &parameter.Map{Parameters: []parameter.Class{{ID: "viper:port"}, {ID: "viper:dbpassword"}}}
	changes := choose.Link(m, change.Between(before, after), before, after)
	out := &Outcome{Changes: changes, Around: choose.Around(m, changes, before, after), All: 1, Tests: []*judge.Judged{{
		Test: choose.Test{Package: ".", Name: "TestA", Reads: []int{0}},
	}}}
	if len(out.Around) != 1 || len(changes) != 1 {
		t.Fatalf("%d changes beside %d others", len(changes), len(out.Around))
	}
	out.Tests[0].Culprits = []judge.Culprit{{Changes: []int{0}, Beside: out.Around, Outcome: &run.Outcome{Ending: run.Failed, Output: "    a_test.go:7: hunter2 is refused\n"}}}
	text, err := json.Marshal(out.Report(""))
	if err != nil || strings.Contains(string(text), "hunter2") || !strings.Contains(string(text), "dbPassword: (secret) does not change") {
		t.Errorf("the report says %s, %v", text, err)
	}
}

// TestSecretsInside: a list has secrets in it, beside what changes or behind what changes first.
func TestSecretsInside(t *testing.T) {
	for _, now := range []string{"6s, password: hunter22", "6s, password: hunter33", "5s, password: hunter33"} {
		before, _ := change.Parse("a.yaml", []byte("backends: [{name: a, timeout: 5s, password: hunter22}]\n"))
		after, err := change.Parse("a.yaml", []byte("backends: [{name: a, timeout: "+now+"}]\n"))
		if err != nil {
			t.Fatal(err)
		}
		m := &parameter.Map{Parameters: []parameter.Class{{ID: "field:Config.backends", Type: "[]Backend"}}, Types: []parameter.ID{"field:Config"}}
		changes := choose.Link(m, change.Between(before, after), before, after)
		if len(changes) != 1 || changes[0].New == nil {
			t.Fatalf("changes are %+v", changes)
		}
		test := choose.Test{Package: ".", Name: "TestA", Reads: []int{0}}
		proof := judge.Proof{Value: "[{a " + now[:2] + " " + strings.Fields(now)[2] + "}]", At: "a.go:1"}
		failed := &run.Outcome{Ending: run.Failed, Output: "    a_test.go:7: no\n"}
		culprit := judge.Culprit{Changes: []int{0}, Outcome: failed, Proofs: map[int]judge.Proof{0: proof}}
		hard := culprit
		hard.HardCoded, hard.Tried = true, []string{*changes[0].New, *changes[0].Old}
		out := &Outcome{Changes: changes, All: 2, secrets: change.Credible(append(before, after...)), Tests: []*judge.Judged{
			{Test: test, Culprits: []judge.Culprit{culprit}}, {Test: test, Culprits: []judge.Culprit{hard}},
		}}
		same := choose.Link(m, change.Between(nil, after), nil, after)
		tried := func(fate judge.Fate) judge.Tried {
			return judge.Tried{Candidate: value.Candidate{Text: *changes[0].New, Kind: value.Invalid}, Fate: fate, Test: test, Outcome: failed, Proof: proof}
		}
		made := &Generation{Parameters: same, secrets: out.secrets, Tried: []*judge.Generated{{Tried: []judge.Tried{tried(judge.Dormant), tried(judge.Silent), tried(judge.Doubtful)}}}}
		for _, r := range []*finding.Report{out.Report(""), made.Report("")} {
			text, err := json.Marshal(r)
			if err != nil || strings.Contains(string(text), "hunter") {
				t.Errorf("%s: the report says %s, %v", now, text, err)
			}
		}
		if known := facts(nil).about(same[0], nil, nil).Known; known != "" {
			t.Errorf("values are made of %s", known)
		}
	}
}

// TestNoTurn: who is interrupted before anything is known does not hear that nothing differs.
func TestNoTurn(t *testing.T) {
	if r := (&Outcome{Interrupted: true}).Report(""); r.Verdict != finding.Inconclusive || r.Bound.Text != "no test was run" {
		t.Errorf("%s, %s", r.Verdict, r.Bound.Text)
	}
}

// TestDoubted: that tests fail with texts that are made up, too, does not show that the new value is one that the
// program takes.
func TestDoubted(t *testing.T) {
	before, _ := change.Parse("a.yaml", []byte("state: new\n"))
	after, err := change.Parse("a.yaml", []byte("state: newer\n"))
	if err != nil {
		t.Fatal(err)
	}
	changes := choose.Link(&parameter.Map{Parameters: []parameter.Class{{ID: "viper:state"}}}, change.Between(before, after), before, after)
	test := choose.Test{Package: ".", Name: "TestA", Reads: []int{0}}
	passes := &judge.Judged{Test: test, Proofs: map[int]judge.Proof{0: {Value: "newer"}}}
	fails := func(tried ...string) *judge.Judged {
		return &judge.Judged{Test: test, Culprits: []judge.Culprit{{Changes: []int{0}, Outcome: &run.Outcome{Ending: run.Failed}, HardCoded: true, Tried: tried}}}
	}
	for name, c := range map[string]struct {
		tests []*judge.Judged
		want  finding.Verdict
	}{
		"one asserts the default":  {[]*judge.Judged{passes, fails("new-other", "other")}, finding.Holds},
		"most fail":                {[]*judge.Judged{passes, fails("new-other", "other"), fails(`"new-other"`, `"other"`)}, finding.Inconclusive},
		"most fail with valid one": {[]*judge.Judged{passes, fails("existing"), fails("existing")}, finding.Holds},
	} {
		out := &Outcome{Changes: changes, Tests: c.tests, All: len(c.tests)}
		if r := out.Report(""); r.Verdict != c.want {
			t.Errorf("%s: %s, want %s: %+v", name, r.Verdict, c.want, r.Results)
		}
	}
}

// TestDoubtedUnit: where the new value looks like the old one in another unit, a test that fails with it, as with every
// other value, may be right.
func TestDoubtedUnit(t *testing.T) {
	test := choose.Test{Package: ".", Name: "TestA", Reads: []int{0}}
	for _, tc := range []struct {
		now  string
		hard bool
		want finding.Verdict
	}{
		{"19", true, finding.Inconclusive},
		{"19", false, finding.Holds},
		{"0.21", true, finding.Holds},
	} {
		before, _ := change.Parse("a.yaml", []byte("vat: 0.19\n"))
		after, err := change.Parse("a.yaml", []byte("vat: "+tc.now+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		changes := choose.Link(&parameter.Map{Parameters: []parameter.Class{{ID: "viper:vat"}}}, change.Between(before, after), before, after)
		out := &Outcome{Changes: changes, Tests: []*judge.Judged{{Test: test, Proofs: map[int]judge.Proof{0: {Value: tc.now}}}}, All: 2}
		if tc.hard {
			out.Tests = append(out.Tests, &judge.Judged{Test: test, Culprits: []judge.Culprit{{Changes: []int{0}, Outcome: &run.Outcome{Ending: run.Failed}, HardCoded: true, Tried: []string{"0.38"}}}})
		}
		if r := out.Report(""); r.Verdict != tc.want {
			t.Errorf("0.19, then %s, beside a test that is hard-coded (%t), is %s, want %s: %+v", tc.now, tc.hard, r.Verdict, tc.want, r.Results)
		}
	}
}

// TestUnknownToItems: of a key of an item that the item's type does not have, no code is known that reads it, whatever
// tests set.
func TestUnknownToItems(t *testing.T) {
	now := "300"
	leaf := choose.Leaf{IDs: []parameter.ID{"field:Route.timeout"}, New: &now}
	for want, leaves := range map[string][]choose.Leaf{
		"no code is known that reads it: what is read there has no such key": {{New: &now}, {Old: &now}},
		"overridden by the test: TestA":                                      {{New: &now}, leaf},
	} {
		test := choose.Test{Package: ".", Name: "TestA", Sets: []int{0}}
		out := &Outcome{Changes: []choose.Change{{Class: &parameter.Class{ID: "field:Config.routes"}, Leaves: leaves}}, Tests: []*judge.Judged{{Test: test}}, All: 1}
		if r := out.Report("").Results[0]; r.Reason != want {
			t.Errorf("%q, want %q", r.Reason, want)
		}
	}
}

// TestNotRun: of a change that is not decided, as of one that holds, the report says how many tests that read it were
// left out, and how they are run.
func TestNotRun(t *testing.T) {
	test := choose.Test{Package: ".", Name: "TestA", Reads: []int{0}}
	for want, judged := range map[string]*judge.Judged{
		"1 test passes with it; 6 more that read it were not run":                                                                                      {Test: test, Proofs: map[int]judge.Proof{0: {Value: "1"}}},
		"no read of the new value was seen: TestA; 6 more that read it were not run (--all-tests)":                                                     {Test: test, Unproved: []int{0}},
		"no read of the new value was seen: TestA (it is skipped then, or its process ends before it); 6 more that read it were not run (--all-tests)": {Test: test, Unproved: []int{0}, Skips: true},
	} {
		out := &Outcome{Changes: []choose.Change{{Class: &parameter.Class{ID: "viper:port"}}}, Tests: []*judge.Judged{judged}, All: 7, Left: []choose.Left{{Change: 0, Run: 1, All: 7}}}
		if r := out.Report("").Results[0]; r.Message+r.Reason != want {
			t.Errorf("%q, want %q", r.Message+r.Reason, want)
		}
	}
}

// TestPartsOfSecretsStay: what a test says of one part of a map is not shown either.
func TestPartsOfSecretsStay(t *testing.T) {
	before, _ := change.Parse("a.env", []byte("LABELS=team=core,api_token=hunter1\n"))
	after, err := change.Parse("a.env", []byte("LABELS=team=core,api_token=hunter22,hunter3\n"))
	if err != nil {
		t.Fatal(err)
	}
	out := &Outcome{Changes: choose.Link(&parameter.Map{}, change.Between(before, after), before, after)}
	if got, want := out.masked(`label "hunter3" of core`), `label "(secret)" of core`; got != want {
		t.Errorf("it is %s, want %s", got, want)
	}
}

// TestSecretsAsTheyAreSaid: a program may say a secret in other forms than it was given, and it may have read it in the
// whole file.
func TestSecretsAsTheyAreSaid(t *testing.T) {
	secret := "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData:\n"
	for _, c := range []struct{ file, says, want string }{
		{secret + "  k: |\n    hunter2\n", "it is hunter2", "it is (secret)"},
		{secret + "  k: |\n    first line\n    second line\n", "it is second line", "it is (secret)"},
		{secret + "  k: \"hunter\\t2<\"\n", `it is "hunter\t2<", "hunter\t2\u003c", hunter%092%3C and aHVudGVyCTI8`, `it is "(secret)", "(secret)", (secret) and (secret)`},
		{"url: postgres://u:hunter%2F2@h/d\n", "user u, password hunter/2, or hunter%2F2", "user u, password (secret), or (secret)"},
		{"url: postgres://u:hunt,er/2@h/d\n", "password hunt,er/2", "password (secret)"},
		{"url: https://h/?access_token=hunter2&a=b\n", "token hunter2", "token (secret)"},
		{"headers: {Authorization: Bearer hunter2}\n", "token hunter2 of Bearer", "token (secret) of Bearer"},
		{"passwords: [hunter2, 'hunter\"3']\n", "hunter2 and hunter\"3", "(secret) and (secret)"},
		{"tokens: {a: hunter2, b: hunter2-and-more}\n", "it is hunter2-and-more, not hunter2", "it is (secret), not (secret)"},
		{"password: secret\nother: {token: mark}\n", "secret mark", "(secret) (secret)"},
		{"command: [sh, -c, \"serve --db-pass 'hunter2' --port 8\"]\n", "hunter2 on 8", "(secret) on 8"},
		{"dsn: u:hunter2@tcp(db:3306)/x\n", "u has hunter2", "u has (secret)"},
		{"password: x7\n", "it is x7", "what it says may have a secret in it"},
		{"password: {min: 8, on: true, of: 1s}\n", "8 of true, 1s", "8 of true, 1s"},
	} {
		settings, err := change.Parse("a.yaml", []byte(c.file))
		if err != nil {
			t.Fatal(err)
		}
		out := &Outcome{secrets: change.Credible(settings)}
		for _, s := range settings {
			out.Around = append(out.Around, choose.Change{Change: change.Change{Identity: s.Identity, Old: &s.Value, New: &s.Value}, Unchanged: true})
		}
		if got := out.masked(c.says); got != c.want {
			t.Errorf("%s: it says %s, want %s", c.file, got, c.want)
		}
	}
}

// TestAnotherWay: a time that becomes a number, and is read as so many nanoseconds, is not what was meant, and a
// library that is asked for a key gives 0 for what is none.
func TestAnotherWay(t *testing.T) {
	test := choose.Test{Package: ".", Name: "TestA", Reads: []int{0}}
	for _, tc := range []struct {
		old, now, read string
		ids            []parameter.ID
		want           finding.Verdict
	}{
		{"30s", "300", "300ns", []parameter.ID{"viper:wait", "field:Config.wait"}, finding.Violated},
		{"30s", "300", "5m0s", []parameter.ID{"viper:wait", "field:Config.wait"}, finding.Holds},
		{"30s", "60s", "1m0s", []parameter.ID{"viper:wait"}, finding.Holds},
		{"30s", "60", "60", []parameter.ID{"viper:wait"}, finding.Inconclusive},
		{"4", "many", "many", []parameter.ID{"koanf:wait", "env:WAIT"}, finding.Inconclusive},
		{"4", "many", "0", []parameter.ID{"koanf:wait"}, finding.Violated},
		{"4", "auto", "-1", []parameter.ID{"koanf:wait", "field:Config.wait"}, finding.Holds},
	} {
		before, _ := change.Parse("a.yaml", []byte("wait: "+tc.old+"\n"))
		after, err := change.Parse("a.yaml", []byte("wait: "+tc.now+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		changes := choose.Link(&parameter.Map{Parameters: []parameter.Class{{ID: tc.ids[0], Aliases: tc.ids[1:]}}}, change.Between(before, after), before, after)
		out := &Outcome{Changes: changes, Tests: []*judge.Judged{{Test: test, Proofs: map[int]judge.Proof{0: {Value: tc.read}}}}, All: 1}
		if r := out.Report(""); r.Verdict != tc.want {
			t.Errorf("%s, then %s, read as %s, is %s, want %s", tc.old, tc.now, tc.read, r.Verdict, tc.want)
		}
	}
}
