package spec

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/spec/syntax"
)

// TestRecursiveActions: a definition that calls itself can be a condition on the next state; where it would say what
// that is, it is named.
func TestRecursiveActions(t *testing.T) {
	for next, problem := range map[string]string{
		`x' = x + 1 /\ x < 3 /\ Go(1, x)`: "",
		`x < 3 /\ Go(1, x)`:               "M.tla:7:18: Go calls itself and says what x' is: an action that does is not supported",
	} {
		folder := write(t, map[string]string{
			"M.tla": "---- MODULE M ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\nRECURSIVE Go(_, _)\nGo(n, sum) == IF n = 0 THEN x' = sum ELSE Go(n - 1, sum + 1)\nNext == " + next + "\n====\n",
			"M.cfg": "INIT Init NEXT Next CHECK_DEADLOCK FALSE",
		})
		s, err := Load(filepath.Join(folder, "M.tla"), "")
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Check(t.Context(), Options{})
		var refused *syntax.Error
		switch {
		case problem == "" && (err != nil || r.Stats.States != 4):
			t.Errorf("%s: %+v, %v", next, r.Stats, err)
		case problem != "" && (!errors.As(err, &refused) || !strings.HasSuffix(err.Error(), problem)):
			t.Errorf("%s: %v, want %s", next, err, problem)
		}
	}
}
