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

// TestAsked: that a variable is asked for shows that it is read only where that is all that can be seen: what it is
// handed on to has reads of its own.
func TestAsked(t *testing.T) {
	for name, tc := range map[string]struct {
		aliases []parameter.ID
		events  []record.Event
		proved  bool
	}{
		"of a library": {nil, nil, true},
		"two names":    {[]parameter.ID{"env:OLD_WORKERS"}, nil, true},
		"of a field":   {[]parameter.ID{"field:Config.Workers"}, nil, false},
		"of a flag":    {[]parameter.ID{"flag:--workers"}, nil, false},
		"handed on":    {nil, []record.Event{{Verb: record.Hand, Subject: "env:WORKERS", Value: "flag:--workers"}}, false},
	} {
		old, now := "4", "0"
		c := choose.Change{
			Change: change.Change{Identity: change.Identity{Kind: change.Env, Path: "WORKERS"}},
			Class:  &parameter.Class{ID: "env:WORKERS", Aliases: tc.aliases}, IDs: []parameter.ID{"env:WORKERS"}, Old: &old, New: &now,
		}
		b := &Bench{Changes: []choose.Change{c}, Workers: 1, Trial: func(context.Context, choose.Test, choose.Values) (*run.Outcome, error) {
			return &run.Outcome{Ending: run.Passed, Variables: []string{"WORKERS"}, Events: tc.events}, nil
		}}
		out, err := b.All(t.Context(), []choose.Test{{Name: "TestQueue", Loads: []int{0}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, proved := out[0].Proofs[0]; proved != tc.proved {
			t.Errorf("%s: proved %t", name, proved)
		}
	}
}
