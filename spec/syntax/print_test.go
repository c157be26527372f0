package syntax

import (
	"strings"
	"testing"
)

func TestPrint(t *testing.T) {
	for _, c := range []struct{ text, printed string }{
		{`a+b*c`, `a + b * c`},
		{`(a+b)*c`, `(a + b) * c`},
		{`a-(b-c)-d`, `a - (b - c) - d`},
		{`x'[self].f`, `x'[self].f`},
		{`~(x \in S) /\ ~x \in S`, `~(x \in S) /\ ~x \in S`},
		{`(A \X B) \X C`, `(A \X B) \X C`},
		{`A \X B \X C`, `A \X B \X C`},
		{`[f EXCEPT ![1].a = @ + 1, ![2,3]=0]`, `[f EXCEPT ![1].a = @ + 1, ![2, 3] = 0]`},
		{`(IF a THEN b ELSE c) + 1`, `(IF a THEN b ELSE c) + 1`},
		{`a \/ (b /\ c)`, `a \/ (b /\ c)`},
		{`a /\ (b /\ c)`, `a /\ (b /\ c)`},
		{`(\E x \in S : p) => q`, `(\E x \in S : p) => q`},
		{`{(x \in S) : x \in T}`, `{(x \in S) : x \in T}`},
		{`-1 + -x`, `-1 + -x`},
		{`[][Next]_<<x, y>> /\ WF_vars(A)`, `[][Next]_<<x, y>> /\ WF_vars(A)`},
		{`CASE a -> 1 [] b -> (CASE c -> 2) [] OTHER -> 3`, `CASE a -> 1 [] b -> (CASE c -> 2) [] OTHER -> 3`},
		{`LET f[i \in S] == i  g(a,b) == a IN f[g(1,2)]`, "LET f[i \\in S] == i\n    g(a, b) == a\nIN f[g(1, 2)]"},
		{`"a\"b\\"`, `"a\"b\\"`},
		{`DOMAIN f \cup (DOMAIN g)[1]`, `DOMAIN f \cup (DOMAIN g)[1]`},
		{`(-1)^2`, `(-1) ^ 2`},
		{`A! !! + A!step`, `A! !! + A!step`},
		{`small(i):: x < i`, `(small(i):: x < i)`},
	} {
		e, err := ParseExpression(&Source{Name: "t", Text: c.text})
		if err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		if got := Print(e); got != c.printed {
			t.Errorf("%s is printed as %s, want %s", c.text, got, c.printed)
		}
	}
}

// TestPrintDeep prints parts within parts, each of which is written in one line or in several.
func TestPrintDeep(t *testing.T) {
	const deep = 50
	text := strings.Repeat("IF a THEN \\A x \\in S : (b /\\ (c \\/ (", deep) + "d" + strings.Repeat("))) ELSE e", deep)
	e, err := ParseExpression(&Source{Name: "t", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(Print(e), "ELSE"); got != deep {
		t.Errorf("%d of %d parts are printed", got, deep)
	}
}

// FuzzPrint holds every expression that can be read to its text: printed and read again it
// is printed the same.
func FuzzPrint(f *testing.F) {
	for _, seed := range []string{`/\ a \/ b
/\ \A x, y \in S : x = <<y>>`, `LAMBDA x : x + 1`, `A!B(1)!:`, `[a |-> 1, b |-> {x \in S : x > -1}].a`, `[S -> T][1]'`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := ParseExpression(&Source{Name: "t", Text: text})
		if err != nil {
			return
		}
		printed := Print(e)
		again, err := ParseExpression(&Source{Name: "p", Text: printed})
		if err != nil {
			t.Fatalf("%q is printed as %q: %v", text, printed, err)
		}
		if got := Print(again); got != printed {
			t.Fatalf("%q is printed as %q, and then as %q", text, printed, got)
		}
	})
}
