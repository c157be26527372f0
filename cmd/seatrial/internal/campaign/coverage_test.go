package campaign

import (
	"slices"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
)

// TestCoverage: what became of each case of each property.
func TestCoverage(t *testing.T) {
	one := made(&fake{operator: deaf}, "spec.size=2 spec.text=a spec.text=no", "spec.late=1")
	one.out.Plan.Covered = []operation.Covered{
		{Path: "spec.size", Type: "string", Cases: []string{"spec.size=2"}, Refused: map[string]string{"minus": "too small"}},
		{Path: "spec.text", Cases: []string{"spec.text=a", "spec.text=no", "spec.text=never"}},
		{Path: "spec.raw", Opaque: true, Why: "opaque"},
	}
	if err := one.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range one.out.coverage() {
		if p.Opaque {
			got = append(got, p.Property+": "+p.Why)
		}
		for _, c := range p.Cases {
			got = append(got, c.Name+": "+string(c.Fate)+" "+c.Reason)
		}
	}
	if want := []string{
		"spec.size=2: effective ", "minus: refused-by-schema too small",
		"spec.text=a: ineffective ", `spec.text=no: refused-by-server spec.text: "no"`, "spec.text=never: untried ",
		"spec.raw: opaque",
	}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
