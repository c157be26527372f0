package spec

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// TestLabels: a part of a definition is mentioned by its label, with what is bound around it as arguments. What is
// wrong is said at its place.
func TestLabels(t *testing.T) {
	const module = `---- MODULE M ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Guard == /\ step:: x < 3
         /\ x >= 0
Next == Guard!step /\ x' = x + 1
Small == \A i \in 1..3 : below(i):: x < 3 + i
LabelledList == all:: /\ x >= 0
                      /\ least:: x < 4
Steps == x < 3 <=> Guard!step
Below == Small!below(1) /\ LabelledList!least /\ LabelledList!2
Hidden == LET y == x IN inner:: y < 4
Wrong == Small!below(0)
====
`
	for _, c := range []struct {
		cfg, problem string
		want         statespace.Verdict
	}{
		{"INIT Init NEXT Next INVARIANTS Steps Below Small LabelledList CHECK_DEADLOCK FALSE", "", statespace.Holds},
		{"INIT Init NEXT Next INVARIANTS Wrong CHECK_DEADLOCK FALSE", "", statespace.Violated},
	} {
		folder := write(t, map[string]string{"M.tla": module, "M.cfg": c.cfg})
		s, err := Load(filepath.Join(folder, "M.tla"), "")
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Check(t.Context(), Options{})
		if err != nil || r.Verdict() != c.want {
			t.Errorf("%s: %v, verdict %d; want %d", c.cfg, err, r.Verdict(), c.want)
		}
	}
	for cfg, problem := range map[string]string{"Hidden!inner": "the part inner of Hidden is not supported", "Small!below(1, 2)": "below"} {
		text := strings.Replace(module, "Wrong == Small!below(0)", "Wrong == "+cfg, 1)
		folder := write(t, map[string]string{"M.tla": text, "M.cfg": "INIT Init NEXT Next INVARIANT Wrong"})
		if _, err := Load(filepath.Join(folder, "M.tla"), ""); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%s: %v; want %s", cfg, err, problem)
		}
	}
}

// TestUnknownConstant: a configuration that gives a value to what no module declares is warned of.
func TestUnknownConstant(t *testing.T) {
	folder := write(t, map[string]string{"M.tla": "---- MODULE M ----\nVARIABLE x\nInit == x = 0\nNext == x' = x\n====\n", "M.cfg": "INIT Init NEXT Next CONSTANTS N = 3 a = a"})
	s, err := Load(filepath.Join(folder, "M.tla"), "")
	if err != nil || len(s.Warnings()) != 1 || !strings.Contains(s.Warnings()[0].Problem, "M has no constant N") {
		t.Errorf("%v, warnings %v", err, s.Warnings())
	}
}
