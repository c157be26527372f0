package statespace

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestWitnessesAndVacuity(t *testing.T) {
	m := arrows(append(class(Weak, "A"), class(Strong, "idle")...), arrow{0, 0, 1, 5}, arrow{1, 0, 2, 6}, arrow{2, 0, 0, 7})
	no := in()
	for _, c := range []struct {
		property Property[tableState]
		vacuous  string
		trace    string
	}{
		{Sometimes("reached", in(2)), "", "0 1 2"},
		{Sometimes("not reached", no), "no reachable state satisfies it", ""},
		{SometimesStep("taken", label(6)), "", "0 1 2"},
		{SometimesStep("not taken", label(9)), "no reachable step satisfies it", ""},
		{AtRest("at rest", in(0)), "no reachable state is at rest", ""},
		{LeadsTo("asked", in(1), in(0)), "", ""},
		{LeadsTo("not asked", no, in(0)), "its antecedent is true in no reachable state", ""},
		{Never("nowhere", Behaviour[tableState]{Within: no}), "", ""},
		{Never("not taken", Behaviour[tableState]{Take: label(9)}), "", ""},
		{Never("not visited", Behaviour[tableState]{Visit: no}), "", ""},
		{EventuallyNever("not taken", label(9)), "", ""},
		{Always("stays", in(0, 1, 2)), "", ""},
		{AlwaysStep("known", func(tableState, Action, tableState) bool { return true }), "", ""},
	} {
		got := checkOne(t, m, c.property, Options{})
		expectVerdict(t, got, Holds, c.trace)
		if got.Vacuous != c.vacuous {
			t.Errorf("%s: vacuous %q, want %q", got.Name, got.Vacuous, c.vacuous)
		}
	}
	alone := arrows(nil, arrow{0, 0, 0, 0})
	alone.edges[0] = nil
	if got := checkOne(t, alone, AlwaysStep("any", func(tableState, Action, tableState) bool { return true }), Options{}); got.Vacuous != "no step is reachable" {
		t.Errorf("vacuous %q", got.Vacuous)
	}
	r, err := Check(t.Context(), m, nil, Options{Classes: m.classes})
	if err != nil || !reflect.DeepEqual(r.Stats.EnabledClasses, []bool{true, false}) || r.Stats.Widest != 1 || r.Stats.Levels != 3 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestAWitnessNotFoundInACutExplorationIsInconclusive(t *testing.T) {
	m := arrows(nil, arrow{0, 0, 1, 0}, arrow{1, 0, 2, 0})
	expectVerdict(t, checkOne(t, m, Sometimes("reached", in(2)), Options{MaxDepth: 1}), Inconclusive, "")
	expectVerdict(t, checkOne(t, m, Sometimes("reached", in(1)), Options{MaxDepth: 1}), Holds, "0 1")
}

func TestTheSearchEndsWithTheLevelOfAViolation(t *testing.T) {
	m := twoPhase{5}
	props := []Property[twoPhaseState]{
		Always("none prepared", func(s twoPhaseState) bool { return !slices.Contains(s.rm[:], prepared) }),
		Always("none committed", func(s twoPhaseState) bool { return !slices.Contains(s.rm[:], committed) }),
		Always("consistent", m.consistent),
		Sometimes("reached", func(s twoPhaseState) bool { return s.tm == committed }),
	}
	first, err := Check(t.Context(), m, props, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v := verdicts(first); !slices.Equal(v, []Verdict{Violated, Inconclusive, Inconclusive, Inconclusive}) || first.Stats.Levels != 2 {
		t.Errorf("%v after %d levels", v, first.Stats.Levels)
	}
	all, err := Check(t.Context(), m, props, Options{All: true})
	if err != nil {
		t.Fatal(err)
	}
	if v := verdicts(all); !slices.Equal(v, []Verdict{Violated, Violated, Holds, Holds}) || !all.Stats.Complete {
		t.Errorf("%v, %+v", v, all.Stats)
	}
	two, err := Check(t.Context(), m, props[:2], Options{All: true})
	if err != nil {
		t.Fatal(err)
	}
	// Five prepare, five are heard, the decision, one commits: level 13.
	if v := verdicts(two); !slices.Equal(v, []Verdict{Violated, Violated}) || two.Stats.Levels != 13 || two.Stats.Complete {
		t.Errorf("%v, %+v", v, two.Stats)
	}
}

func verdicts[S any](r Result[S]) (all []Verdict) {
	for _, p := range r.Properties {
		all = append(all, p.Verdict)
	}
	return all
}

func TestTerminalVectors(t *testing.T) {
	for i := range 500 {
		r := rand.New(rand.NewPCG(uint64(i), 9))
		m := randomTable(r, 60)
		v := newTableVectors(m, r)
		o := newOracle(m, 0, 0)
		var want []uint16
		for _, s := range o.order {
			if !slices.ContainsFunc(m.edges[s], func(e tableEdge) bool { return e.to != s }) {
				want = append(want, s)
			}
		}
		got, stats, err := TerminalVectors(t.Context(), v, Options{Classes: m.classes, Workers: 1 + i%3})
		if err != nil || !stats.Complete || stats.States != len(o.order) {
			t.Fatalf("seed %d: %+v, %v", i, stats, err)
		}
		var rows []uint16
		for _, ids := range got {
			rows = append(rows, v.row(ids))
		}
		if !slices.Equal(rows, want) {
			t.Errorf("seed %d: %v, want %v", i, rows, want)
		}
		part, stats, err := TerminalVectors(t.Context(), v, Options{Classes: m.classes, MaxDepth: 1})
		if err != nil || len(part) > len(want) || stats.Complete != (stats.Reason == "") {
			t.Errorf("seed %d: %d of %d, %+v, %v", i, len(part), len(want), stats, err)
		}
	}
}

func TestWalkTakesTheStepsThatAreChosen(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 10))
	m := arrows(nil, arrow{0, 0, 1, 1}, arrow{0, 0, 2, 2}, arrow{1, 0, 0, 3}, arrow{2, 0, 3, 4})
	m.initial = []uint16{0, 1}
	v := newTableVectors(m, r)
	walk := func(max int, choices ...int) (states []uint16, steps int) {
		tr := Walk(v, func(n int) int {
			c := choices[0]
			choices = choices[1:]
			return c
		}, max)
		if tr.Loop != -1 {
			t.Errorf("Loop is %d", tr.Loop)
		}
		if tr.Init == nil {
			return nil, 0
		}
		states = append(states, v.row(tr.Init))
		for _, s := range tr.Steps {
			states = append(states, v.row(s.State))
		}
		return states, len(tr.Steps)
	}
	for _, c := range []struct {
		max     int
		choices []int
		want    []uint16
	}{
		{9, []int{0, 1, 0}, []uint16{0, 2, 3}},
		{9, []int{1, 0, 0, 0, 1, 0}, []uint16{1, 0, 1, 0, 2, 3}},
		{2, []int{1, 0, 0}, []uint16{1, 0, 1}},
		{9, []int{0, 0, -1}, []uint16{0, 1}},
		{9, []int{0, 2}, []uint16{0}},
		{9, []int{2}, nil},
		{0, []int{1}, []uint16{1}},
	} {
		if got, _ := walk(c.max, c.choices...); !slices.Equal(got, c.want) {
			t.Errorf("choices %v: %v, want %v", c.choices, got, c.want)
		}
	}
}

