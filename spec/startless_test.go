package spec

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// TestNoInitialState: what is claimed stays open where nothing satisfies the initial condition, and what claims nothing
// evaluates its assumptions, as models of the Toolbox without behaviours do.
func TestNoInitialState(t *testing.T) {
	const module = `---- MODULE M ----
EXTENDS Naturals
VARIABLE x
ASSUME 6 * 7 = 42
Init == FALSE /\ x = 0
Start == x = 5
Next == x' = x
Small == x < 3
Few == x < 2
====
`
	for config, want := range map[string]struct {
		verdict statespace.Verdict
		reason  string
	}{
		"INIT Init NEXT Next": {statespace.Holds, ""},
		"INIT Init NEXT Next INVARIANT Small CHECK_DEADLOCK FALSE": {statespace.Inconclusive, "no state satisfies the initial condition"},
		"INIT Init NEXT Next PROPERTY Small":                       {statespace.Inconclusive, "no state satisfies the initial condition"},
		"INIT Start NEXT Next CONSTRAINT Few":                      {statespace.Holds, ""},
		"INIT Start NEXT Next CONSTRAINT Few INVARIANT Few":        {statespace.Violated, ""},
		"INIT Start NEXT Next CONSTRAINT Few PROPERTY Few":         {statespace.Inconclusive, "no state that satisfies the initial condition is within the constraints"},
	} {
		folder := write(t, map[string]string{"M.tla": module, "M.cfg": config})
		s, err := Load(filepath.Join(folder, "M.tla"), "")
		if err != nil {
			t.Fatal(config, err)
		}
		r, err := s.Check(t.Context(), Options{})
		if err != nil {
			t.Errorf("%s: %v", config, err)
			continue
		}
		if last := r.Claims[len(r.Claims)-1]; r.Verdict() != want.verdict || !strings.HasPrefix(last.Reason, want.reason) {
			t.Errorf("%s: %d, %+v", config, r.Verdict(), last)
		}
	}
}
