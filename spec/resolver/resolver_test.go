package resolver

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/spec/syntax"
)

// check resolves a module M with some units after its first two lines, which extend Naturals and declare x. Others
// stand behind it, each begun by MODULE.
func check(t *testing.T, units string, others ...string) string {
	t.Helper()
	texts := map[string]string{"M": "---- MODULE M ----\nEXTENDS Naturals VARIABLE x\n" + units + "\n====\n"}
	for _, o := range others {
		name, body, _ := strings.Cut(o, ": ")
		texts[name] = "---- MODULE " + name + " ----\n" + body + "\n====\n"
	}
	find := func(name string) (*syntax.Module, error) {
		if texts[name] == "" {
			return nil, nil
		}
		return syntax.ParseModule(&syntax.Source{Name: name, Text: texts[name]})
	}
	root, err := find("M")
	if err != nil {
		t.Fatalf("%s: %v", units, err)
	}
	if _, err := Check(root, NewModules(find)); err != nil {
		return err.Error()
	}
	return ""
}

func test(t *testing.T, cases [][2]string, others ...string) {
	t.Helper()
	for _, c := range cases {
		if got := check(t, c[0], others...); got != c[1] {
			t.Errorf("%s\n got %q\nwant %q", c[0], got, c[1])
		}
	}
}

// TestNames: a name stands for something where it is used, and for one thing only.
func TestNames(t *testing.T) {
	test(t, [][2]string{
		// Unknown ones, whether the definition is used or not.
		{"A == foo + 1", "M:3:6: foo is not declared or defined"},
		{"A == IsFiniteSet({})", "M:3:6: IsFiniteSet is not declared or defined; EXTENDS FiniteSets would define it"},
		{"A == SumSet({})", "M:3:6: SumSet is not declared or defined; EXTENDS FiniteSetsExt would define it"},
		{"A ==\n  LET b == 1\n  IN b + bar(2)", "M:5:10: bar is not declared or defined"},
		{"A == B\nB == 1", "M:3:6: B is not declared or defined"},
		{"ASSUME y = 1", "M:3:8: y is not declared or defined"},
		{`A == \E y \in {1}, z \in {y} : TRUE`, "M:3:27: y is not declared or defined"},
		{`A == {y \in {y} : TRUE}`, "M:3:14: y is not declared or defined"},
		{`A == 1 \oplus 2`, "M:3:8: \\oplus is not declared or defined; EXTENDS Bags would define it"},
		{`S == {1} A == {y \in S : y > 1} \cup {z + w : z \in S, w \in S} \cup {CHOOSE v \in S : v = 1}`, ""},
		{`A == [<<a, b>> \in Nat \X Nat |-> a + b] B == \A <<c, d>> \in {} : c = d`, ""},
		{`A == \E s \in STRING, t \in BOOLEAN : [f |-> s].f = "x" /\ t`, ""},
		{`f[i \in Nat] == IF i = 0 THEN 1 ELSE f[i - 1]`, ""},
		// Two things of one name.
		{"A == 1\nA == 2", "M:4:1: A stands for something else here: it is defined at M:3:1"},
		{`A == \E x \in {1} : TRUE`, "M:3:9: x stands for something else here: it is declared at M:2:27"},
		{`A(x) == x`, "M:3:3: x stands for something else here: it is declared at M:2:27"},
		{`A(y, y) == y`, "M:3:6: y stands for something else here: it is bound at M:3:3"},
		{`A(y) == \A y \in {1} : TRUE`, "M:3:12: y stands for something else here: it is bound at M:3:3"},
		{`A == [y \in {1}, y \in {2} |-> y]`, "M:3:18: y stands for something else here: it is bound at M:3:7"},
		{`f[y \in {1}] == LET y == 2 IN y`, "M:3:21: y stands for something else here: it is bound at M:3:3"},
		{"CONSTANT x", "M:3:10: x stands for something else here: it is declared at M:2:27"},
		{"Nat == 1", "M:3:1: Nat stands for something else here: it is an operator of the module Naturals"},
		{"THEOREM T == TRUE\nT == 1", "M:4:1: T stands for something else here: it is defined at M:3:1"},
		{`A == \E y \in {1} : TRUE` + "\n" + `B == (\E y \in {1} : TRUE) /\ (\E y \in {1} : TRUE)` + "\ny == 1", ""},
		{"A == [x |-> 1]", ""},
		{"VARIABLE x", ""},
		// Recursive ones.
		{`RECURSIVE R(_) R(n) == IF n = 0 THEN 0 ELSE R(n - 1)`, ""},
		{`RECURSIVE R(_, _) R(f(_), n) == IF n = 0 THEN f(n) ELSE R(f, n - 1) A == R(LAMBDA y : y + 1, 2)`, ""},
		{"RECURSIVE R(_)", "M:3:11: R is announced by RECURSIVE, and not defined"},
		{"RECURSIVE R(_)\nR == 1", "M:4:1: R is announced by RECURSIVE with 1 argument, and has 0 here"},
		{"RECURSIVE R(_)\nR(n) == R(n)\nR(n) == 1", "M:5:1: R stands for something else here: it is defined at M:4:1"},
	})
}

