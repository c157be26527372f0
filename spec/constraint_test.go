package spec

import (
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// TestConstraints: constraints keep states from being explored, not from being looked at. TLC says the same of each.
func TestConstraints(t *testing.T) {
	for _, tt := range []struct {
		name, init, cfg string
		want            statespace.Verdict
	}{
		{"a step out of a constraint", "x = 0", "CONSTRAINT Small PROPERTY Stays", statespace.Violated},
		{"a state beyond an action constraint", "x = 0", "ACTION_CONSTRAINT Little INVARIANT Small", statespace.Violated},
		{"an initial state beyond a constraint", `x \in {0, 7}`, "CONSTRAINT Small INVARIANT NotSeven", statespace.Violated},
		{"a step beyond an action constraint", "x = 0", "ACTION_CONSTRAINT Little PROPERTY Stays", statespace.Violated},
		{"nothing of it", "x = 0", "CONSTRAINT Small INVARIANT NotSeven", statespace.Holds},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder := write(t, map[string]string{
				"M.tla": "---- MODULE M ----\nEXTENDS Naturals\nVARIABLE x\nInit == " + tt.init + "\nNext == x' = x + 1\nSmall == x < 3\nLittle == x' < 3\nNotSeven == x # 7\nStays == [][x' < 3]_x\n====\n",
				"M.cfg": "INIT Init NEXT Next CHECK_DEADLOCK FALSE " + tt.cfg,
			})
			s, err := Load(filepath.Join(folder, "M.tla"), "")
			if err != nil {
				t.Fatal(err)
			}
			if r, err := s.Check(t.Context(), Options{}); err != nil || r.Verdict() != tt.want {
				t.Errorf("%v: %+v", err, r.Claims)
			}
		})
	}
}
