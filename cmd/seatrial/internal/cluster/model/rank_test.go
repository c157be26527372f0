package model

import (
	"fmt"
	"testing"
)

// TestSetsAreRankedByBirth: only the order of the sets that were created counts.
func TestSetsAreRankedByBirth(t *testing.T) {
	w := &Workload{Sets: make([]Set, 4)}
	for _, step := range []struct {
		bear, bury int
		want       string
	}{
		{bear: 2, bury: -1, want: "[0 0 1 0]"},
		{bear: 1, bury: -1, want: "[0 2 1 0]"},
		{bear: 3, bury: 2, want: "[0 1 0 2]"},
		{bear: 1, bury: -1, want: "[0 2 0 1]"}, // made anew
		{bear: 2, bury: 3, want: "[0 1 2 0]"},
	} {
		w.Bear(uint8(step.bear))
		if step.bury >= 0 {
			w.Bury(uint8(step.bury))
		}
		var got []uint8
		for _, s := range w.Sets {
			got = append(got, s.Born)
		}
		if fmt.Sprint(got) != step.want {
			t.Fatalf("create %d, take away %d: %v, want %s", step.bear, step.bury, got, step.want)
		}
	}
}
