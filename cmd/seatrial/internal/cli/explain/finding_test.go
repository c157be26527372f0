package explain

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
)

// several has two violations that count, one that does not, and one property without
// a verdict.
var several = []finding.Result{
	{Rule: "SEA1002", Name: "drain-completes", Subject: "every node", Verdict: finding.Violated, Ignored: &finding.Ignored{By: finding.ByBaseline}},
	{Rule: "SEA1006", Name: "pods-run", Subject: "Deployment default/a", Verdict: finding.Holds},
	{Rule: "SEA1006", Name: "pods-run", Subject: "Deployment default/b", Verdict: finding.Violated},
	{Rule: "SEA1006", Name: "pods-run", Subject: "Deployment default/c", Verdict: finding.Violated},
	{Name: "mine", Subject: "the cluster", Verdict: finding.Inconclusive},
}

// TestPick: each way to name a finding leads to one, or says which there are.
func TestPick(t *testing.T) {
	prints := finding.Fingerprints(several)
	for which, want := range map[string]int{
		"1": 2, "2": 3, "3": 0, "01": 2, "SEA1002": 0, "sea1002": 0, "drain-completes": 0, "mine": 4,
		prints[3]: 3, prints[3][:6]: 3, strings.ToUpper(prints[1]): 1,
	} {
		if got, err := pick(several, which); err != nil || got != want {
			t.Errorf("%s: %d, %v, want %d", which, got, err, want)
		}
	}
	for which, want := range map[string]string{
		"0": "there is no finding 0: it has #1 to #3", "4": "there is no finding 4: it has #1 to #3", "": `there is no finding "": `, "-1": `there is no finding "-1": `,
		"SEA1006": "SEA1006 is said of several: #1, #2", prints[3][:3] + "x": "there is no finding", "99999": "there is no finding",
	} {
		if got, err := pick(several, which); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %d, %v, want %s", which, got, err, want)
		}
	}
	twice := []finding.Result{{Name: "mine", Subject: "a"}, {Name: "mine", Subject: "b"}}
	if _, err := pick(twice, "mine"); err == nil || !strings.HasSuffix(err.Error(), "#"+finding.Fingerprints(twice)[1]) {
		t.Error(err)
	}
}

// FuzzPick: whatever stands behind the #, it is one of the results or an error in one
// line.
func FuzzPick(f *testing.F) {
	for _, which := range []string{"1", "SEA1006", "mine", "c559", "", "\x00", "-2"} {
		f.Add(which)
	}
	f.Fuzz(func(t *testing.T, which string) {
		i, err := pick(several, which)
		switch {
		case err == nil && (i < 0 || i >= len(several)):
			t.Errorf("%q: %d", which, i)
		case err != nil && err.Error() == "":
			t.Errorf("%q: it does not say why", which)
		}
		if n, err := pick(nil, which); err == nil {
			t.Errorf("%q: finding %d of none", which, n)
		}
	})
}
