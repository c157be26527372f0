package spec

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// check loads and checks a module M, and says what came of it in one line: the claims that are not true, the counts of
// states, and the actions of the last trace.
func check(t *testing.T, module, configuration string, o Options) string {
	t.Helper()
	folder := write(t, map[string]string{"M.tla": "---- MODULE M ----\n" + module + "\n====\n", "M.cfg": configuration})
	s, err := Load(filepath.Join(folder, "M.tla"), "")
	if err != nil {
		return "load: " + strings.ReplaceAll(err.Error(), folder+string(filepath.Separator), "")
	}
	r, err := s.Check(t.Context(), o)
	if err != nil {
		return err.Error()
	}
	var said []string
	for _, c := range r.Claims {
		if c.Verdict == statespace.Holds {
			continue
		}
		line := fmt.Sprintf("%s %s", c.Name, [...]string{"inconclusive", "holds", "violated"}[c.Verdict])
		if c.Reason != "" {
			line += " (" + c.Reason + ")"
		}
		if c.Trace != nil {
			var actions []string
			for _, state := range c.Trace.States[1:] {
				actions = append(actions, state.Action)
			}
			line += fmt.Sprintf(" by %v", actions)
			if c.Trace.Loop >= 0 {
				line += fmt.Sprintf(" loop %d", c.Trace.Loop)
			}
		}
		said = append(said, line)
	}
	return strings.Join(append(said, fmt.Sprintf("%d states, %d generated, depth %d", r.Stats.States, r.Stats.Transitions, r.Stats.Levels)), "; ")
}

// commit is the two-phase commit of Gray and Lamport, in our own words; package statespace has it as a model written in
// Go, with the counts that other checkers give.
const commit = `EXTENDS Naturals, FiniteSets, TLC
CONSTANT Managers
VARIABLES manager, coordinator, heard, sent
vars == <<manager, coordinator, heard, sent>>
Prepared(m) == [kind |-> "prepared", from |-> m]
Commit == [kind |-> "commit"]
Abort == [kind |-> "abort"]
Init == /\ manager = [m \in Managers |-> "working"]
        /\ coordinator = "open"
        /\ heard = {}
        /\ sent = {}
Hear(m) == /\ coordinator = "open"
           /\ Prepared(m) \in sent
           /\ heard' = heard \cup {m}
           /\ UNCHANGED <<manager, coordinator, sent>>
Decide == /\ coordinator = "open" /\ heard = Managers
          /\ coordinator' = "committed"
          /\ sent' = sent \cup {Commit}
          /\ UNCHANGED <<manager, heard>>
GiveUp == /\ coordinator = "open"
          /\ coordinator' = "aborted"
          /\ sent' = sent \cup {Abort}
          /\ UNCHANGED <<manager, heard>>
Prepare(m) == /\ manager[m] = "working"
              /\ manager' = [manager EXCEPT ![m] = "prepared"]
              /\ sent' = sent \cup {Prepared(m)}
              /\ UNCHANGED <<coordinator, heard>>
Refuse(m) == /\ manager[m] = "working"
             /\ manager' = [manager EXCEPT ![m] = "aborted"]
             /\ UNCHANGED <<coordinator, heard, sent>>
Obey(m, message, outcome) == /\ message \in sent
                             /\ manager' = [manager EXCEPT ![m] = outcome]
                             /\ UNCHANGED <<coordinator, heard, sent>>
Next == Decide \/ GiveUp \/ \E m \in Managers :
          Hear(m) \/ Prepare(m) \/ Refuse(m) \/ Obey(m, Commit, "committed") \/ Obey(m, Abort, "aborted")
Spec == Init /\ [][Next]_vars
Consistent == \A m, n \in Managers : ~(manager[m] = "committed" /\ manager[n] = "aborted")
Symmetric == Permutations(Managers)
`

