package statespace

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Each test here is an error that a published model checker has made.

// arrow is an edge of a small model; the label is the class unless given.
type arrow struct {
	from, class, to int
	label           uint32
}

// arrows returns a model that starts in state 0.
func arrows(classes []Class, edges ...arrow) *tableModel {
	m := &tableModel{initial: []uint16{0}, classes: classes}
	for _, e := range edges {
		for max(e.from, e.to) >= len(m.edges) {
			m.edges = append(m.edges, nil)
		}
		m.edges[e.from] = append(m.edges[e.from], tableEdge{Action{Class: uint16(e.class), Label: e.label}, uint16(e.to)})
	}
	m.marks = make([]uint8, len(m.edges))
	return m
}

func class(f Fairness, names ...string) (classes []Class) {
	for _, n := range names {
		classes = append(classes, Class{Name: n, Fairness: f})
	}
	return classes
}

// in is the predicate "the state is one of these".
func in(states ...uint16) func(tableState) bool {
	return func(s tableState) bool {
		for _, at := range states {
			if s.at == at {
				return true
			}
		}
		return false
	}
}

func label(l uint32) func(tableState, Action, tableState) bool {
	return func(_ tableState, a Action, _ tableState) bool { return a.Label == l }
}

// checkOne decides one property of a table.
func checkOne(t *testing.T, m *tableModel, p Property[tableState], o Options) PropertyResult[tableState] {
	t.Helper()
	o.Classes = m.classes
	r, err := Check(t.Context(), m, []Property[tableState]{p}, o)
	if err != nil {
		t.Fatal(err)
	}
	return r.Properties[0]
}

// expectVerdict also compares the trace, written as "0 1 (2 3)": the states,
// those after which the behaviour repeats in brackets; "" for no trace.
func expectVerdict(t *testing.T, got PropertyResult[tableState], want Verdict, trace string) {
	t.Helper()
	if got.Verdict != want {
		t.Errorf("verdict %d (%s), want %d", got.Verdict, got.Reason, want)
	}
	if text := traceText(got.Trace); text != trace {
		t.Errorf("trace %q, want %q", text, trace)
	}
}

func traceText(tr *Trace[tableState]) string {
	if tr == nil {
		return ""
	}
	parts := []string{fmt.Sprint(tr.Init.at)}
	for i, s := range tr.Steps {
		text := fmt.Sprint(s.State.at)
		if i == tr.Loop {
			text = "(" + text
		}
		parts = append(parts, text)
	}
	text := strings.Join(parts, " ")
	switch {
	case tr.Loop == len(tr.Steps):
		text += " ()"
	case tr.Loop >= 0:
		text += ")"
	}
	return text
}

// modelA is the model on which a verdict has depended on the order in which
// the actions are written: 0 → 1 → 2 by ViaG, 0 → 2 by Direct, 2 → 0 by Back.
func modelA(via Fairness, order []int) *tableModel {
	edges := []arrow{{0, 0, 1, 0}, {1, 0, 2, 1}, {0, 1, 2, 2}, {2, 2, 0, 3}}
	var permuted []arrow
	for _, i := range order {
		permuted = append(permuted, edges[i])
	}
	return arrows(append(class(via, "ViaG"), class(Weak, "Direct", "Back")...), permuted...)
}

func TestModelAInEveryOrderOfItsActions(t *testing.T) {
	property := AlwaysEventually("visits 1", in(1))
	permutations(4, func(order []int) {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			// ViaG is disabled in 2, so that going round by 2 is fair to it.
			weak := checkOne(t, modelA(Weak, order), property, Options{})
			expectVerdict(t, weak, Violated, "0 (2 0)")
			expectVerdict(t, checkOne(t, modelA(Strong, order), property, Options{}), Holds, "")
		})
	})
}

