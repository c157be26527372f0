package campaign

import (
	"slices"
	"testing"

	"github.com/seatrial/seatrial/history"
)

// TestSuspended: an operator that hands on what is to pause when it makes its object, and not later, is found.
func TestSuspended(t *testing.T) {
	for _, forgets := range []bool{true, false} {
		one := made(&fake{operator: func(spec map[string]any, old history.Object) map[string]any {
			data := follows(spec, old)
			if now, had := old.At("data").(map[string]any); had && forgets {
				delete(data, "suspend")
				if was, had := now["suspend"]; had {
					data["suspend"] = was
				}
			}
			return data
		}}, "spec.size=2 spec.suspend=true spec.suspend-!")
		on := one.out.Plan.Sequences[0].Operations[1]
		on.Misoperation, on.Pauses = true, true
		if err := one.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		var want []string
		if forgets {
			want = []string{"twin spec.suspend: spec.suspend=true"}
		}
		if got := told(one.out); !slices.Equal(got, want) {
			t.Errorf("it forgets: %t: found %q, want %q", forgets, got, want)
		}
	}
}
