package campaign

import (
	"slices"
	"strconv"
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

// What an operator does by chance when it is started again comes again if it is looked for more than once, and is
// confirmed if it does at all.
func TestChance(t *testing.T) {
	starts := 0
	lab := &fake{operator: follows, restarts: func(int) string {
		if starts++; starts%3 != 2 {
			return ""
		}
		return strconv.Itoa(starts)
	}}
	one := made(lab, "spec.size=2")
	if err := one.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := told(one.out), []string{"restart :"}; !slices.Equal(got, want) || !one.out.Findings[0].Confirmed() {
		t.Errorf("found %q, want %q", got, want)
	}
}
