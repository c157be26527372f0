package spec

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/spec/syntax"
)

// TestUnknownNames: a name that nothing stands for is found in definitions that nothing uses, too.
func TestUnknownNames(t *testing.T) {
	for _, c := range []struct {
		definition string
		line       int // of the error, 0 for none
	}{
		{"A == foo + 1", 5},
		{"A ==\n  LET b == 1\n  IN b + bar(2)", 7},
		{`A(p(_), q) == p(q) + (LET f[i \in Nat] == IF i = 0 THEN q ELSE f[i - 1] IN f[3])`, 0},
		{`A == {y \in S : y > 1} \cup {z + w : z \in S, w \in S} \cup {CHOOSE v \in S : v = 1}`, 5},
		{`S == {1} A == {y \in S : y > 1} \cup {z + w : z \in S, w \in S} \cup {CHOOSE v \in S : v = 1}`, 0},
		{`A == [<<a, b>> \in Nat \X Nat |-> a + b] B == \A <<c, d>> \in {} : c = d`, 0},
		{`Op(f(_, _)) == f(1, 2) A == Op(LAMBDA g, h : g + h) B == Op(LAMBDA g, h : g)`, 0},
		{`A == [x EXCEPT ![1] = @ + 1, ![2].field = @]`, 0},
		{`RECURSIVE R(_) R(n) == IF n = 0 THEN 0 ELSE R(n - 1)`, 0},
		{`I == INSTANCE Sequences A == I!Len(<<>>)`, 0},
		{`A == LET INSTANCE Sequences IN Len(<<>>)`, 0},
		{`a (+) b == a + b A == 1 (+) 2`, 0},
		{`A == 1 (+) 2`, 5},
		{`A == \E s \in STRING, t \in BOOLEAN : [f |-> s].f = "x" /\ t`, 0},
	} {
		folder := write(t, map[string]string{"M.cfg": "SPECIFICATION Spec", "M.tla": "---- MODULE M ----\nEXTENDS Naturals\nVARIABLE x\nSpec == x = 1 /\\ [][x' = x]_x\n" + c.definition + "\n====\n"})
		_, err := Load(filepath.Join(folder, "M.tla"), "")
		var at *syntax.Error
		if c.line == 0 && err != nil || c.line > 0 && (!errors.As(err, &at) || at.At.Line != c.line) {
			t.Errorf("%s: %v, want an error in line %d", c.definition, err, c.line)
		}
	}
}
