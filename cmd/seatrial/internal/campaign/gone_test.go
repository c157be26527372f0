package campaign

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/finding"
)

// TestGone: what did not come again is named, as far as these are few, so that somebody can look at it.
func TestGone(t *testing.T) {
	of := func(property, text string) *Finding {
		f := &Finding{Deviations: []oracle.Deviation{{Oracle: "twin", Text: text}}}
		if property != "" {
			f.Operations = []*operation.Operation{{Property: property}}
		}
		return f
	}
	instead := of("spec.c", "c stays")
	instead.instead = []string{"d is missing", "e is missing"}
	out := &Outcome{Gone: []*Finding{of("spec.a", "a stays"), of("", "b stays"), instead, of("spec.d", "d stays"), of("spec.e", "e stays")}}
	want := []finding.Warning{
		{Message: "what twin saw of spec.a did not come again when that was repeated, and is not reported: a stays"},
		{Message: "what twin saw of the seed did not come again when that was repeated, and is not reported: b stays"},
		{Message: "what twin saw of spec.c did not come again when that was repeated, and is not reported: c stays; then it was so that d is missing"},
		{Message: "so it is with 2 more"},
	}
	if diff := cmp.Diff(want, out.gone()); diff != "" {
		t.Error(diff)
	}
}
