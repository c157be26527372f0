package spec

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// TestUnmetAntecedents: what a claim says of what is true in no state is noted, in invariants as in properties, and a
// claim that says nothing else is vacuous. The verdict stays what it is.
func TestUnmetAntecedents(t *testing.T) {
	const counter = `---- MODULE M ----
EXTENDS Naturals, Sequences, TLC
CONSTANTS N, a, b
VARIABLES x, q
Init == x = 0 /\ q = <<>>
Next == x' = (x + 1) % 4 /\ q' = <<x>>
Spec == Init /\ [][Next]_<<x, q>> /\ WF_<<x, q>>(Next)
Alike == Permutations({a, b})
One == (x = 7) ~> (x = 1)
Met == (x = 3) ~> (x = 1)
Both == Met /\ One
Each == \A i \in 1..6 : (x = i) ~> (x = 0)
None == \A i \in 7..9 : x = i => \A j \in {1} : x = j
Nested == [](x = 7 => <>(x = 1 /\ <>(x = 2)))
Mixed == [](x = 7 => q = <<>>) /\ []<>(x = 0)
Known == N = 2 => x = 1
Beyond == Len(q) = 0 \/ (Head(q) = 5 => x = 6)
Valueless == x < 4 /\ (q[1] = 5 => x = 6)
False == x = 7 => x = 1
Wrong == x = 2 => x = 1
====
`
	for _, c := range []struct {
		config string
		// unmet are the claims with an antecedent that is never true, and empty those that say nothing.
		unmet, empty []string
		verdict      statespace.Verdict
	}{
		{"PROPERTY One", []string{"One"}, []string{"One"}, statespace.Holds},
		{"PROPERTY Met", nil, nil, statespace.Holds},
		{"PROPERTY Both", []string{"Both"}, nil, statespace.Holds},
		{"PROPERTY Each Nested Mixed", []string{"Nested", "Mixed"}, []string{"Nested"}, statespace.Holds},
		{"INVARIANT None Known Beyond", []string{"None"}, []string{"None"}, statespace.Holds},
		{"INVARIANT False SYMMETRY Alike", nil, nil, statespace.Holds},
		{"INVARIANT Wrong False", nil, nil, statespace.Violated},
		{"INVARIANT Valueless", nil, nil, statespace.Violated},
	} {
		folder := write(t, map[string]string{"M.tla": counter, "M.cfg": "SPECIFICATION Spec CONSTANTS N = 3 a = a b = b\n" + c.config})
		s, err := Load(filepath.Join(folder, "M.tla"), "")
		if err != nil {
			t.Fatal(c.config, err)
		}
		r, err := s.Check(t.Context(), Options{})
		if err != nil {
			t.Fatal(c.config, err)
		}
		var unmet, empty []string
		for _, a := range r.Unmet {
			unmet = append(unmet, a.Claim)
		}
		for _, claim := range r.Claims {
			if claim.Vacuous != "" {
				empty = append(empty, claim.Name)
			}
		}
		if !slices.Equal(unmet, c.unmet) || !slices.Equal(empty, c.empty) || r.Verdict() != c.verdict {
			t.Errorf("%s: unmet %q, empty %q, verdict %d", c.config, unmet, empty, r.Verdict())
		}
	}
}