// permutations calls f with every order of 0..n-1.
func permutations(n int, f func([]int)) {
	var extend func(order []int)
	extend = func(order []int) {
		if len(order) == n {
			f(order)
			return
		}
		for i := range n {
			used := false
			for _, j := range order {
				used = used || i == j
			}
			if !used {
				extend(append(order[:len(order):len(order)], i))
			}
		}
	}
	extend(nil)
}

// Every simple cycle through 0 is unfair to one class; going round both in turn
// is fair.
func TestFairnessIsJudgedOnComponentsAndNotOnCycles(t *testing.T) {
	m := arrows(class(Weak, "A", "B"),
		arrow{0, 0, 1, 0}, arrow{1, 0, 0, 0}, arrow{1, 1, 3, 0},
		arrow{0, 1, 2, 0}, arrow{2, 1, 0, 0}, arrow{2, 0, 3, 0})
	got := checkOne(t, m, AlwaysEventually("exits", in(3)), Options{})
	expectVerdict(t, got, Violated, "0 (1 0 2 0)")
}

func TestAStepThatChangesNothingDoesNotTakeItsClass(t *testing.T) {
	m := arrows(class(Weak, "A"), arrow{0, 0, 0, 0}, arrow{0, 0, 1, 0})
	expectVerdict(t, checkOne(t, m, AlwaysEventually("arrives", in(1)), Options{}), Holds, "")
}

func TestAStepThatChangesNothingDoesNotEnableItsClass(t *testing.T) {
	m := arrows(class(Weak, "A"), arrow{0, 0, 0, 0})
	expectVerdict(t, checkOne(t, m, AlwaysEventually("arrives", in(1)), Options{}), Violated, "0 ()")
	expectVerdict(t, checkOne(t, m, AtRest("rests elsewhere", in(1)), Options{}), Violated, "0")
}

func TestEnabledIsJudgedOnTheFullGraph(t *testing.T) {
	// Without 1 and 2 nothing is enabled in 0.
	m := arrows(class(Weak, "A"), arrow{0, 0, 1, 0}, arrow{1, 0, 2, 0}, arrow{2, 0, 1, 0})
	expectVerdict(t, checkOne(t, m, AlwaysEventually("leaves", in(1, 2)), Options{}), Holds, "")
	b := Behaviour[tableState]{Avoid: label(0)}
	expectVerdict(t, checkOne(t, m, Never("avoids what is fair", b), Options{}), Holds, "")
}

func TestStutteringWhereOnlyUnfairActionsAreEnabled(t *testing.T) {
	m := arrows(append(class(Weak, "A"), class(Unfair, "environment")...), arrow{0, 0, 1, 0}, arrow{1, 1, 2, 0})
	expectVerdict(t, checkOne(t, m, LeadsTo("arrives", in(0), in(2)), Options{}), Violated, "0 1 ()")
	expectVerdict(t, checkOne(t, m, AtRest("arrived", in(2)), Options{}), Violated, "0 1")
}

func TestTruncatedStatesAreNeitherTerminalNorStuttering(t *testing.T) {
	m := arrows(class(Weak, "A"), arrow{0, 0, 1, 0}, arrow{1, 0, 2, 0}, arrow{2, 0, 3, 0})
	for _, o := range []Options{{MaxDepth: 1}, {MaxDepth: 2}, {MaxStates: 1}, {MaxStates: 2}, {MaxStates: 3}} {
		for _, p := range []Property[tableState]{
			AlwaysEventually("arrives", in(3)), EventuallyAlways("arrives", in(3)), LeadsTo("arrives", in(0, 1, 2), in(3)),
			AtRest("arrived", in(3)), Never("stays", Behaviour[tableState]{Within: in(0, 1, 2)}),
		} {
			got := checkOne(t, m, p, o)
			expectVerdict(t, got, Inconclusive, "")
			if got.Reason == "" {
				t.Errorf("%s has no reason", p.Name())
			}
		}
	}
}

