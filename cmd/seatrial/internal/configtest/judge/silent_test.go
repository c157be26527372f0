package judge

import (
	"context"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestSilent: a variable of which is read what is read without it proves nothing, but for one that says just that.
func TestSilent(t *testing.T) {
	for _, tc := range []struct {
		value, read, without string
		proved               bool
	}{
		{"adult=52;child=26", "map[adult:50]", "map[adult:50]", false},
		{"adult=52,child=26", "map[adult:52 child:26]", "map[adult:50]", true},
		{"adult=50", "map[adult:50]", "map[adult:50]", true},
		{"1m", "1m0s", "1m0s", true},
		{"x", "30", "30", false},
	} {
		old := "old"
		c := choose.Change{
			Change: change.Change{Identity: change.Identity{Kind: change.Env, Path: "SHOP"}},
			Class:  &parameter.Class{ID: "env:SHOP", Aliases: []parameter.ID{"field:Options.Shop"}}, IDs: []parameter.ID{"env:SHOP"}, Old: &old, New: &tc.value,
		}
		b := &Bench{Changes: []choose.Change{c}, Workers: 1, Trial: func(_ context.Context, _ choose.Test, v choose.Values) (*run.Outcome, error) {
			read := "before"
			switch {
			case v[0] == nil:
				read = tc.without
			case *v[0] == tc.value:
				read = tc.read
			}
			return &run.Outcome{Ending: run.Passed, Events: []record.Event{{Verb: record.Read, Subject: "field:Options.Shop", Value: read, At: "a.go:1"}}}, nil
		}}
		out, err := b.All(t.Context(), []choose.Test{{Name: "TestShop", Reads: []int{0}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, proved := out[0].Proofs[0]; proved != tc.proved || (len(out[0].Silent) == 1) == proved {
			t.Errorf("%s, read as %s: proved %t, silent %v", tc.value, tc.read, proved, out[0].Silent)
		}
	}
}
