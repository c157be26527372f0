package spec

import (
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// TestBeyond: what holds of all behaviours that stay within a constraint, while none does, is said of nothing.
func TestBeyond(t *testing.T) {
	for _, tt := range []struct {
		name, next, cfg string
		want            statespace.Verdict
	}{
		{"all go beyond", "Up", "CONSTRAINT Small PROPERTY Ten", statespace.Inconclusive},
		{"all go beyond, by an automaton", "Up", "CONSTRAINT Small PROPERTY Nested", statespace.Inconclusive},
		{"all take a step that is left out", "Up", "ACTION_CONSTRAINT Little PROPERTY Ten", statespace.Inconclusive},
		{"some come back before", "Up \\/ Down", "CONSTRAINT Small PROPERTY Low", statespace.Holds},
		{"one that comes back is against it", "Up \\/ Down", "CONSTRAINT Small PROPERTY Ten", statespace.Violated},
		{"it is about steps alone", "Up", "CONSTRAINT Small PROPERTY Grows", statespace.Holds},
		{"nothing is beyond", "x < 3 /\\ Up", "CONSTRAINT Small PROPERTY Three", statespace.Holds},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder := write(t, map[string]string{
				"M.tla": `---- MODULE M ----
EXTENDS Naturals
VARIABLE x
Up == x' = x + 1
Down == x > 0 /\ x' = 0
Next == ` + tt.next + `
Spec == x = 0 /\ [][Next]_x /\ WF_x(Next)
Small == x < 5
Little == x' < 5
Ten == <>(x = 10)
Nested == <>(x = 2 /\ <>(x = 10))
Low == []<>(x = 0)
Three == <>(x = 3)
Grows == [][x' > x]_x
====
`,
				"M.cfg": "SPECIFICATION Spec CHECK_DEADLOCK FALSE " + tt.cfg,
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