// TestTheJudgeRefusesWhatIsNotSo gives the judge traces that are wrong in one
// way each.
func TestTheJudgeRefusesWhatIsNotSo(t *testing.T) {
	m := arrows(class(Weak, "A", "B"), arrow{0, 0, 1, 0}, arrow{1, 0, 0, 0}, arrow{1, 1, 2, 0}, arrow{0, 1, 2, 0})
	j := judge[tableState]{init: m.Init, next: m.Next, equal: func(a, b tableState) bool { return a == b }, classes: m.classes}
	step := func(c uint16, to uint16) Step[tableState] {
		return Step[tableState]{Action{Class: c}, tableState{to}}
	}
	trace := func(loop int, init uint16, steps ...Step[tableState]) *Trace[tableState] {
		return &Trace[tableState]{Init: tableState{init}, Steps: steps, Loop: loop}
	}
	arrives := AlwaysEventually("arrives", in(2))
	for _, c := range []struct {
		property Property[tableState]
		trace    *Trace[tableState]
		says     string
	}{
		{Always("p", in(0)), trace(-1, 1), "initial state"},
		{Always("p", in(0)), trace(-1, 0, step(1, 1)), "not a step"},
		{Always("p", in(0)), trace(-1, 0, step(0, 2)), "not a step"},
		{Always("p", in(0)), trace(-1, 0), "does not decide"},
		{Always("p", in(0)), trace(0, 0, step(0, 1)), "Loop 0"},
		{AtRest("p", in(0)), trace(-1, 0, step(0, 1)), "does not decide"},
		{AtRest("p", in(2)), trace(-1, 0, step(1, 2)), "does not decide"},
		{AlwaysStep("p", label(1)), trace(-1, 0), "does not decide"},
		{arrives, trace(-1, 0), "Loop -1"},
		{arrives, trace(3, 0, step(0, 1)), "Loop 3"},
		{arrives, trace(0, 0, step(0, 1)), "does not close"},
		{arrives, trace(0, 0, step(0, 1), step(0, 0)), "not fair to class 1"},
		{arrives, trace(0, 0), "not fair to class 0"},
		{arrives, trace(1, 0, step(1, 2)), "does not violate"},
		{EventuallyAlways("p", in(2)), trace(1, 0, step(1, 2)), "does not violate"},
		{EventuallyNever("p", label(0)), trace(1, 0, step(1, 2)), "does not violate"},
		{LeadsTo("p", in(1), in(2)), trace(1, 0, step(1, 2)), "does not violate"},
		{LeadsTo("p", in(0), in(2)), trace(1, 0, step(1, 2)), "does not violate"},
		{Never("p", Behaviour[tableState]{Within: in(0)}), trace(1, 0, step(1, 2)), "does not violate"},
		{Never("p", Behaviour[tableState]{Visit: in(0)}), trace(1, 0, step(1, 2)), "does not violate"},
		{Never("p", Behaviour[tableState]{Take: label(0)}), trace(1, 0, step(1, 2)), "does not violate"},
	} {
		if err := j.judge(c.property, c.trace); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want %q", c.trace, err, c.says)
		}
	}
	for _, c := range []struct {
		property Property[tableState]
		trace    *Trace[tableState]
	}{
		{Always("p", in(0)), trace(-1, 0, step(0, 1))},
		{AtRest("p", in(0)), trace(-1, 0, step(1, 2))},
		{AlwaysEventually("p", in(0)), trace(1, 0, step(1, 2))},
		{LeadsTo("p", in(0), in(1)), trace(1, 0, step(1, 2))},
		{Never("p", Behaviour[tableState]{Within: in(2), Visit: in(2), Avoid: label(0)}), trace(1, 0, step(1, 2))},
	} {
		if err := j.judge(c.property, c.trace); err != nil {
			t.Errorf("%+v: %v", c.trace, err)
		}
	}
}

