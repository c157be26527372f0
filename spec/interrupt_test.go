package spec

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// TestEvaluationIsInterrupted has expressions that would not come to their end for years.
func TestEvaluationIsInterrupted(t *testing.T) {
	const begins = `EXTENDS Naturals, FiniteSets
CONSTANT N
VARIABLE x
All == SUBSET (1..60)
Huge == CHOOSE s \in All : Cardinality(s) = 61
Never(i) == \A s \in All : i \notin s
RECURSIVE Twice(_)
Twice(n) == IF n = 0 THEN 0 ELSE Twice(n - 1) + Twice(n - 1)
Calm == x = 0
`
	const quiet = "Init == x = 0\nNext == x' = 1 - x\n"
	for _, c := range []struct{ name, module, cfg string }{
		{"an assumption", begins + quiet + "ASSUME Never(0)", ""},
		{"a constant", begins + "Init == x = Huge\nNext == x' = x", ""},
		{"a constant of the configuration", begins + "Init == x = N\nNext == x' = x", "CONSTANT N <- Huge"},
		{"initial states", begins + "Init == x \\in All /\\ x = {0}\nNext == x' = x", ""},
		{"initial states of a quantifier", begins + "Init == \\E s \\in All : 0 \\in s /\\ x = s\nNext == x' = x", ""},
		{"recursion", begins + "Init == x = Twice(100)\nNext == x' = x", ""},
		{"a step", begins + "Init == x = 0\nNext == Never(0) /\\ x' = 1 - x", ""},
		{"values of a step", begins + "Init == x = 0\nNext == x' \\in All /\\ x' = {0}", ""},
		{"an invariant", begins + quiet + "Slow == Never(x)", "INVARIANT Slow"},
		{"a constant choice", begins + "Init == x = 0\nNext == IF Never(0) THEN x' = 0 ELSE x' = 1", ""},
		{"a set", begins + "Init == x = 0\nNext == x' = Cardinality({s \\in All : 0 \\in s})", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(errors.New("enough"))
			cfg := "INIT Init NEXT Next INVARIANT Calm\n" + c.cfg
			if !strings.Contains(c.cfg, "N <-") {
				cfg += "\nCONSTANT N = 1"
			}
			folder := write(t, map[string]string{"M.tla": "---- MODULE M ----\n" + c.module + "\n====\n", "M.cfg": cfg})
			s, err := Load(filepath.Join(folder, "M.tla"), "")
			if err != nil {
				t.Fatal(err)
			}
			for _, look := range []func() (*Result, error){
				func() (*Result, error) { return s.Check(ctx, Options{}) },
				func() (*Result, error) { return s.Simulate(ctx, Walks{Number: 1, Steps: 2}, Options{}) },
				func() (*Result, error) { return s.Explain(ctx, []Observation{{}, {}}, Options{}) },
			} {
				r, err := look()
				if err != nil || r.Verdict() != statespace.Inconclusive {
					t.Errorf("%v, verdict %d of %+v", err, r.Verdict(), r.Claims)
				}
			}
			if _, err := s.Graph(ctx, 10); err == nil {
				t.Error("there is a graph")
			}
		})
	}
}

// TestStepsAreInterrupted has the interruption come from within, when an initial state has been found.
func TestStepsAreInterrupted(t *testing.T) {
	for _, next := range []string{`(\A s \in SUBSET (1..60) : 0 \notin s) /\ x' = x`, `x' \in SUBSET (1..60) /\ x' = {0}`, `x' = Cardinality({s \in SUBSET (1..60) : 0 \in s})`} {
		module := "---- MODULE M ----\nEXTENDS Naturals, FiniteSets, TLC\nVARIABLE x\nInit == x = 0\nCalm == PrintT(x)\nNext == " + next + "\n====\n"
		folder := write(t, map[string]string{"M.tla": module, "M.cfg": "INIT Init NEXT Next INVARIANT Calm"})
		s, err := Load(filepath.Join(folder, "M.tla"), "")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		r, err := s.Check(ctx, Options{Print: func(string) { cancel(errors.New("enough")) }})
		if err != nil || r.Verdict() != statespace.Inconclusive || r.Claims[0].Reason != "cancelled: enough" {
			t.Errorf("%s: %v, %+v", next, err, r.Claims)
		}
	}
}

// TestDeepRecursionHasNoValue has definitions that call themselves without end, and deep within expressions.
func TestDeepRecursionHasNoValue(t *testing.T) {
	nested := "Down(n + 1)"
	for range 300 {
		nested = "(IF n < 0 THEN 0 ELSE 1 + " + nested + ")"
	}
	for _, c := range []struct{ definitions, value string }{
		{"RECURSIVE Down(_)\nDown(n) == 1 + Down(n + 1)", "Down(0)"},
		{"RECURSIVE Down(_)\nDown(n) == " + nested, "Down(0)"},
		{"RECURSIVE Down(_), Up(_)\nDown(n) == {Up(n + 1)}\nUp(n) == <<Down(n)>>", "Down(0)"},
		{"down[n \\in Nat] == 1 + down[n + 1]", "down[0]"},
		{"RECURSIVE Down(_)\nDown(n) == LET m == Down(n + 1) IN CHOOSE k \\in {m} : \\A j \\in {k} : \\E i \\in {j} : TRUE", "Down(0)"},
	} {
		module := "---- MODULE M ----\nEXTENDS Naturals\nVARIABLE x\n" + c.definitions + "\nInit == x = 0\nNext == x' = " + c.value + "\n====\n"
		folder := write(t, map[string]string{"M.tla": module, "M.cfg": "INIT Init NEXT Next"})
		s, err := Load(filepath.Join(folder, "M.tla"), "")
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Check(t.Context(), Options{})
		if err != nil || len(r.Claims) == 0 || r.Claims[len(r.Claims)-1].Kind != Evaluation || r.Verdict() != statespace.Inconclusive || !strings.Contains(r.Claims[len(r.Claims)-1].Reason, "too deeply") {
			t.Errorf("%.80s: %v, %+v", c.definitions, err, r.Claims)
		}
	}
}

// TestBudgetsOfInitialStates has more initial states than the budgets allow.
func TestBudgetsOfInitialStates(t *testing.T) {
	folder := write(t, map[string]string{"M.tla": "---- MODULE M ----\nEXTENDS Naturals\nVARIABLE x\nInit == x \\in SUBSET (1..60)\nNext == x' = x\n====\n", "M.cfg": "INIT Init NEXT Next"})
	for reason, o := range map[string]Options{
		"the memory budget of 4194304 bytes was reached": {MaxMemory: 4 << 20},
		"the budget of 1000 states was reached":          {MaxStates: 1000},
	} {
		s, err := Load(filepath.Join(folder, "M.tla"), "")
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Check(t.Context(), o)
		if err != nil || r.Verdict() != statespace.Inconclusive || r.Stats.Reason != reason {
			t.Errorf("%v, verdict %d, %s; want %s", err, r.Verdict(), r.Stats.Reason, reason)
		}
	}
}
