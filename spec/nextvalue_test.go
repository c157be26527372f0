package spec

import (
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// TestNextValues has values of the next state found by ids in each way there is, and what follows from them by plain
// values; TLC finds 25 states, too.
func TestNextValues(t *testing.T) {
	const module = `---- MODULE M ----
EXTENDS Naturals, Sequences
VARIABLES msgs, state, log, n
vars == <<msgs, state, log, n>>
P == {"p", "q"}
Init == msgs = {} /\ state = [p \in P |-> [k |-> 0, seen |-> {}]] /\ log = <<>> /\ n = 0
Send(p) ==
  /\ state[p].k < 2
  /\ msgs' = msgs \cup {[from |-> p, k |-> state[p].k]}
  /\ [from |-> p, k |-> state[p].k] \in msgs'
  /\ state' = [state EXCEPT ![p].k = @ + 1, ![p].seen = @ \cup {state[p].k}]
  /\ log' = IF Len(log) < 2 THEN Append(log, p) ELSE log
  /\ n' = Cardinality2(msgs') + Len(log')
Take(p) ==
  \E m \in msgs :
    /\ m.from # p /\ m.k = 1
    /\ m \notin {x \in msgs : x.k \in state[p].seen /\ x.k = 1}
    /\ state' = [state EXCEPT ![p] = [@ EXCEPT !.seen = @ \cup {m.k}]]
    /\ UNCHANGED <<msgs, log, n>>
Next == \E p \in P : Send(p) \/ Take(p)
Found == /\ msgs \subseteq {[from |-> p, k |-> k] : p \in P, k \in 0..1}
         /\ \A p \in P : state[p].k = Cardinality2({m \in msgs : m.from = p})
         /\ \A m \in msgs : m.k = 1 => [m EXCEPT !.k = 0] \in msgs
Steps == [][msgs \subseteq msgs' /\ (msgs # msgs' => n' = Cardinality2(msgs') + Len(log'))
            /\ \A p \in P : state[p].seen \subseteq state'[p].seen /\ (\A m \in msgs' : m \in msgs \/ m.k < state'[m.from].k)]_vars
`
	const plain = `RECURSIVE Cardinality2(_)
Cardinality2(s) == IF s = {} THEN 0 ELSE 1 + Cardinality2(s \ {CHOOSE x \in s : TRUE})
`
	folder := write(t, map[string]string{
		"M.tla": module[:len("---- MODULE M ----\nEXTENDS Naturals, Sequences\n")] + plain + module[len("---- MODULE M ----\nEXTENDS Naturals, Sequences\n"):] + "====\n",
		"M.cfg": "INIT Init\nNEXT Next\nINVARIANT Found\nPROPERTY Steps\nCHECK_DEADLOCK FALSE\n",
	})
	s, err := Load(filepath.Join(folder, "M.tla"), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 4} {
		r, err := s.Check(t.Context(), Options{Workers: workers})
		if err != nil || r.Verdict() != statespace.Holds || r.Stats.States != 25 {
			t.Errorf("%d workers: %v, %+v, %d states", workers, err, r.Claims, r.Stats.States)
		}
	}
}