func TestCountsOfTwoPhaseCommit(t *testing.T) {
	for _, c := range []struct{ managers, more, want string }{
		{"m1, m2", "", "56 states, 154 generated, depth 8"},
		{"m1, m2, m3", "", "288 states, 1146 generated, depth 11"},
		{"m1, m2, m3, m4", "", "1568 states, 8258 generated, depth 14"},
		{"m1, m2, m3, m4, m5, m6", "", "50816 states, 402306 generated, depth 20"},
		{"m1, m2, m3", "SYMMETRY Symmetric", "80 states, 317 generated, depth 11"},
		{"m1, m2, m3, m4, m5", "SYMMETRY Symmetric", "314 states, 2047 generated, depth 17"},
		{"m1, m2, m3, m4, m5, m6, m7, m8", "SYMMETRY Symmetric", "1461 states, 15286 generated, depth 26"},
	} {
		cfg := "CONSTANT Managers = {" + c.managers + "}\nSPECIFICATION Spec\nINVARIANT Consistent\nCHECK_DEADLOCK FALSE\n" + c.more
		for workers := 1; workers <= 3; workers += 2 {
			got := check(t, commit, cfg, Options{Workers: workers})
			if c.more != "" { // Generated counts the initial state, transitions of the quotient do not.
				got, c.want = got[:strings.Index(got, ",")], c.want[:strings.Index(c.want+",", ",")]
			}
			if got != c.want {
				t.Errorf("%s %s, %d workers: %s, want %s", c.managers, c.more, workers, got, c.want)
			}
		}
	}
}

// TestSymmetryOfManyValues: of the permutations of twenty values nobody makes a list.
func TestSymmetryOfManyValues(t *testing.T) {
	const module = `EXTENDS TLC
CONSTANTS S, T
VARIABLES up, down
Init == up = {} /\ down = {}
Next == (\E s \in S \ up : up' = up \cup {s} /\ UNCHANGED down) \/ (\E t \in T \ down : down' = down \cup {t} /\ UNCHANGED up)
Of(set) == Permutations(set)
All == Permutations(S)
Both == All \cup (Permutations(T))
Called == Of(T)
`
	const sets = "CONSTANTS S = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t} T = {u, v, w}\n"
	for symmetry, want := range map[string]string{
		"SYMMETRY Both":         "84 states",  // 21 numbers of one, 4 of the other
		"SYMMETRY All":          "168 states", // 21 numbers, 8 sets
		"SYMMETRY All, Called,": "84 states",
	} {
		cfg := sets + "INIT Init NEXT Next CHECK_DEADLOCK FALSE " + strings.ReplaceAll(symmetry, ",", "")
		if got, _, _ := strings.Cut(check(t, module, cfg, Options{}), ","); got != want {
			t.Errorf("%s: %s, want %s", symmetry, got, want)
		}
	}
}

// clock counts to a bound and begins again.
const clock = `EXTENDS Naturals, TLC
VARIABLES x, y
vars == <<x, y>>
Init == x = 0 /\ y \in 0..1
Tick == x < 3 /\ x' = x + 1 /\ y' = y
Reset == x = 3 /\ x' = 0 /\ UNCHANGED y
Flip == y' = 1 - y /\ UNCHANGED x
Next == Tick \/ Reset \/ Flip
Spec == Init /\ [][Next]_vars
Fair == Spec /\ WF_vars(Tick) /\ WF_vars(Reset)
Small == x < 2
`