// TestArguments: operators get as many arguments as they take, and operators where they take those.
func TestArguments(t *testing.T) {
	test(t, [][2]string{
		{"A(a) == a B == A(1, 2)", "M:3:16: A takes 1 argument, and is given 2"},
		{"A(a) == a B == A", "M:3:16: A takes 1 argument, and is given 0"},
		{"A == 1 B == A(2)", "M:3:13: A takes no argument, and is given 1"},
		{"A(f(_)) == f(1) B == A(2)", "M:3:24: an operator that takes 1 argument is expected"},
		{"A(f(_)) == f(1) B == A(LAMBDA p, q : p)", "M:3:24: an operator that takes 1 argument is expected"},
		{"A(f(_)) == f(1) B == A(f)", "M:3:24: f is not declared or defined"},
		{"A(f(_, _)) == f(1, 2) B == A(LAMBDA g, h : g + h) C == A( + ) D == A(/\\)", ""},
		{"A == LAMBDA y : y", "M:3:6: LAMBDA stands where a value is expected, and not an operator"},
		{`A == [x EXCEPT ![1] = @ + 1, ![2].field = @]`, ""},
	})
}

// TestInstances: what an instance replaces is declared there, and everything declared there is replaced.
func TestInstances(t *testing.T) {
	test(t, [][2]string{
		{"I == INSTANCE P A == I!A", ""},
		{"I == INSTANCE P WITH y <- x", "M:3:22: y is neither a constant nor a variable of P"},
		{"I == INSTANCE P WITH x <- x, x <- x", "M:3:30: x is replaced twice"},
		{"I == INSTANCE K WITH f <- +", ""},
		{"I == INSTANCE K", "M:3:1: nothing stands for f of K: WITH does not say what, and there is no f here"},
		{"f == 1 I == INSTANCE K", "M:3:8: f, which stands for that of K, takes no argument, and not 2"},
		{"A == I!B", "M:3:6: I is not declared or defined"},
		{"I == INSTANCE P A == I!B", "M:3:22: B is not defined in the module that I is an instance of"},
		{"A == 1 B == A!C", ""}, // a part of what A says
		{"I == INSTANCE P I == INSTANCE P", "M:3:17: I stands for something else here: it is defined at M:3:1"},
		{"INSTANCE P\nA == 3", "M:4:1: A stands for something else here: it is defined at P:3:1"},
		// What comes by EXTENDS and INSTANCE beside another of that name does not come.
		{"LOCAL A == 3 INSTANCE P INSTANCE P", ""},
		{"A == LET INSTANCE Sequences IN Len(<<>>)", ""},
		{"I == INSTANCE Sequences A == I!Len(<<>>)", ""},
		{"LOCAL INSTANCE Nowhere", "M:3:16: there is no module Nowhere: neither beside the specification, nor in the folders of modules, nor among the standard ones"},
		{"I == INSTANCE M", "M:3:15: module M has an instance of itself, directly or through another module"},
		{"B == 4\n---- MODULE In ----\nB == 3\n====", "M:5:1: B stands for something else here: it is defined at M:3:1"},
		{"---- MODULE In ----\nB == x\n====\nB == 4 I == INSTANCE In C == I!B'", ""},
	}, "P: VARIABLE x\nA == x = 1", "K: CONSTANT f(_, _)")
}