func TestAViolationIsValidInAnIncompleteExploration(t *testing.T) {
	m := arrows(class(Weak, "A"), arrow{0, 0, 1, 0}, arrow{1, 0, 0, 0}, arrow{0, 0, 2, 0}, arrow{2, 0, 3, 0}, arrow{3, 0, 4, 0})
	got := checkOne(t, m, AlwaysEventually("arrives", in(4)), Options{MaxDepth: 2})
	expectVerdict(t, got, Violated, "0 (1 0)")
}

func TestABoundThatCutsNothingIsNotReported(t *testing.T) {
	m := arrows(class(Weak, "A"), arrow{0, 0, 1, 0}, arrow{1, 0, 2, 0})
	for _, o := range []Options{{MaxStates: 3}, {MaxDepth: 3}} {
		expectVerdict(t, checkOne(t, m, AlwaysEventually("arrives", in(2)), o), Holds, "")
	}
	// With depth 2 nobody has looked whether 2 has successors.
	expectVerdict(t, checkOne(t, m, Always("stays", in(0, 1, 2)), Options{MaxDepth: 2}), Inconclusive, "")
}

// An engine that remembers "p was seen" by state and not by path loses it where
// paths join, and on cycles.
func TestJoinsAndCycles(t *testing.T) {
	join := arrows(class(Weak, "A"), arrow{0, 0, 1, 0}, arrow{0, 0, 2, 0}, arrow{1, 0, 3, 0}, arrow{2, 0, 3, 0})
	expectVerdict(t, checkOne(t, join, LeadsTo("sees 1", in(0), in(1)), Options{}), Violated, "0 2 3 ()")
	cycle := arrows(append(class(Weak, "A"), class(Unfair, "exit")...), arrow{0, 0, 1, 0}, arrow{1, 0, 0, 0}, arrow{0, 1, 2, 0})
	expectVerdict(t, checkOne(t, cycle, LeadsTo("exits", in(0), in(2)), Options{}), Violated, "0 (1 0)")
}

func TestEqualEndpointsAndDifferentActionsAreDifferentEdges(t *testing.T) {
	m := arrows(class(Unfair, "environment"), arrow{0, 0, 1, 7}, arrow{0, 0, 1, 8}, arrow{1, 0, 0, 9})
	for _, l := range []uint32{7, 8, 9} {
		got := checkOne(t, m, EventuallyNever("stops", label(l)), Options{})
		expectVerdict(t, got, Violated, "0 (1 0)")
		if a := got.Trace.Steps[0].Action.Label; l != 9 && a != l {
			t.Errorf("the cycle takes %d, want %d", a, l)
		}
	}
	b := Behaviour[tableState]{Avoid: label(7), Take: label(8)}
	expectVerdict(t, checkOne(t, m, Never("by 8 alone", b), Options{}), Violated, "0 (1 0)")
	b = Behaviour[tableState]{Avoid: label(8), Take: label(8)}
	expectVerdict(t, checkOne(t, m, Never("by and without 8", b), Options{}), Holds, "")
}

// A step that the model yields is a step even if it changes nothing; staying
// put without one takes none.
func TestAStepThatChangesNothingIsAStep(t *testing.T) {
	m := arrows(class(Unfair, "environment"), arrow{0, 0, 0, 5})
	expectVerdict(t, checkOne(t, m, EventuallyNever("writes", label(5)), Options{}), Violated, "0 (0)")
	b := Behaviour[tableState]{Avoid: label(5)}
	expectVerdict(t, checkOne(t, m, Never("stays silent", b), Options{}), Violated, "0 ()")
	expectVerdict(t, checkOne(t, m, AlwaysStep("no write", func(_ tableState, a Action, _ tableState) bool { return a.Label != 5 }), Options{}), Violated, "0 0")
}

