package finding

import (
	"slices"
	"testing"
)

func TestFindRule(t *testing.T) {
	rules := []Rule{{ID: "SEA1001", Name: "one"}, {ID: "SEA1002", Name: "two"}}
	for name, want := range map[string]string{"SEA1002": "SEA1002", "sea1002": "SEA1002", "two": "SEA1002", "one": "SEA1001", "Two": "", "SEA100": "", "": ""} {
		got := ""
		if r := FindRule(rules, name); r != nil {
			got = r.ID
		}
		if got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if r := FindRule([]Rule{{ID: "SEA1001"}}, "one"); r != nil {
		t.Errorf("%+v", r)
	}
}

// TestNumbered: the numbers are those of a text that shows every violation, and what
// is ignored comes behind.
func TestNumbered(t *testing.T) {
	results := []Result{{Verdict: Violated, Ignored: &Ignored{}}, {Verdict: Holds}, {Verdict: Violated}, {Verdict: Inconclusive}, {Verdict: Violated}}
	if got := Numbered(results); !slices.Equal(got, []int{2, 4, 0}) {
		t.Error(got)
	}
	if got := Numbered(nil); len(got) != 0 {
		t.Error(got)
	}
}

// TestCommandsOfHistories: a rule about histories names the option that reads them.
func TestCommandsOfHistories(t *testing.T) {
	r := Rule{Trial: "spec", Fails: "examples/a/bad.jsonl", Holds: "examples/a/good.jsonl"}
	fails, holds := r.Commands()
	if fails != "seatrial spec --history=examples/a/bad.jsonl examples/a/Observed.tla" || holds != "seatrial spec --history=examples/a/good.jsonl examples/a/Observed.tla" || r.Example() != "history" {
		t.Errorf("%s, %s: %s", r.Example(), fails, holds)
	}
}
