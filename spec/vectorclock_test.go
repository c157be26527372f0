package spec

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// TestCausalOrder: what stands for the choice among all logs gives one of those that the definition allows, of every
// order of five events of two nodes, and of a log of which nobody could list them; where there is none, it is an error.
func TestCausalOrder(t *testing.T) {
	const module = `---- MODULE VectorClocks ----
EXTENDS Naturals, Sequences
At(c, n) == IF n \in DOMAIN c THEN c[n] ELSE 0
Before(c, d) == (\A n \in {"a", "b"} : At(c, n) <= At(d, n)) /\ (\E n \in {"a", "b"} : At(c, n) < At(d, n))
Concurrent(c, d) == \E m, n \in {"a", "b"} : At(c, m) < At(d, m) /\ At(c, n) > At(d, n)
IsCausalOrder(log, clock(_)) == \A i \in 1..Len(log) : \A j \in 1..(i - 1) :
  Before(clock(log[j]), clock(log[i])) \/ Concurrent(clock(log[j]), clock(log[i]))
CausalOrder(log, clock(_), node(_), domain(_)) == 1
====
`
	for name, test := range map[string]struct{ assume, wrong string }{
		"every order": {assume: `\A p \in {f \in [1..5 -> Events] : Range(f) = Events} : LET o == Ordered(p) IN
  Range(o) = Events /\ IsCausalOrder(o, LAMBDA e : e.clock)`},
		"nothing":       {assume: `Ordered(<<>>) = <<>>`},
		"a long one":    {assume: `LET log == [i \in 1..400 |-> [clock |-> [a |-> 401 - i]]] IN Ordered(log) = [i \in 1..400 |-> log[401 - i]]`},
		"the same time": {assume: `Ordered(<<[clock |-> [a |-> 1]], [clock |-> [a |-> 1, b |-> 0]]>>) # <<>>`, wrong: "CHOOSE finds nothing: two entries of the log have the clock"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := write(t, map[string]string{
				"VectorClocks.tla": module,
				"M.tla": `---- MODULE M ----
EXTENDS Naturals, Sequences, VectorClocks
Range(f) == {f[i] : i \in DOMAIN f}
Events == {[clock |-> c] : c \in {[a |-> 1], [a |-> 2], [b |-> 1], [a |-> 1, b |-> 2], [a |-> 3, b |-> 2]}}
Ordered(log) == CausalOrder(log, LAMBDA e : e.clock, LAMBDA e : "a", LAMBDA c : DOMAIN c)
ASSUME ` + test.assume + "\n====\n",
				"M.cfg": "",
			})
			s, err := Load(filepath.Join(folder, "M.tla"), "")
			if err != nil {
				t.Fatal(err)
			}
			r, err := s.Check(t.Context(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if test.wrong == "" {
				if r.Verdict() != statespace.Holds {
					t.Errorf("%+v", r.Claims)
				}
			} else if c := r.Claims[0]; c.Verdict != statespace.Violated || !strings.Contains(c.Reason, test.wrong) {
				t.Errorf("%+v, want %q", c, test.wrong)
			}
		})
	}
}
