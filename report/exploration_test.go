package report

import (
	"slices"
	"testing"

	"github.com/seatrial/seatrial/finding"
)

func TestActions(t *testing.T) {
	got := Actions([]finding.ActionCount{
		{Name: "Tick", Location: finding.Location{File: "deep/Clock.tla", Line: 7}, Steps: 1234, New: 1}, {Name: "Stop"},
	})
	if want := []string{"Tick: 1,234 steps, to 1 new state (Clock.tla:7)", "Stop: never taken"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestGrowth(t *testing.T) {
	values := []finding.ValueCount{{Name: "log", Count: 5000}, {Name: "pc", Count: 3}}
	for _, c := range []struct {
		levels  []int
		partial bool
		want    []string
	}{
		{nil, false, nil},
		{[]int{1}, false, []string{"states at each depth: 1", "different values: log 5,000"}},
		{[]int{1, 2, 4, 8, 16}, false, []string{"states at each depth: 1, 2, 4, 8, 16; each has 2.00 times those of the one before, and there is no end in sight", "different values: log 5,000"}},
		{[]int{1, 9, 9, 9, 9, 9, 9, 9, 9, 9}, false, []string{"states at depths 2 to 9: 9, 9, 9, 9, 9, 9, 9, 9; each has as many as the one before", "different values: log 5,000"}},
		{[]int{2, 4, 8, 1}, true, []string{"states at each depth: 2, 4, 8, 1 so far; each has 2.00 times those of the one before, and there is no end in sight", "different values: log 5,000"}},
		{[]int{5}, true, []string{"states at each depth: 5 so far", "different values: log 5,000"}},
		{[]int{81, 27, 9, 3, 1}, false, []string{"states at each depth: 81, 27, 9, 3, 1; each has 0.33 times those of the one before", "different values: log 5,000"}},
	} {
		if got := Growth(&finding.Growth{Levels: c.levels, Partial: c.partial, Values: values}, 1); !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, want %q", c.levels, got, c.want)
		}
	}
}
