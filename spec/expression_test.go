package spec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// write makes a folder of files.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// evaluate returns what PrintT shows of an expression, or what is wrong with it.
func evaluate(t *testing.T, definitions, expression string, more ...string) string {
	t.Helper()
	modules := ""
	for _, m := range more {
		modules += ", " + m
	}
	folder := write(t, map[string]string{
		"M.tla": "---- MODULE M ----\nEXTENDS Integers, Sequences, FiniteSets, TLC, Bags" + modules + "\n" + definitions + "\nASSUME PrintT(" + expression + ")\n====\n",
		"M.cfg": "",
	})
	s, err := Load(filepath.Join(folder, "M.tla"), "")
	if err != nil {
		return "load: " + err.Error()[strings.Index(err.Error(), ": ")+2:]
	}
	shown := ""
	r, err := s.Check(t.Context(), Options{Print: func(line string) { shown = line }})
	if err != nil {
		return err.Error()
	}
	for _, c := range r.Claims {
		if c.Verdict != statespace.Holds {
			return "error: " + strings.ReplaceAll(c.Reason, folder+string(filepath.Separator), "")
		}
	}
	return shown
}

var expressions = []struct{ expression, want string }{
	// Numbers.
	{"1 + 2 * 3 - 4", "3"},
	{"(-7) \\div 2", "-4"},
	{"-7 \\div 2", "-3"},
	{"-7 % 2", "1"},
	{"7 \\div (-2)", "-4"},
	{"2 ^ 10", "1024"},
	{"-(3)", "-3"},
	{"-(-3)", "3"},
	{"-(-(-3))", "-3"},
	{"10 - 3 - 2", "5"},
	{"1..0", "{}"},
	{"3 \\in 1..5", "TRUE"},
	{"\\b101 + \\hFF + \\o17", "275"},
	{"9223372036854775807 + 1", "error: 9223372036854775807 + 1 is too large for a number of 64 bits"},
	{"1 \\div 0", "error: 1 \\div 0 is not defined"},
	{"5 % -3", "error: 5 % -3: the divisor has to be positive"},
	// Logic.
	{"TRUE /\\ FALSE \\/ TRUE", "load: \\/ after /\\: which binds is not defined; put parentheses"},
	{"FALSE => 1 = \"a\"", "TRUE"},
	{"~TRUE \\/ TRUE", "TRUE"},
	{"TRUE <=> FALSE", "FALSE"},
	{"IF 1 < 2 THEN \"yes\" ELSE 1 \\div 0", "\"yes\""},
	{"CASE 1 > 2 -> 1 [] 2 > 1 -> 2 [] OTHER -> 3", "2"},
	{"CASE FALSE -> 1", "error: no condition of this CASE is true, and there is no OTHER"},
	{"1 /\\ TRUE", "error: a part of a conjunction is 1, TRUE or FALSE is expected"},
	// Unlike values are not unequal: they cannot be compared.
	{"1 = \"a\"", "error: 1 and \"a\" cannot be compared"},
	{"{1} = 1", "error: {1} and 1 cannot be compared"},
	{"{1, \"a\"}", "error: 1 and \"a\" cannot be compared"},
	{"<<>> = [x \\in {} |-> 1]", "TRUE"},
	{"{} = {}", "TRUE"},
	{"\"a\" \\in {1}", "error: \"a\" and 1 cannot be compared"},
	{"1 \\in {}", "FALSE"},
	// Sets.
	{"{3, 1, 2, 1}", "{1, 2, 3}"},
	{"{1, 2} \\cup {2, 3}", "{1, 2, 3}"},
	{"{1, 2} \\cap {2, 3}", "{2}"},
	{"{1, 2} \\ {2, 3}", "{1}"},
	{"{x \\in 1..6 : x % 2 = 0}", "{2, 4, 6}"},
	{"{x * x : x \\in -2..2}", "{0, 1, 4}"},
	{"{<<x, y>> \\in (1..2) \\X (1..2) : x < y}", "{<<1, 2>>}"},
	{"{x + y : x \\in 1..2, y \\in {10, 20}}", "{11, 12, 21, 22}"},
	{"SUBSET {1, 2}", "{{}, {1}, {2}, {1, 2}}"},
	{"UNION {{1}, {2, 3}, {}}", "{1, 2, 3}"},
	{"{1} \\subseteq {1, 2}", "TRUE"},
	{"Cardinality(SUBSET (1..20))", "1048576"},
	{"{2, 1} \\in SUBSET Nat", "TRUE"},
	{"IsFiniteSet(Nat)", "FALSE"},
	{"Cardinality(Nat)", "error: Cardinality is asked of Nat, which has no end"},
	{"SUBSET 1..2", "error: what SUBSET is of is 1, a set is expected"},
	{"1..3 = {1, 2, 3}", "TRUE"},
	{"BOOLEAN", "{FALSE, TRUE}"},
	{"\"x\" \\in STRING", "TRUE"},
	{"-1 \\in Nat", "FALSE"},
	{"-1 \\in Int", "TRUE"},
	{"CHOOSE x \\in {3, 1, 2} : x > 1", "2"},
	{"CHOOSE x \\in {} : TRUE", "error: CHOOSE finds nothing: no member of the set satisfies the condition"},
	{"\\E x \\in 1..3, y \\in 1..3 : x + y = 6", "TRUE"},
	{"\\A x \\in {} : 1 = \"a\"", "TRUE"},
	{"\\E <<x, y>> \\in {<<1, 2>>} : x > y", "FALSE"},
	// Tuples of names take tuples of as many items.
	{"\\E <<x, y>> \\in {<<1>>} : x > y", "error: <<1>> has not the 2 parts that are named"},
	{"{x : <<x, y>> \\in {<<1, 2, 3>>}}", "error: <<1, 2, 3>> has not the 2 parts that are named"},
	{"{<<x, y>> \\in {<<1, 2, 3>>} : x < y}", "error: <<1, 2, 3>> has not the 2 parts that are named"},
	{"[<<x, y>> \\in {<<1, 2, 3>>} |-> x]", "error: <<1, 2, 3>> has not the 2 parts that are named"},
	{"[<<x, y>> \\in {<<1>>}, z \\in {1} |-> x]", "error: <<1>> has not the 2 parts that are named"},
	{"CHOOSE <<x, y>> \\in {1} : x < y", "error: what a tuple of names ranges over is 1, a sequence is expected"},
	{"(1..2) \\X {\"a\"}", "{<<1, \"a\">>, <<2, \"a\">>}"},
	// Functions, sequences and records are one kind.
	{"[x \\in 1..3 |-> x * x]", "<<1, 4, 9>>"},
	{"[x \\in {2} |-> x]", "(2 :> 2)"},
	{"<<\"a\">> = [x \\in {1} |-> \"a\"]", "TRUE"},
	{"[a |-> 1, b |-> 2] = [x \\in {\"a\", \"b\"} |-> IF x = \"a\" THEN 1 ELSE 2]", "TRUE"},
	{"[b |-> 2, a |-> 1]", "[a |-> 1, b |-> 2]"},
	{"[a |-> 1].a", "1"},
	{"[a |-> 1].b", "error: [a |-> 1] has no field b"},
	{"<<1, 2>>[3]", "error: <<1, 2>> is applied to 3, which is not in its domain"},
	{"DOMAIN [a |-> 1, b |-> 2]", "{\"a\", \"b\"}"},
	{"DOMAIN <<7, 8>>", "1..2"},
	{"[x \\in 1..2, y \\in 1..2 |-> x + y][2, 1]", "3"},
	{"[1..2 -> {0, 1}]", "{<<0, 0>>, <<0, 1>>, <<1, 0>>, <<1, 1>>}"},
	{"SUBSET (1..9)", "SUBSET (1..9)"},
	{"Cardinality([1..3 -> BOOLEAN])", "8"},
	{"<<0, 1>> \\in [1..2 -> {0, 1}]", "TRUE"},
	{"{f \\in [1..2 -> 0..1] : f[1] < f[2]}", "{<<0, 1>>}"},
	{"[a : 1..2, b : {3}]", "{[a |-> 1, b |-> 3], [a |-> 2, b |-> 3]}"},
	{"[a |-> 1, b |-> 3] \\in [a : 1..2, b : {3}]", "TRUE"},
	{"Cardinality([a : 1..2, b : BOOLEAN])", "4"},
	{"[<<1, 2, 3>> EXCEPT ![2] = @ + 10, ![3] = 0]", "<<1, 12, 0>>"},
	{"[[a |-> [b |-> 1]] EXCEPT !.a.b = @ + 1]", "[a |-> [b |-> 2]]"},
	{"[<<1>> EXCEPT ![2] = 5]", "<<1>>"},
	{"[<<<<1, 2>>>> EXCEPT ![1][2] = 9]", "<<<<1, 9>>>>"},
	{"Len(<<1, 2>> \\o <<3>>)", "3"},
	{"Append(<<1>>, 2)", "<<1, 2>>"},
	{"Head(<<>>)", "error: Head is applied to the empty sequence"},
	{"Tail(<<1, 2>>)", "<<2>>"},
	{"SubSeq(<<1, 2, 3>>, 2, 3)", "<<2, 3>>"},
	{"SubSeq(<<1>>, 2, 1)", "<<>>"},
	{"SelectSeq(<<1, 2, 3>>, LAMBDA x : x > 1)", "<<2, 3>>"},
	{"<<1, 2>> \\in Seq(Nat)", "TRUE"},
	{"\"ab\" \\o \"cd\"", "\"abcd\""},
	{"Len(\"abc\")", "3"},
	{"1 :> \"a\" @@ 2 :> \"b\"", "<<\"a\", \"b\">>"},
	{"(1 :> 2) @@ (1 :> 3)", "<<2>>"},
	{"Cardinality(Permutations({1, 2, 3}))", "6"},
	{"SortSeq(<<3, 1, 2>>, <)", "<<1, 2, 3>>"},
	{"ToString([a |-> {1}])", "\"[a |-> {1}]\""},
	{"BagCardinality(SetToBag({1, 2}) (+) SetToBag({2}))", "3"},
	// Definitions.
	{"LET Double(x) == 2 * x  y == Double(4) IN y + Double(1)", "10"},
	{"LET f[n \\in Nat] == IF n = 0 THEN 1 ELSE n * f[n - 1] IN f[10]", "3628800"},
	{"LET RECURSIVE Sum(_) Sum(S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \\in S : TRUE IN x + Sum(S \\ {x}) IN Sum(1..10)", "55"},
	{"LET Twice(Op(_), x) == Op(Op(x)) IN Twice(LAMBDA x : x + 3, 1)", "7"},
	{"LET a (/) b == a * b IN 3 (/) 4", "12"},
	{"LET y == 1 \\div 0 IN TRUE", "TRUE"},
	{"nothing", "load: nothing is not declared or defined"},
	{"CHOOSE x : x \\notin Nat", "error: CHOOSE without a set has no value that could be found: the configuration can give the definition it is in one"},
	{"@", "load: @ stands outside of EXCEPT"},
	{"Len(1)", "error: the argument of Len is 1, a sequence is expected"},
	{"Len(1, 2)", "load: Len takes 1 argument, and is given 2"},
}

