package spec

import (
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// TestEnabledNext: (ENABLED A)' is about the state that a step leads to, through definitions and bound names, too.
func TestEnabledNext(t *testing.T) {
	for _, tt := range []struct {
		name, claim string
		want        statespace.Verdict
	}{
		{"after each step but the last", `[][(ENABLED Up)' <=> x' < 3]_x`, statespace.Holds},
		{"of a definition with an argument", `[][\A n \in 0..3 : (ENABLED To(n))' <=> x' < n]_x`, statespace.Holds},
		{"of an expression of states", `[][(ENABLED Up /\ x > 0)' <=> x' \in 1..2]_x`, statespace.Holds},
		{"what was is not what is", `[][ENABLED Up <=> (ENABLED Up)']_x`, statespace.Violated},
		{"of a step that is to change something", `[][(ENABLED <<To(x + 1)>>_x)']_x`, statespace.Violated},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder := write(t, map[string]string{
				"M.tla": `---- MODULE M ----
EXTENDS Naturals
VARIABLE x
Up == x < 3 /\ x' = x + 1
To(n) == x < n /\ x' = n /\ n < 4
Spec == x = 0 /\ [][Up]_x
Claim == ` + tt.claim + `
====
`,
				"M.cfg": "SPECIFICATION Spec PROPERTY Claim CHECK_DEADLOCK FALSE",
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