func TestChecks(t *testing.T) {
	for _, c := range []struct{ name, module, cfg, want string }{
		{"invariant", clock + "I == x # 2", "SPECIFICATION Spec INVARIANT I", "I violated by [Tick Tick]; no deadlock inconclusive (the search ended at a violation); 6 states, 10 generated, depth 3"},
		{"INIT and NEXT", clock, "INIT Init NEXT Next", "8 states, 18 generated, depth 4"},
		{"constraint", clock, "SPECIFICATION Spec CONSTRAINT Small", "4 states, 8 generated, depth 2"},
		{"an invariant is looked at outside of the constraint, too", clock + "I == x # 2", "SPECIFICATION Spec CONSTRAINT Small INVARIANT I", "I violated by [Tick Tick]; no deadlock inconclusive (the search ended at a violation); 6 states, 10 generated, depth 3"},
		{"action constraint", clock + "Up == x' >= x", "SPECIFICATION Spec ACTION_CONSTRAINT Up", "8 states, 16 generated, depth 4"},
		{"view", clock, "SPECIFICATION Spec VIEW x", "4 states, 10 generated, depth 4"},
		{"deadlock", clock + "Ends == Init /\\ [][Tick]_vars", "SPECIFICATION Ends", "no deadlock violated by [Tick Tick Tick]; 8 states, 10 generated, depth 4"},
		{"deadlock that is allowed", clock + "Ends == Init /\\ [][Tick]_vars", "SPECIFICATION Ends CHECK_DEADLOCK FALSE", "8 states, 8 generated, depth 4"},
		{"assertion", clock + "Sure == x < 3 /\\ Assert(x < 2, \"too far\") /\\ Tick\nA == Init /\\ [][Sure]_vars", "SPECIFICATION A", "no deadlock inconclusive (the model failed); assertions violated (too far) by [Sure Sure]; 6 states, 6 generated, depth 3"},
		{"no value", clock + "F == <<1, 1>>\nB == F[x + 1] = 1 /\\ Tick\nA == Init /\\ [][B]_vars", "SPECIFICATION A", "no deadlock inconclusive (the model failed); every expression has a value violated (<<1, 1>> is applied to 3, which is not in its domain) by [B B]; 6 states, 6 generated, depth 3"},
		{"a variable without a value", clock + "B == x' = x\nA == Init /\\ [][B]_vars", "SPECIFICATION A", "no deadlock inconclusive (the model failed); every expression has a value violated (B leaves y' without a value) by []; 2 states, 2 generated, depth 1"},
		{"assumption", clock + "ASSUME Wrong == 1 > 2", "SPECIFICATION Spec", "the assumption Wrong is false violated (the assumption Wrong is false); 0 states, 0 generated, depth 0"},
		{"no behaviours", "EXTENDS Naturals\nASSUME 1 < 2", "", "0 states, 0 generated, depth 0"},
		{"steps", clock + "P == [][x' # 0]_x", "SPECIFICATION Spec PROPERTY P", "P violated by [Tick Tick Tick Reset]; 8 states, 18 generated, depth 4"},
		{"liveness without fairness", clock + "P == <>(x = 3)", "SPECIFICATION Spec PROPERTY P", "P violated by [] loop 0; 8 states, 18 generated, depth 4"},
		{"eventually", clock + "P == <>(x = 3)", "SPECIFICATION Fair PROPERTY P", "8 states, 18 generated, depth 4"},
		{"again and again", clock + "P == []<>(x = 0) /\\ []<>(x = 3)", "SPECIFICATION Fair PROPERTY P", "8 states, 18 generated, depth 4"},
		{"leads to", clock + "P == x = 1 ~> x = 0", "SPECIFICATION Fair PROPERTY P", "8 states, 18 generated, depth 4"},
		{"nothing makes y flip", clock + "P == []<>(y = 0)", "SPECIFICATION Fair PROPERTY P", "P violated by [Tick Tick Tick Reset] loop 0; 8 states, 18 generated, depth 4"},
		{"one implies the other", clock + "P == []<>(y = 0) => []<>(x = 3)", "SPECIFICATION Fair PROPERTY P", "8 states, 18 generated, depth 4"},
		{"fairness that is only enough if strong", clock + "P == []<>(y = 0)\nW == Spec /\\ WF_vars(y = 1 /\\ x = 3 /\\ Flip) /\\ WF_vars(Tick) /\\ WF_vars(Reset)", "SPECIFICATION W PROPERTY P", "P violated by [Tick Tick Tick Reset] loop 0; 8 states, 18 generated, depth 4"},
		{"strong fairness", clock + "P == []<>(y = 0)\nW == Spec /\\ SF_vars(y = 1 /\\ x = 3 /\\ Flip) /\\ WF_vars(Tick) /\\ WF_vars(Reset)", "SPECIFICATION W PROPERTY P", "8 states, 18 generated, depth 4"},
		{"quantified fairness", clock + "Pick(i) == y' = i /\\ y # i /\\ UNCHANGED x\nP == []<>(y = 0)\nW == Spec /\\ \\A i \\in 0..1 : WF_vars(Pick(i))", "SPECIFICATION W PROPERTY P", "8 states, 18 generated, depth 4"},
		{"fairness and properties of pairs", clock + "Pick(i) == y' = i /\\ y # i /\\ UNCHANGED x\nPairs == {<<0, 1>>, <<1, 0>>}\nP == \\A <<i, j>> \\in Pairs : y = i ~> y = j\nW == Spec /\\ \\A <<i, j>> \\in Pairs : WF_vars(Pick(i) /\\ i # j)", "SPECIFICATION W PROPERTY P", "8 states, 18 generated, depth 4"},
		{"a property of what are no pairs", clock + "P == \\A <<i, j>> \\in {<<0>>} : <>(y = j)", "SPECIFICATION Spec PROPERTY P", "load: M.tla:13:11: <<0>> has not the 2 parts that are named"},
		{"hidden variables", clock + "P == \\EE z : <>(y = z)", "SPECIFICATION Spec PROPERTY P", "load: M.tla:13:6: \\AA and \\EE are not supported"},
		{"refinement", clock + "---- MODULE Bit ----\nVARIABLE b\nBitInit == b \\in 0..1\nBitNext == b' = 1 - b\nBitSpec == BitInit /\\ [][BitNext]_b\n====\nB == INSTANCE Bit WITH b <- y\nP == B!BitSpec", "SPECIFICATION Spec PROPERTY P", "8 states, 18 generated, depth 4"},
		{"refinement that fails", clock + "---- MODULE Bit ----\nVARIABLE b\nBitInit == b = 0\nBitSpec == BitInit /\\ [][b' = 0]_b\n====\nB == INSTANCE Bit WITH b <- y\nP == B!BitSpec", "SPECIFICATION Spec PROPERTY P", "no deadlock inconclusive (the search ended at a violation); P violated by []; 2 states, 2 generated, depth 1"},
		{"override", clock + "CONSTANT C\nLimit == C\nI == x < Limit", "SPECIFICATION Spec INVARIANT I CONSTANTS C = 1 Limit <- Four\n", "load: M.cfg:1:57: Four is not defined"},
		{"what is not there", clock, "SPECIFICATION Spec INVARIANT Absent", "load: M.cfg:1:30: Absent is not defined in the specification"},
		{"a constant without a value", clock + "CONSTANT C\nI == x < C", "SPECIFICATION Spec INVARIANT I", "load: M.tla:14:10: the constant C has no value: the configuration has to give it one"},
		{"syntax", clock + "I == x <", "SPECIFICATION Spec", "load: M.tla:14:1: unexpected ====; an expression is expected"},
		{"an algorithm", "EXTENDS Naturals, TLC\n(* --algorithm count { variable n = 0; { a: while (n < 2) { n := n + 1 }; b: assert n = 3 } } *)", "SPECIFICATION Spec", "no deadlock inconclusive (the model failed); assertions violated"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := check(t, c.module, c.cfg, Options{})
			if c.name == "an algorithm" {
				got = got[:min(len(got), len(c.want))]
			}
			if got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestAConstantOfAModuleThatIsNotThere(t *testing.T) {
	folder := write(t, map[string]string{
		"M.tla": "---- MODULE M ----\n" + clock + "One == 1\n====\n",
		"M.cfg": "SPECIFICATION Spec\nCONSTANT Limit <- [Absent] One",
	})
	s, err := Load(filepath.Join(folder, "M.tla"), "")
	if err != nil {
		t.Fatal(err)
	}
	if w := s.Warnings(); len(w) != 1 || w[0].At.Line != 2 || !strings.Contains(w[0].Problem, "uses a module Absent") {
		t.Errorf("%+v", w)
	}
}

func TestActionsThatAreNeverTaken(t *testing.T) {
	folder := write(t, map[string]string{
		"M.tla": "---- MODULE M ----\n" + clock + "Late(i) == x = 4 + i /\\ x' = 0 /\\ y' = y\nMore == Init /\\ [][Next \\/ \\E i \\in 0..2 : Late(i)]_vars\n====\n",
		"M.cfg": "SPECIFICATION More",
	})
	s, err := Load(filepath.Join(folder, "M.tla"), "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Check(t.Context(), Options{})
	if err != nil || len(r.NeverTaken) != 1 || r.NeverTaken[0].Name != "Late" || r.NeverTaken[0].At.Line != 13 {
		t.Errorf("%+v, %v; want Late", r.NeverTaken, err)
	}
}

// TestCoverage: the counts of the actions are those of the search, and add up with the initial states.
func TestCoverage(t *testing.T) {
	folder := write(t, map[string]string{
		"M.tla": "---- MODULE M ----\nEXTENDS Integers\nVARIABLES x, y\nUp(i) == x + i < 4 /\\ x' = x + i /\\ UNCHANGED y\nTurn == y' = 1 - y /\\ x' = x\nBack == x = 9 /\\ x' = 0 /\\ y' = y\n" +
			"Spec == x = 0 /\\ y = 0 /\\ [][(\\E i \\in 1..2 : Up(i)) \\/ Turn \\/ Back]_<<x, y>>\n====\n",
		"M.cfg": "SPECIFICATION Spec",
	})
	s, err := Load(filepath.Join(folder, "M.tla"), "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Check(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range r.Actions {
		got = append(got, fmt.Sprintf("%s %d: %d %d", a.Name, a.At.Line, a.Transitions, a.States))
	}
	if want := []string{"Up 4: 10 3", "Turn 5: 8 4", "Back 6: 0 0"}; !slices.Equal(got, want) || !slices.Equal(r.Stats.Sizes, []int{1, 3, 3, 1}) {
		t.Errorf("actions %q, want %q; levels %v", got, want, r.Stats.Sizes)
	}
	if want := []ValueCount{{"x", 4}, {"y", 2}}; !slices.Equal(r.Values, want) {
		t.Errorf("values %v, want %v", r.Values, want)
	}
}

// TestLevels: TLCGet("level") is how far a state is from the initial ones, in all that is evaluated of it. The counts
// and what is printed are TLC's.
func TestLevels(t *testing.T) {
	const module = "---- MODULE M ----\nEXTENDS Naturals, TLC\nVARIABLES x, y\nInit == x = 0 /\\ y \\in 0..1\nNext == x < 9 /\\ x' = x + TLCGet(\"level\") /\\ y' = 1 - y\n" +
		"Inv == TLCGet(\"level\") < 4\nStep == [][TLCGet(\"level\") < 3]_x\nCon == TLCGet(\"level\") < 4\nAct == TLCGet(\"level\") < 3\nV == <<x % 2, TLCGet(\"level\")>>\n" +
		"Al == [x |-> x, l |-> TLCGet(\"level\")]\nS == Init /\\ [][Next]_<<x, y>>\n" +
		"Post == PrintT(<<TLCGet(\"stats\").diameter, TLCGet(\"distinct\"), TLCGet(\"config\").mode>>)\n====\n"
	for _, c := range []struct{ cfg, printed, steps string }{
		{"INIT Init NEXT Next INVARIANT Inv ALIAS Al CHECK_DEADLOCK FALSE", "", "0 1, 1 2, 3 3, 6 4"},
		{"SPECIFICATION S PROPERTY Step CHECK_DEADLOCK FALSE ALIAS Al", "", "0 1, 1 2, 3 3, 6 4"},
		{"INIT Init NEXT Next CONSTRAINT Con POSTCONDITION Post CHECK_DEADLOCK FALSE", `<<3, 6, "bfs">>`, ""},
		{"INIT Init NEXT Next ACTION_CONSTRAINT Act POSTCONDITION Post CHECK_DEADLOCK FALSE", `<<3, 6, "bfs">>`, ""},
		{"INIT Init NEXT Next VIEW V POSTCONDITION Post CHECK_DEADLOCK FALSE", `<<5, 5, "bfs">>`, ""},
	} {
		folder := write(t, map[string]string{"M.tla": module, "M.cfg": c.cfg})
		s, err := Load(filepath.Join(folder, "M.tla"), "")
		if err != nil {
			t.Fatal(err)
		}
		printed, shown := "", []string{}
		r, err := s.Check(t.Context(), Options{Print: func(line string) { printed += line }})
		if err != nil {
			t.Errorf("%s: %v", c.cfg, err)
			continue
		}
		for _, claim := range r.Claims {
			for _, state := range tracedStates(claim) {
				shown = append(shown, value.Format(state.Values[0])+" "+value.Format(state.Values[1]))
			}
		}
		if printed != c.printed || strings.Join(shown, ", ") != c.steps {
			t.Errorf("%s: it prints %q and shows %q; want %q, %q", c.cfg, printed, shown, c.printed, c.steps)
		}
	}
	folder := write(t, map[string]string{"M.tla": module, "M.cfg": "INIT Init NEXT Next INVARIANT Inv ALIAS Al CHECK_DEADLOCK FALSE"})
	s, err := Load(filepath.Join(folder, "M.tla"), "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Simulate(t.Context(), Walks{Number: 1, Steps: 9, Seed: 1}, Options{})
	if err != nil || len(tracedStates(r.Claims[0])) != 4 {
		t.Errorf("a random behaviour violates Inv with %d states, %v; want 4", len(tracedStates(r.Claims[0])), err)
	}
}

// tracedStates are those of a claim's trace.
func tracedStates(c Claim) []State {
	if c.Trace == nil {
		return nil
	}
	return c.Trace.States
}

func TestSimulation(t *testing.T) {
	simulate := func(module, cfg string, w Walks) string {
		folder := write(t, map[string]string{"M.tla": "---- MODULE M ----\n" + module + "\n====\n", "M.cfg": cfg})
		s, err := Load(filepath.Join(folder, "M.tla"), "")
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Simulate(t.Context(), w, Options{})
		if err != nil {
			return err.Error()
		}
		c := r.Claims[len(r.Claims)-1]
		steps := -1
		if c.Trace != nil {
			steps = len(c.Trace.States) - 1
		}
		return fmt.Sprintf("%s %s %q %d", c.Name, [...]string{"inconclusive", "holds", "violated"}[c.Verdict], c.Reason, steps)
	}
	for _, c := range []struct{ name, module, cfg, want string }{
		{"an invariant", clock + "I == x # 2", "SPECIFICATION Spec CHECK_DEADLOCK FALSE INVARIANT I", `I violated "" 2`},
		{"nothing is found", clock + "I == x < 4", "SPECIFICATION Spec CHECK_DEADLOCK FALSE INVARIANT I", `I inconclusive "20 random behaviours of up to 30 steps show nothing" -1`},
		{"a deadlock", clock + "Ends == Init /\\ [][Tick]_vars", "SPECIFICATION Ends", `no deadlock violated "" 3`},
		{"no value", clock + "F == <<1, 1>>\nB == F[x + 1] = 1 /\\ Tick\nA == Init /\\ [][B]_vars", "SPECIFICATION A", `every expression has a value violated "<<1, 1>> is applied to 3, which is not in its domain" 2`},
	} {
		for seed := range uint64(3) {
			got := simulate(c.module, c.cfg, Walks{Number: 20, Steps: 30, Seed: seed})
			if c.name == "an invariant" { // How long a random behaviour is that shows it is chance.
				got, c.want = got[:len("I violated")], c.want[:len("I violated")]
			}
			if got != c.want {
				t.Errorf("%s, seed %d: got %s, want %s", c.name, seed, got, c.want)
			}
		}
	}
}
