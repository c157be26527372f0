package spec

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// TestComposition has steps that are two actions one after the other. TLC finds as many states, but where something is
// said around them: it takes that for the state between, too, which the language does not.
func TestComposition(t *testing.T) {
	for _, tt := range []struct {
		name, next string
		states     int
		verdict    statespace.Verdict
		want       string
	}{
		{"one after the other", `(x < 20 /\ x' = x + 1 /\ UNCHANGED y) \cdot (x' = 2 * x /\ y' = x)`, 5, statespace.Holds, ""},
		{"ways in both", `(\E i \in 1..2 : x < 5 /\ x' = x + i /\ UNCHANGED y) \cdot (\E j \in {0, 10} : x' = x /\ y' = j + x)`, 13, statespace.Holds, ""},
		{"the second is not always possible", `(x < 9 /\ x' = x + 1 /\ UNCHANGED y) \cdot (x < 5 /\ UNCHANGED <<x, y>>)`, 5, statespace.Holds, ""},
		{"one within another", `(x < 6 /\ x' = x + 1 /\ UNCHANGED y) \cdot ((x' = x + 1 /\ UNCHANGED y) \cdot (x' = x + 1 /\ y' = x))`, 3, statespace.Holds, ""},
		{"with what is said around it", `y' = x /\ ((x < 4 /\ x' = x + 1 /\ y' = 7) \cdot (x' = x + 1 /\ y' = x - 1))`, 3, statespace.Holds, ""},
		{"that cannot be", `y' = 100 /\ ((x < 4 /\ x' = x + 1 /\ y' = 7) \cdot (x' = x + 1 /\ y' = x))`, 1, statespace.Holds, ""},
		{"enabled", `x < 4 /\ ENABLED ((x < 2 /\ x' = x + 1 /\ y' = y) \cdot (x' = x /\ y' = y)) /\ x' = x + 1 /\ y' = y`, 3, statespace.Holds, ""},
		{"a variable without a value", `(x' = 1) \cdot (x' = x /\ y' = y)`, 0, statespace.Violated, "the first of two steps that \\cdot joins leaves y' without a value"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder := write(t, map[string]string{
				"M.tla": "---- MODULE M ----\nEXTENDS Naturals\nVARIABLES x, y\nInit == x = 0 /\\ y = 0\nNext == " + tt.next + "\n====\n",
				"M.cfg": "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n",
			})
			s, err := Load(filepath.Join(folder, "M.tla"), "")
			if err != nil {
				t.Fatal(err)
			}
			r, err := s.Check(t.Context(), Options{})
			if err != nil || r.Verdict() != tt.verdict {
				t.Fatalf("%v: %+v", err, r.Claims)
			}
			if tt.want == "" && r.Stats.States != tt.states || tt.want != "" && !strings.Contains(r.Claims[len(r.Claims)-1].Reason, tt.want) {
				t.Errorf("%d states, %+v", r.Stats.States, r.Claims)
			}
		})
	}
}
