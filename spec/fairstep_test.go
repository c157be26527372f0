package spec

import (
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// TestFairSteps: a step of one action counts for another one that could be the same step, and not for one that would
// leave alone what it changes. The verdicts are TLC's.
func TestFairSteps(t *testing.T) {
	const module = `---- MODULE M ----
EXTENDS Naturals
VARIABLES x, y
vars == <<x, y>>
Init == x = 0 /\ y = 0
A == x = 0 /\ x' = 1 /\ UNCHANGED y
B == x = 0 /\ x' \in {1, 2} /\ UNCHANGED y
Both == x = 0 /\ x' = 1 /\ y' = y
Turn == x # 0 /\ x' = 0 /\ y' = 1 - y
Next == B \/ Turn
Begin == Init /\ [][Next]_vars /\ WF_vars(Turn)
Strong == Begin /\ SF_vars(A)
Weak == Begin /\ WF_vars(A)
Other == Begin /\ SF_vars(Both)
Part == Begin /\ SF_y(A) /\ WF_vars(B)
Ones == []<>(x = 1)
Turns == []<>(y = 1)
====
`
	for _, c := range []struct {
		cfg  string
		want statespace.Verdict
	}{
		{"SPECIFICATION Strong PROPERTY Ones", statespace.Holds},
		{"SPECIFICATION Weak PROPERTY Ones", statespace.Violated},
		{"SPECIFICATION Other PROPERTY Ones", statespace.Holds},
		{"SPECIFICATION Part PROPERTY Ones", statespace.Violated},
		{"SPECIFICATION Part PROPERTY Turns", statespace.Holds},
		{"SPECIFICATION Begin PROPERTY Turns", statespace.Violated},
	} {
		folder := write(t, map[string]string{"M.tla": module, "M.cfg": c.cfg})
		s, err := Load(filepath.Join(folder, "M.tla"), "")
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Check(t.Context(), Options{})
		if err != nil || r.Verdict() != c.want {
			t.Errorf("%s: %v, verdict %d; want %d", c.cfg, err, r.Verdict(), c.want)
		}
	}
}