// TestLevels: what is about a step is not primed, and the like. The cases were compared with what SANY says of them.
func TestLevels(t *testing.T) {
	above := func(place, what, is, most string) string {
		return "M:" + place + ": " + what + " is " + is + ", and may be at most " + most
	}
	test(t, [][2]string{
		{"A == x''", above("3:7", "what ' is applied to", "about a step", "about a state")},
		{"A == x = 1 /\\ x' = 1\nB == A'", above("4:6", "what ' is applied to", "about a step", "about a state")},
		{"A == (ENABLED (x' = 1))' B == 1' C == \\E y \\in {x'} : y' = 1", ""},
		{"F(a) == a' A == F(x')", above("3:20", "this argument of F", "about a step", "about a state")},
		{"F(a) == ENABLED a A == F(x' = 1)'", ""},
		{"A == LET y == x' IN y'", above("3:21", "what ' is applied to", "about a step", "about a state")},
		{"f[n \\in {0}] == x' A == f[0]'", above("3:26", "what ' is applied to", "about a step", "about a state")},
		{"ASSUME x = 1", above("3:10", "an assumption", "about a state", "constant")},
		{"A == UNCHANGED (x')", above("3:18", "what UNCHANGED is applied to", "about a step", "about a state")},
		{"A == ENABLED []x", above("3:14", "what ENABLED is applied to", "temporal", "about a step")},
		{"A == {[]x}", above("3:7", "this", "temporal", "about a step")},
		{"A == []x = TRUE", above("3:6", "what = is applied to", "temporal", "about a step")},
		{"A == CHOOSE y \\in {1} : []x", above("3:25", "this", "temporal", "about a step")},
		{"A == WF_x([]x)", above("3:11", "this action", "temporal", "about a step")},
		{"A == [][x' = 1]_(x')", above("3:19", "the subscript", "about a step", "about a state")},
		{"A == [](x' = 1)", "M:3:6: [] is followed by what is about a step, which has to be of the form [A]_v"},
		{"A == <>[x' = 1]_x", "M:3:6: <> is followed by what is about a step, which has to be of the form <<A>>_v"},
		{"A == []([x' = 1]_x) /\\ <><<x' = 1>>_x", ""},
		{"A == x' = 1 ~> x = 1", "M:3:9: ~> joins what is temporal or about a state, and this is about a step"},
		{"A == x' = 1 /\\ []x", "M:3:9: this is about a step, and what it is joined with is temporal; [][…]_v says something of all steps"},
		{"A == IF x THEN []x ELSE CASE x -> []x B == \\E y \\in {x} : [](x = y) C == \\AA y : y = x D == [y \\in {1} |-> []y]", ""},
		{"F(a) == []a A == F(x' = 1)", ""},
		{"RECURSIVE F(_) F(n) == IF n = 0 THEN x' ELSE F(n - 1) A == F(1)'", above("3:60", "what ' is applied to", "about a step", "about a state")},
	})
	test(t, [][2]string{
		{"I == INSTANCE V WITH K <- 1, v <- x A == (I!A)'", ""},
		{"I == INSTANCE V WITH K <- x, v <- x", above("3:27", "what stands for K", "about a state", "constant")},
		{"I == INSTANCE V WITH K <- 1, v <- x'", above("3:36", "what stands for v", "about a step", "about a state")},
		{"I == INSTANCE C WITH K <- x' A == I!A", ""},
		{"I == INSTANCE C WITH K <- x' A == I!A'", above("3:35", "what ' is applied to", "about a step", "about a state")},
		{"I(b) == INSTANCE C WITH K <- b A == I(x)!A' B == I(x')!A'", above("3:50", "what ' is applied to", "about a step", "about a state")},
		{"INSTANCE C WITH K <- x' B == A'", above("3:30", "what ' is applied to", "about a step", "about a state")},
	}, "V: CONSTANT K VARIABLE v\nA == K = v", "C: CONSTANT K\nA == K = 1")
}
