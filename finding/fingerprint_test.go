package finding

import (
	"slices"
	"testing"

	"github.com/seatrial/seatrial/trace"
)

func TestFingerprintIsOfRulePropertyAndObject(t *testing.T) {
	base := Result{Rule: "SEA1001", Name: "no-endless-eviction", Subject: "Deployment default/web", Verdict: Violated}
	same, others := base, []Result{base, base, base, base}
	same.Verdict, same.Message, same.Trace = Holds, "another", &trace.Trace{Steps: []trace.Step{{Action: "x"}}}
	others[0].Rule = "SEA1002"
	others[1].Name = "no-endless-evictionD"
	others[1].Subject = "eployment default/web"
	others[2].Subject = "Deployment default/api"
	others[3].Rule, others[3].Name = "", "SEA1001no-endless-eviction"
	want := Fingerprints([]Result{base})[0]
	if got := Fingerprints([]Result{same})[0]; got != want {
		t.Errorf("the verdict or the trace changed it: %s, %s", got, want)
	}
	for _, o := range others {
		if got := Fingerprints([]Result{o})[0]; got == want || len(got) != 2*fingerprintBytes {
			t.Errorf("%+v: %s", o, got)
		}
	}
	// A baseline of an earlier version goes on to be understood.
	if want != "c55976dcf813f658a7b68c7ceb0f2e4f" {
		t.Errorf("fingerprints have changed: %s", want)
	}
}

// TestFingerprintsAreUnique: a scenario may ask a rule of one workload twice.
func TestFingerprintsAreUnique(t *testing.T) {
	a, b := Result{Rule: "SEA1004", Subject: "x"}, Result{Rule: "SEA1006", Subject: "x"}
	got := Fingerprints([]Result{a, b, a, a})
	want := []string{got[0], got[1], got[0] + "-2", got[0] + "-3"}
	if got[0] == got[1] || !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
