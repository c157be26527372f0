package spec

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// TestWhatConfigurationsName: what stands after a word of the configuration has to be of the kind that belongs there,
// before anything is explored.
func TestWhatConfigurationsName(t *testing.T) {
	const module = "---- MODULE M ----\nEXTENDS Naturals\nVARIABLE x\nCONSTANT C\nInit == x = 0\nNext == x' = 1 - x\nSpec == Init /\\ [][Next]_x\n" +
		"Temp == []<>(x = 0)\nAct == x' = x\nOp(a) == a\nNum == 3\n====\n"
	for _, c := range []struct{ cfg, want string }{
		{"SPECIFICATION Spec INVARIANT Temp", "1:30: Temp is temporal, and a name after INVARIANT may be at most about a state; PROPERTY is for"},
		{"SPECIFICATION Spec INVARIANT Act", "1:30: Act is about a step"},
		{"SPECIFICATION Spec INVARIANT Op", "1:30: Op takes arguments"},
		{"SPECIFICATION Spec INVARIANT Nope", "1:30: Nope is not defined"},
		{"SPECIFICATION Spec PROPERTY Act", "1:29: Act is about a step, and a name after PROPERTY says something of behaviours; [][Act]_v"},
		{"SPECIFICATION Spec PROPERTY Temp", ""},
		{"SPECIFICATION Spec CONSTRAINT Act", "1:31: Act is about a step, and a name after CONSTRAINT may be at most about a state; ACTION_CONSTRAINT"},
		{"SPECIFICATION Spec ACTION_CONSTRAINT Act", ""},
		{"SPECIFICATION Spec VIEW Act", "1:25: Act is about a step"},
		{"SPECIFICATION Spec SYMMETRY Init", "1:29: Init is about a state, and a name after SYMMETRY may be at most constant"},
		{"INIT Act NEXT Next", "1:6: Act is about a step"},
		{"INIT Init NEXT Temp", "1:16: Temp is temporal"},
		{"SPECIFICATION Spec INIT Init NEXT Next", "1:25: the configuration gives SPECIFICATION, and INIT or NEXT beside it"},
		{"SPECIFICATION Spec CONSTANT C <- Op", "1:34: Op cannot stand for C: it takes 1 arguments, and not 0"},
		{"SPECIFICATION Spec CONSTANT Op <- Num", "1:35: Num cannot stand for Op"},
	} {
		cfg := c.cfg
		if !strings.Contains(cfg, "C <-") {
			cfg += "\nCONSTANT C = 1"
		}
		folder := write(t, map[string]string{"M.tla": module, "M.cfg": cfg})
		_, err := Load(filepath.Join(folder, "M.tla"), "")
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), "M.cfg:"+c.want)) {
			t.Errorf("%s: %v, want %q", c.cfg, err, c.want)
		}
	}
}

// TestConditionsThatAreKnown: a fairness that is asked for of some of what is quantified over only is a premise of
// those, and no formula of many cases.
func TestConditionsThatAreKnown(t *testing.T) {
	folder := write(t, map[string]string{
		"M.tla": "---- MODULE M ----\nEXTENDS Naturals\nVARIABLE x\nP == 1..5\nInit == x = <<1, 2>>\nMove(a, b) == x = <<a, b>> /\\ x' = <<b, (a % 5) + 1>>\nNext == \\E a, b \\in P : Move(a, b)\n" +
			"Spec == Init /\\ [][Next]_x /\\ \\A a, b \\in P : (a # b => WF_x(Move(a, b))) /\\ (IF a = b THEN WF_x(Move(a, a)) ELSE TRUE)\nAgain == \\A a, b \\in P : a = b \\/ (x = <<a, b>> ~> x # <<a, b>>)\n====\n",
		"M.cfg": "SPECIFICATION Spec PROPERTY Again",
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
		if c.Verdict != statespace.Holds {
			t.Errorf("%s: %v, %s", c.Name, c.Verdict, c.Reason)
		}
	}
}
