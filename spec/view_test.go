package spec

import (
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// TestCycleInView: what a VIEW hides may run on for ever. A cycle in what it shows is a violation, which says that it
// is one of the view.
func TestCycleInView(t *testing.T) {
	folder := write(t, map[string]string{
		"M.tla": "---- MODULE M ----\nEXTENDS Naturals\nVARIABLES x, clock\nInit == x = 0 /\\ clock = 0\nNext == x' = 1 - x /\\ clock' = clock + 1\nSpec == Init /\\ [][Next]_<<x, clock>> /\\ WF_x(Next)\nSeen == x\nStays == <>[](x = 1)\n====\n",
		"M.cfg": "SPECIFICATION Spec VIEW Seen PROPERTY Stays",
	})
	s, err := Load(filepath.Join(folder, "M.tla"), "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Check(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Claims {
		if c.Kind == Property && (c.Verdict != statespace.Violated || c.Trace == nil || !c.Trace.Alike || c.Trace.Loop+3 != len(c.Trace.States)) {
			t.Errorf("%s: %v, %+v; want a cycle of two steps", c.Name, c.Verdict, c.Trace)
		}
	}
	if !r.Stats.Complete || r.Stats.States != 2 {
		t.Errorf("%+v; want 2 states", r.Stats)
	}
}

// TestLevelInView: where the level is in the view, a step that changes nothing leads to a state that is seen anew, as
// specifications that compare a recorded trace need it; the figures are TLC's. That there is no step leads nowhere.
func TestLevelInView(t *testing.T) {
	const module = `---- MODULE M ----
EXTENDS Naturals, TLC
VARIABLE x
Init == x = 0
Next == x < 2 /\ x' = x + 1
Spec == Init /\ [][Next \/ UNCHANGED x]_x
Seen == <<x, TLCGet("level")>>
Four == TLCGet("level") <= 4
Small == x < 2
Late == ~(x = 0 /\ TLCGet("level") = 4)
====
`
	for _, test := range []struct {
		config         string
		states, depth  int
		verdict        statespace.Verdict
		steps, workers int
	}{
		{"SPECIFICATION Spec VIEW Seen ACTION_CONSTRAINT Four", 12, 5, statespace.Holds, 0, 1},
		{"SPECIFICATION Spec VIEW Seen ACTION_CONSTRAINT Four", 12, 5, statespace.Holds, 0, 3},
		{"SPECIFICATION Spec VIEW Seen CONSTRAINT Four", 9, 4, statespace.Holds, 0, 1},
		{"SPECIFICATION Spec VIEW Seen ACTION_CONSTRAINT Four INVARIANT Late", 9, 4, statespace.Violated, 3, 1},
		{"INIT Init NEXT Next VIEW Seen", 3, 3, statespace.Violated, 2, 1},
	} {
		folder := write(t, map[string]string{"M.tla": module, "M.cfg": test.config})
		s, err := Load(filepath.Join(folder, "M.tla"), "")
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Check(t.Context(), Options{Workers: test.workers, All: test.steps == 2})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict() != test.verdict || r.Stats.States != test.states || r.Stats.Levels != test.depth {
			t.Errorf("%s: %v, %d states on %d levels; want %v, %d on %d", test.config, r.Verdict(), r.Stats.States, r.Stats.Levels, test.verdict, test.states, test.depth)
		}
		for _, c := range r.Claims {
			if c.Verdict == statespace.Violated && (c.Trace == nil || len(c.Trace.States) != test.steps+1) {
				t.Errorf("%s: %+v; want %d steps", test.config, c.Trace, test.steps)
			}
		}
	}
}
