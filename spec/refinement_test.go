package spec

import (
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// TestFairnessOfRefinedSpecifications: whether an action of a refined specification is possible, whose variables are
// expressions of the own ones, is judged by what it says of its variables.
func TestFairnessOfRefinedSpecifications(t *testing.T) {
	const lamp = "---- MODULE Lamp ----\nEXTENDS Naturals\nVARIABLES on, count\nvars == <<on, count>>\nInit == on = FALSE /\\ count = 0\n" +
		"Switch == count < 2 /\\ on' = TRUE /\\ UNCHANGED count\nCount == on /\\ count < 2 /\\ count' = count + 1 /\\ on' \\in {FALSE, TRUE}\n" +
		"Spec == Init /\\ [][Switch \\/ Count]_vars /\\ WF_vars(Switch)\n====\n"
	const own = "---- MODULE M ----\nEXTENDS Naturals\nVARIABLE x\nStep == x < 3 /\\ x' = x + 1\non == x % 2 = 1\nInit == x = 0\n" +
		"L == INSTANCE Lamp WITH count <- x \\div 2\nRefines == L!Spec\nFair == Init /\\ [][Step]_x /\\ WF_x(Step)\nLazy == Init /\\ [][Step]_x\n====\n"
	for specification, want := range map[string]statespace.Verdict{
		"Fair": statespace.Holds,
		// It may stay in the beginning for ever, where the lamp can be switched on.
		"Lazy": statespace.Violated,
	} {
		folder := write(t, map[string]string{"Lamp.tla": lamp, "M.tla": own, "M.cfg": "SPECIFICATION " + specification + " PROPERTY Refines CHECK_DEADLOCK FALSE"})
		s, err := Load(filepath.Join(folder, "M.tla"), "")
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Check(t.Context(), Options{})
		if err != nil || r.Verdict() != want || want == statespace.Holds && !r.Stats.Complete {
			t.Errorf("%s: %+v, %v; want %v", specification, r.Claims, err, want)
		}
	}
}
