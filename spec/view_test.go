package spec

import (
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// TestCycleInView: what a VIEW hides may run on for ever. A cycle in what it shows is a violation, which says that it is one of the view.
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
