package spec

import (
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// BenchmarkCheck has three kinds of specifications: sets of messages that are new in nearly every state, functions of
// small values that come again and again, and an operator that does much. It reports states per second of one worker.
func BenchmarkCheck(b *testing.B) {
	for name, text := range map[string]string{
		"messages": `VARIABLES msgs, seen
Init == msgs = {} /\ seen = [p \in 1..4 |-> 0]
Send(p) == seen[p] < 3 /\ msgs' = msgs \cup {[type |-> "ask", from |-> p, k |-> seen[p]]} /\ seen' = [seen EXCEPT ![p] = @ + 1]
Answer(p) == \E m \in msgs : m.type = "ask" /\ m.from # p /\ m.k + 1 = seen[p]
               /\ msgs' = msgs \cup {[type |-> "answer", from |-> p, k |-> m.k]} /\ UNCHANGED seen
Next == \E p \in 1..4 : Send(p) \/ Answer(p)
Inv == \A m \in msgs : m.type = "answer" => \E a \in msgs : a.type = "ask" /\ a.k = m.k
`,
		"functions": `VARIABLES pc, turn
Init == pc = [p \in 1..7 |-> 0] /\ turn = 1
Step(p) == pc[p] < 4 /\ (pc[p] = 2 => turn = p) /\ pc' = [pc EXCEPT ![p] = @ + 1] /\ turn' = (turn % 7) + 1
Next == \E p \in 1..7 : Step(p)
Inv == turn \in 1..7 /\ \A p \in 1..7 : pc[p] \in 0..4
`,
		"operators": `RECURSIVE Total(_, _)
Total(f, s) == IF s = {} THEN 0 ELSE LET p == CHOOSE p \in s : \A o \in s : p <= o IN f[p] + Total(f, s \ {p})
Divisor(a, c) == CHOOSE d \in 1..a : a % d = 0 /\ c % d = 0 /\ \A e \in d..a : e > d => a % e # 0 \/ c % e # 0
VARIABLES load, last
Init == load = [p \in 1..5 |-> 1] /\ last = 1
Next == \E p \in 1..5 : load[p] < 5 /\ load' = [load EXCEPT ![p] = @ + 1] /\ last' = Divisor(load[p] + 1, load[p] * 6)
Inv == Total(load, 1..5) \in 5..25
`,
	} {
		b.Run(name, func(b *testing.B) {
			folder := write(b, map[string]string{
				"M.tla": "---- MODULE M ----\nEXTENDS Naturals\n" + text + "====\n",
				"M.cfg": "INIT Init NEXT Next INVARIANT Inv CHECK_DEADLOCK FALSE",
			})
			states := 0
			for b.Loop() {
				s, err := Load(filepath.Join(folder, "M.tla"), "")
				if err != nil {
					b.Fatal(err)
				}
				r, err := s.Check(b.Context(), Options{Workers: 1})
				if err != nil || r.Verdict() != statespace.Holds {
					b.Fatalf("%v: %+v", err, r.Claims)
				}
				states += r.Stats.States
			}
			b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
		})
	}
}
