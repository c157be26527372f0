package campaign

import (
	"slices"
	"testing"
)

// An operator that goes by what it remembers does not know what to undo when it was started again.
func TestTakenBackBehindRestart(t *testing.T) {
	for _, restarts := range []bool{true, false} {
		one := made(&fake{operator: follows, anew: forgets}, "spec.text=sentinel-1 spec.text-")
		one.out.Plan.Sequences[0].Operations[1].Restarts = restarts
		if err := one.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		var want []string
		if restarts {
			want = []string{"twin spec.text: spec.text=sentinel-1 spec.text-"}
		}
		if got := told(one.out); !slices.Equal(got, want) {
			t.Errorf("restarts %t: found %q, want %q", restarts, got, want)
		}
	}
}