func TestTheAntecedentIsAnsweredThenOrLater(t *testing.T) {
	// The antecedent is true in 1, and so is the consequent; 2 has neither.
	m := arrows(class(Weak, "A"), arrow{0, 0, 1, 0}, arrow{1, 0, 2, 0})
	expectVerdict(t, checkOne(t, m, LeadsTo("answered at once", in(1), in(1)), Options{}), Holds, "")
	expectVerdict(t, checkOne(t, m, LeadsTo("answered before", in(2), in(1)), Options{}), Violated, "0 1 2 ()")
}

// TestManyStrongConstraints has a component that none of 2²⁵ choices of
// constraints may be tried on one by one.
func TestManyStrongConstraints(t *testing.T) {
	const n = 25
	var names []string
	var edges []arrow
	for i := range n {
		names = append(names, fmt.Sprint("class ", i))
		edges = append(edges, arrow{i, i, i + 1, 0}, arrow{i + 1, n, i, 0})
	}
	edges = append(edges, arrow{n, n, n, 0})
	m := arrows(append(class(Strong, names...), class(Unfair, "back")...), edges...)
	begun := time.Now()
	got := checkOne(t, m, EventuallyAlways("arrives", in(n)), Options{})
	if got.Verdict != Violated || got.Trace.Loop != 0 || len(got.Trace.Steps) != 2*n {
		t.Errorf("verdict %d, trace %s: want there and back through all states", got.Verdict, traceText(got.Trace))
	}
	// Without the step of class 24, every set that enables it must be given up.
	b := Behaviour[tableState]{Within: func(s tableState) bool { return s.at < n }}
	expectVerdict(t, checkOne(t, m, Never("stays below", b), Options{}), Holds, "")
	if spent := time.Since(begun); spent > time.Second*slowdown {
		t.Errorf("took %v, want less than a second", spent)
	}
}

// A hundred classes are more than the exact search for a cycle takes.
func TestMoreDutiesThanTheExactSearchTakes(t *testing.T) {
	for _, fair := range []Fairness{Weak, Strong} {
		const n = 100
		var names []string
		var edges []arrow
		for i := range n {
			names = append(names, fmt.Sprint("class ", i))
			for j := range n {
				edges = append(edges, arrow{i, j, (i + j + 1) % n, uint32(j)})
			}
		}
		m := arrows(class(fair, names...), edges...)
		got := checkOne(t, m, Never("goes on", Behaviour[tableState]{Visit: in(50), Take: label(3)}), Options{})
		if got.Verdict != Violated || len(got.Trace.Steps)-got.Trace.Loop > 2*n {
			t.Errorf("fairness %d: verdict %d (%s), trace %s", fair, got.Verdict, got.Reason, traceText(got.Trace))
		}
	}
}

// Removing the states of one strong class cuts the component in two, one of
// which needs a second round.
func TestRefinementIsRepeated(t *testing.T) {
	m := arrows(append(class(Strong, "A", "B"), class(Unfair, "environment")...),
		arrow{0, 2, 1, 0}, arrow{1, 2, 0, 0}, // 0 enables A, 1 does not
		arrow{0, 0, 9, 0},
		arrow{1, 2, 2, 0}, arrow{2, 2, 1, 0}, arrow{2, 1, 9, 0}, // 2 enables B
		arrow{1, 2, 3, 0}, arrow{3, 2, 1, 0},
	)
	// Only 1 and 3 enable neither class.
	got := checkOne(t, m, AlwaysEventually("leaves", in(9)), Options{})
	expectVerdict(t, got, Violated, "0 1 ()")
	got = checkOne(t, m, Never("goes on", Behaviour[tableState]{Within: in(0, 1, 2, 3), Visit: in(3)}), Options{})
	expectVerdict(t, got, Violated, "0 1 (3 1)")
	expectVerdict(t, checkOne(t, m, Never("goes on by 2", Behaviour[tableState]{Within: in(0, 1, 2, 3), Visit: in(2)}), Options{}), Holds, "")
}