// TestExpressions has a line for each construct, and for each trap of the language.
func TestExpressions(t *testing.T) {
	for _, c := range expressions {
		if got := evaluate(t, "", c.expression); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.expression, got, c.want)
		}
	}
}

func TestDefinitionsOfModules(t *testing.T) {
	for _, c := range []struct{ name, definitions, expression, want string }{
		{"infix", "a \\prec b == a < b", "1 \\prec 2", "TRUE"},
		{"recursive", "RECURSIVE Fib(_)\nFib(n) == IF n < 2 THEN n ELSE Fib(n - 1) + Fib(n - 2)", "Fib(20)", "6765"},
		{"mutually recursive", "RECURSIVE Even(_), Odd(_)\nEven(n) == n = 0 \\/ Odd(n - 1)\nOdd(n) == n # 0 /\\ Even(n - 1)", "Even(101)", "FALSE"},
		{"function", "Square[x \\in Int] == x * x", "Square[12]", "144"},
		{"inner module", "---- MODULE In ----\nCONSTANT C\nPlus(x) == x + C\n====\nI(c) == INSTANCE In WITH C <- c", "I(2)!Plus(3)", "5"},
		{"inner module with a bound name", "---- MODULE In ----\nEXTENDS Naturals\nCONSTANT F\nGood == \\A i \\in 1..2 : F[i] > 0\n====\nI(f) == INSTANCE In WITH F <- f", "{f \\in [1..2 -> 0..1] : I(f)!Good}", "{<<1, 1>>}"},
		{"junctions by their columns", "F(x) == /\\ x > 0\n        /\\ \\/ x < 5\n           \\/ x > 7\n        /\\ x # 3", "{x \\in 0..9 : F(x)}", "{1, 2, 4, 8, 9}"},
		{"endless", "RECURSIVE Down(_)\nDown(n) == Down(n + 1)", "Down(0)", "error: a limit of evaluation is reached: M.tla:4:12: definitions call each other too deeply here, perhaps without end: 524288 expressions would be within each other"},
		{"a symbol handed on", "RECURSIVE Fold(_, _, _)\nFold(op(_, _), base, s) == IF s = <<>> THEN base ELSE op(Head(s), Fold(op, base, Tail(s)))", "Fold(+, 0, <<1, 2, 3>>)", "6"},
		{"symbols of logic handed on", "Two(op(_, _)) == op(TRUE, FALSE)\nOne(op(_)) == op({1})", "<<Two(/\\), Two(\\/), Two(=>), One(SUBSET)>>", "<<FALSE, TRUE, FALSE, {{}, {1}}>>"},
		{"a function in itself", "f[i \\in 0..1] == IF i = 0 THEN 1 ELSE <<f>>", "f", "error: what the function gives for an argument has the function itself in it"},
		{"functions in each other", "f[i \\in 0..1] == LET g[j \\in 0..1] == IF j = 0 THEN 1 ELSE f IN IF i = 0 THEN 1 ELSE g", "f", "error: what the function gives for an argument has the function itself in it"},
		{"a symbol that stands for a constant", "---- MODULE In ----\nCONSTANT F(_, _)\nA == F(1, 2)\n====\nI == INSTANCE In WITH F <- +", "I!A", "3"},
	} {
		if got := evaluate(t, c.definitions, c.expression); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// TestCommunityModules: operators that are built in though they are of no standard module.
func TestCommunityModules(t *testing.T) {
	for _, c := range []struct{ module, expression, want string }{
		{"Folds", "MapThenFoldSet(+, 0, LAMBDA x : x * x, LAMBDA s : CHOOSE x \\in s : TRUE, 1..3)", "14"},
		{"Functions", "Restrict([x \\in 1..4 |-> x * x], {2, 3})", "(2 :> 4 @@ 3 :> 9)"},
		{"Functions", "RestrictDomain(<<5, 6, 7>>, LAMBDA i : i > 2)", "(3 :> 7)"},
		{"Functions", "RestrictValues(<<5, 6, 7>>, LAMBDA v : v < 6)", "<<5>>"},
		{"Functions", "IsRestriction(<<1>>, <<1, 2>>)", "TRUE"},
		{"Functions", "Range(<<3, 1, 3>>)", "{1, 3}"},
		{"Functions", "Pointwise(<<1, 2>>, <<10, 20>>, +)", "<<11, 22>>"},
		{"Functions", "AntiFunction(<<\"a\", \"b\">>)", "[a |-> 1, b |-> 2]"},
		{"Functions", "IsInjective(<<1, 1>>)", "FALSE"},
		{"Functions", "Cardinality(Bijection(1..3, {\"a\", \"b\", \"c\"}))", "6"},
		{"Functions", "Injection(1..2, {1})", "{}"},
		{"Functions", "Cardinality(Surjection(1..3, 1..2))", "6"},
		{"Functions", "<<ExistsInjection(1..2, 1..3), ExistsSurjection(1..2, 1..3), ExistsBijection(1..2, 3..4)>>", "<<TRUE, FALSE, TRUE>>"},
		{"Functions", "<<FoldFunction(LAMBDA x, y : x - y, 0, <<6, 3, 1>>), FoldFunctionOnSet(LAMBDA x, y : Append(y, x), <<>>, <<6, 3, 1>>, {1, 3})>>", "<<4, <<6, 1>>>>"},
		{"Functions", "SumFunctionOnSet(<<1, 2, 4>>, {1, 3})", "5"},
		{"Functions", "SumFunction(<<1, 2>>)", "3"},
		{"Functions", "Restrict([x \\in Nat |-> x * x], Nat)[3]", "9"},
		{"FiniteSetsExt", "<<FoldSet(LAMBDA x, y : Append(y, x), <<>>, 1..3), ReduceSet(LAMBDA x, y : x - y, {1, 6}, 0)>>", "<<<<1, 2, 3>>, 5>>"},
		{"FiniteSetsExt", "<<FoldSet(+, 0, 1..4), SumSet({2, 3}), ProductSet({2, 3}), ReduceSet(LAMBDA x, y : x * y, {2, 5}, 1)>>", "<<10, 5, 6, 10>>"},
		{"FiniteSetsExt", "<<MapThenSumSet(LAMBDA x : x + 1, 1..2), Max(1..5), Min({4, 2}), Quantify(1..5, LAMBDA x : x > 3)>>", "<<5, 5, 2, 2>>"},
		{"FiniteSetsExt", "<<SymDiff({1, 2}, {2, 3}), kSubset(2, 1..3), FlattenSet({{1}, {2}})>>", "<<{1, 3}, {{1, 2}, {1, 3}, {2, 3}}, {1, 2}>>"},
		{"FiniteSetsExt", "Choices({{1, 2}, {3}})", "{{1, 3}, {2, 3}}"},
		{"FiniteSetsExt", "ChooseUnique(1..5, LAMBDA x : x * x = 9)", "3"},
		{"FiniteSetsExt", "Max({})", "error: Max is asked of the empty set"},
		{"BagsExt", "<<BagAdd(SetToBag({1}), 1), BagRemove(SetToBag({1, 2}), 2), BagRemoveAll(<<3, 1>>, 1)>>", "<<<<2>>, <<1>>, (2 :> 1)>>"},
		{"BagsExt", "<<SumBag(2 :> 3), ProductBag(2 :> 3)>>", "<<6, 8>>"},
		{"BagsExt", "FoldBag(LAMBDA s, e : Append(s, e), <<>>, 1 :> 2 @@ 3 :> 1)", "<<1, 1, 3>>"},
		{"SequencesExt", "<<ToSet(<<1, 1>>), SetToSeq({3, 1}), Cardinality(SetToSeqs(1..3)), SetToSortSeq(1..3, >)>>", "<<{1}, <<1, 3>>, 6, <<3, 2, 1>>>>"},
		{"SequencesExt", "<<Reverse(<<1, 2>>), Remove(<<1, 2, 1>>, 1), ReplaceAll(<<1, 2, 1>>, 1, 9), Contains(<<1>>, 2)>>", "<<<<2, 1>>, <<2>>, <<9, 2, 9>>, FALSE>>"},
		{"SequencesExt", "<<InsertAt(<<1, 2>>, 2, 9), ReplaceAt(<<1, 2>>, 2, 9), RemoveAt(<<1, 2>>, 1), RemoveFirst(<<1, 2, 1>>, 1)>>", "<<<<1, 9, 2>>, <<1, 9>>, <<2>>, <<2, 1>>>>"},
		{"SequencesExt", "<<Cons(1, <<2>>), Snoc(1, <<2>>), Front(<<1, 2>>), Last(<<1, 2>>)>>", "<<<<1, 2>>, <<2, 1>>, <<1>>, 2>>"},
		{"SequencesExt", "<<IsPrefix(<<1>>, <<1, 2>>), IsStrictPrefix(<<1>>, <<1>>), IsSuffix(<<2>>, <<1, 2>>), IsStrictSuffix(<<2>>, <<2>>)>>", "<<TRUE, FALSE, TRUE, FALSE>>"},
		{"SequencesExt", "<<LongestCommonPrefix({<<1, 2, 3>>, <<1, 2>>}), Suffixes(<<1, 2>>), SeqMod(4, 2)>>", "<<<<1, 2>>, {<<>>, <<2>>, <<1, 2>>}, 2>>"},
		{"SequencesExt", "<<RemoveAt(<<1, 2>>, 0), RemoveAt(<<1, 2>>, 3), InsertAt(<<1, 2>>, 3, 9)>>", "<<<<1, 2>>, <<1, 2>>, <<1, 2, 9>>>>"},
		{"SequencesExt", "RemoveAt(<<1, 2>>, 4)", "error: SubSeq from 1 to 3 is outside of a sequence of length 2"},
		{"SequencesExt", "<<FoldSeq(-, 0, <<6, 3, 1>>), FoldLeft(-, 10, <<5, 3>>), FoldRight(-, <<5, 3>>, 1)>>", "<<4, 2, 3>>"},
		{"SequencesExt", "<<FlattenSeq(<<<<1>>, <<2>>>>), Zip(<<1, 2>>, <<3>>), Interleave(<<1>>, <<2>>)>>", "<<<<1, 2>>, <<<<1, 3>>>>, <<<<1>>, <<2>>>>>>"},
		{"SequencesExt", "<<SelectInSeq(<<1, 2, 3>>, LAMBDA x : x > 1), SelectLastInSeq(<<1, 2, 3>>, LAMBDA x : x > 1)>>", "<<2, 3>>"},
		{"SequencesExt", "<<SubSeqs(<<1, 2>>), AllSubSeqs(<<1, 2, 3>>)>>", "<<{<<>>, <<1>>, <<2>>, <<1, 2>>}, {<<>>, <<1>>, <<2>>, <<3>>, <<1, 2>>, <<1, 3>>, <<2, 3>>, <<1, 2, 3>>}>>"},
		{"SequencesExt", "<<ReplaceFirstSubSeq(<<9>>, <<1>>, <<2, 1, 1>>), ReplaceAllSubSeqs(<<>>, <<1>>, <<2, 1, 1>>), IndexFirstSubSeq(<<1>>, <<2, 1>>)>>", "<<<<2, 9, 1>>, <<2>>, 2>>"},
	} {
		if got := evaluate(t, "", c.expression, c.module); got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.module, c.expression, got, c.want)
		}
	}
}

// TestAModuleOfTheUserStaysTheirs: a file is read instead of what is built in, and what it defines otherwise is not
// replaced.
func TestAModuleOfTheUserStaysTheirs(t *testing.T) {
	folder := write(t, map[string]string{
		"M.tla":     "---- MODULE M ----\nEXTENDS Folds, TLC\nASSUME PrintT(Own)\n====\n",
		"Folds.tla": "---- MODULE Folds ----\nOwn == \"own\"\n====\n",
		"M.cfg":     "",
	})
	s, err := Load(filepath.Join(folder, "M.tla"), "")
	if err != nil {
		t.Fatal(err)
	}
	shown := ""
	if _, err := s.Check(t.Context(), Options{Print: func(line string) { shown = line }}); err != nil || shown != `"own"` {
		t.Errorf("%s, %v", shown, err)
	}
}