// crowded has many initial states and goes on yielding after false.
type crowded struct{ counter }

func (c crowded) Init(yield func(counterState) bool) {
	for n := range c.limit {
		yield(counterState{n/2 + 1})
	}
}

func TestManyInitialStates(t *testing.T) {
	const limit = 100_000
	for _, workers := range []int{1, 3} {
		m := crowded{counter{limit: limit}}
		r, err := Check(t.Context(), m, []Property[counterState]{below(40_000), below(limit + 1)}, Options{All: true, Workers: workers})
		// Half of the states are initial, each of those twice.
		if err != nil || r.Stats.States != limit || r.Stats.Transitions != limit+limit-1 || r.Stats.Widest != limit/2 || r.Stats.Levels != limit/2+1 {
			t.Errorf("%+v, %v", r.Stats, err)
		}
		if v := verdicts(r); !slices.Equal(v, []Verdict{Violated, Holds}) || r.Properties[0].Trace.Init.n != 40_000 {
			t.Errorf("%+v", r.Properties)
		}
		r, err = Check(t.Context(), m, []Property[counterState]{below(limit + 1)}, Options{MaxStates: 20_000, Workers: workers})
		if err != nil || r.Stats.States != 20_000 || r.Stats.Complete || r.Properties[0].Verdict != Inconclusive {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

// slow takes time, so that progress is due.
type slow struct {
	twoPhase
	until time.Time
}

func (m slow) Next(s twoPhaseState, yield func(Action, twoPhaseState) bool) {
	if s.tm != working {
		for time.Now().Before(m.until) {
		}
	}
	m.twoPhase.Next(s, yield)
}

func TestProgressIsReported(t *testing.T) {
	m := slow{twoPhase{6}, time.Now().Add(1200 * time.Millisecond)}
	var told []Progress
	r, err := Check(t.Context(), m, nil, Options{Workers: 2, Progress: func(p Progress) { told = append(told, p) }})
	if err != nil || len(told) == 0 {
		t.Fatalf("told %d times, %v", len(told), err)
	}
	for i, p := range told {
		if i > 0 && p.Elapsed-told[i-1].Elapsed < time.Second {
			t.Errorf("told after %v and %v", told[i-1].Elapsed, p.Elapsed)
		}
		if p.States == 0 || p.States > r.Stats.States || p.Elapsed < time.Second || p.Frontier > p.States {
			t.Errorf("%+v", p)
		}
	}
}
