package report

import (
	"slices"
	"testing"

	"github.com/seatrial/seatrial/finding"
)

// TestCoverage: a property of which nothing has an effect is told apart from a case that has none.
func TestCoverage(t *testing.T) {
	cases := func(fates ...finding.Fate) (all []finding.CoveredCase) {
		for _, f := range fates {
			all = append(all, finding.CoveredCase{Name: "c-" + string(f), Fate: f})
		}
		return all
	}
	all := []finding.Covered{
		{Property: "spec.a", Cases: cases(finding.Effective, finding.Ineffective)},
		{Property: "spec.dead", Cases: cases(finding.Ineffective, finding.Ineffective, finding.RefusedBySchema)},
		{Property: "spec.no", Cases: cases(finding.RefusedByServer, finding.Untried)},
		{Property: "spec.raw", Opaque: true},
		{Property: "spec.odd", Opaque: true},
		{Property: "spec.late", Cases: cases(finding.Untried)},
	}
	want := []string{
		"3 of 6 properties tried by themselves, with 8 cases: 1 had an effect, 3 had none, the schema refuses 1, the API server or a webhook 1, there was no time for 2",
		"no case has an effect of: spec.dead",
		"some cases have none, others do, of: spec.a: c-ineffective",
		"the schema does not say what is in (give values, kinds or examples): spec.raw and 1 more",
	}
	if got := Coverage(all, 1); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := Coverage(nil, 1); got != nil {
		t.Errorf("%q", got)
	}
}
