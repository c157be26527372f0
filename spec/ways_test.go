package spec

import (
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// TestStepsAreCountedAsTLCDoes has the numbers that TLC says of the same models.
func TestStepsAreCountedAsTLCDoes(t *testing.T) {
	const begins = `---- MODULE M ----
EXTENDS Naturals
VARIABLES x, s
Two(n) == n = 1 \/ n < 3
Handed(P) == P
Init == x \in 0..2 /\ s = {1, 2, 3}
`
	for _, c := range []struct {
		next                string
		generated, distinct int
	}{
		{`x < 5 /\ (\E i \in s : i > x - 2) /\ x' = x + 1 /\ UNCHANGED s`, 15, 6},
		{`Two(x) /\ x' = 0 /\ s' = {}`, 8, 4},
		{`(TRUE \/ x = 0) /\ x' = 0 /\ UNCHANGED s`, 7, 3},
		{`(IF x > 2 THEN x = 3 \/ x = 4 \/ x > 0 ELSE TRUE) /\ ~(x = 1 \/ x = 2) /\ x' = 1 /\ s' \in {{1}, {2}}`, 5, 5},
		{`(\E i, j \in s : i # j) /\ (LET y == x IN y > 0 \/ \E k \in s : k = y) /\ x' = x /\ s' = {1}`, 27, 5},
		{`Handed(x = 0 \/ x # 1) /\ x' = 2 /\ UNCHANGED s`, 6, 3},
		{`(x = 0 => (x = 0 \/ x < 3)) /\ x' = 3 /\ UNCHANGED s`, 8, 4},
		{`(CASE x = 0 -> x < 1 \/ x < 2 [] OTHER -> TRUE) /\ x' = 3 /\ UNCHANGED s`, 8, 4},
		{`(x \in {1} \/ x \in {1, 2}) /\ ENABLED (Two(x) /\ x' = 1 /\ s' = s) /\ x' = 4 /\ UNCHANGED s`, 6, 4},
	} {
		folder := write(t, map[string]string{"M.tla": begins + "Next == " + c.next + "\n====\n", "M.cfg": "INIT Init NEXT Next CHECK_DEADLOCK FALSE"})
		s, err := Load(filepath.Join(folder, "M.tla"), "")
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Check(t.Context(), Options{})
		if err != nil || r.Verdict() != statespace.Holds || r.Stats.Transitions != c.generated || r.Stats.States != c.distinct {
			t.Errorf("%s: %d states generated, %d distinct, %v; %d and %d are wanted", c.next, r.Stats.Transitions, r.Stats.States, err, c.generated, c.distinct)
		}
		g, err := s.Graph(t.Context(), 100)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[Edge]bool{}
		for _, e := range g.Edges {
			if seen[e] {
				t.Errorf("%s: the graph has a step twice: %+v", c.next, e)
			}
			seen[e] = true
		}
	}
}
