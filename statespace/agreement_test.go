package statespace

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

// disagreement returns how a result differs from the oracle's, "" if it does
// not.
func disagreement(o *oracle, claims []tableClaim, r Result[tableState], err error) string {
	if err != nil {
		return err.Error()
	}
	if r.Stats.States != len(o.order) || r.Stats.Complete != o.complete {
		return fmt.Sprintf("%d states, complete %v (%s); want %d, %v", r.Stats.States, r.Stats.Complete, r.Stats.Reason, len(o.order), o.complete)
	}
	for i := range claims {
		want, length := o.expect(&claims[i])
		if d := differs(o, &claims[i], &r.Properties[i], want, length); d != "" {
			return claims[i].property.Name() + ": " + d
		}
	}
	return ""
}

func differs(o *oracle, c *tableClaim, got *PropertyResult[tableState], want Verdict, length int) string {
	switch {
	case got.Verdict != want:
		return fmt.Sprintf("verdict %d (%s), want %d", got.Verdict, got.Reason, want)
	case (got.Verdict == Inconclusive) != (got.Reason != ""):
		return fmt.Sprintf("verdict %d with reason %q", got.Verdict, got.Reason)
	case (length == none) != (got.Trace == nil):
		return fmt.Sprintf("trace %v, want length %d", got.Trace, length)
	case length == none:
		return ""
	}
	t := got.Trace
	stem := len(t.Steps)
	if t.Loop >= 0 {
		stem = t.Loop
	}
	if stem != length {
		return fmt.Sprintf("%d steps before the end or the cycle, want %d", stem, length)
	}
	return o.refutes(c, t)
}

// refutes says why a trace is not what it should be, in the oracle's terms.
func (o *oracle) refutes(c *tableClaim, t *Trace[tableState]) string {
	at := t.Init.at
	if o.depth[at] != 0 {
		return "does not begin in an initial state"
	}
	states := []uint16{at}
	for i, step := range t.Steps {
		found := false
		for _, e := range o.m.edges[at] {
			found = found || e.to == step.State.at && e.action == step.Action
		}
		if !found {
			return fmt.Sprintf("step %d is not in the model", i)
		}
		at = step.State.at
		states = append(states, at)
	}
	if t.Loop < 0 {
		return ""
	}
	if states[t.Loop] != at {
		return "does not close"
	}
	// A model of nothing but the cycle: its one connected set is all of it.
	cycle := &tableModel{edges: make([][]tableEdge, len(o.m.edges)), marks: o.m.marks, classes: o.m.classes}
	var set uint64
	for i := t.Loop; i < len(t.Steps); i++ {
		cycle.edges[states[i]] = append(cycle.edges[states[i]], tableEdge{t.Steps[i].Action, states[i+1]})
	}
	for _, s := range states[t.Loop:] {
		set |= 1 << s
	}
	return o.refutesCycle(cycle, set, &c.tail)
}

func (o *oracle) refutesCycle(cycle *tableModel, set uint64, t *tableTail) string {
	if set&^o.withinMask(t) != 0 {
		return "the cycle leaves what the tail is within"
	}
	for s, edges := range cycle.edges {
		for _, e := range edges {
			if !t.allows(e) {
				return "the cycle takes a step to avoid"
			}
		}
		// Steps that leave the set enable classes and are never taken.
		const outside = 63
		for _, e := range o.m.edges[s] {
			if int(e.to) != s {
				cycle.edges[s] = append(cycle.edges[s], tableEdge{Action{Class: e.action.Class}, outside})
			}
		}
	}
	if !(&oracle{m: cycle}).fairSet(set, t) {
		return "the cycle is not fair or lacks what the tail asks for"
	}
	return ""
}

// tally counts verdicts by property.
type tally map[string]*[3]int

func (c tally) add(r Result[tableState]) {
	for _, p := range r.Properties {
		if c[p.Name] == nil {
			c[p.Name] = new([3]int)
		}
		c[p.Name][p.Verdict]++
	}
}

// draw makes a model, properties and bounds from a seed.
func draw(seed uint64, most int) (*tableModel, []tableClaim, Options) {
	r := rand.New(rand.NewPCG(seed, 1))
	m := randomTable(r, most)
	claims := tableClaims(r, m)
	o := Options{Classes: m.classes, Workers: 1, All: true}
	switch r.IntN(4) {
	case 0:
		o.MaxStates = 1 + r.IntN(most)
	case 1:
		o.MaxDepth = 1 + r.IntN(4)
	}
	return m, claims, o
}

// trial says how the engine and the oracle differ on what a seed draws.
func trial(ctx context.Context, seed uint64, most int, c tally) string {
	m, claims, o := draw(seed, most)
	result, err := Check(ctx, m, properties(claims), o)
	c.add(result)
	return disagreement(newOracle(m, o.MaxStates, o.MaxDepth), claims, result, err)
}

// inParallel calls f for 0..n-1 on two goroutines, part being 0 or 1.
func inParallel(n int, f func(i, part int)) {
	var group sync.WaitGroup
	for part := range 2 {
		group.Go(func() {
			for i := part; i < n; i += 2 {
				f(i, part)
			}
		})
	}
	group.Wait()
}

func TestRandomModelsAgreeWithTheOracle(t *testing.T) {
	for _, c := range []struct{ models, states int }{{150_000, 7}, {10_000, 11}} {
		t.Run(fmt.Sprintf("of up to %d states", c.states), func(t *testing.T) {
			n := c.models / slowdown
			verdicts := [2]tally{{}, {}}
			inParallel(n, func(i, part int) {
				if d := trial(t.Context(), uint64(i), c.states, verdicts[part]); d != "" {
					t.Errorf("seed %d: %s", i, d)
				}
			})
			for name, count := range verdicts[0] {
				t.Logf("%-17s inconclusive, holds, violated: %v", name, *count)
				for v, n := range count {
					witness := Verdict(v) == Violated && (name == "sometimes" || name == "sometimes step")
					if n < c.models/slowdown/200 && !witness {
						t.Errorf("%s: verdict %d came up only %d times", name, v, n)
					}
				}
			}
		})
	}
}

func TestLargerRandomModelsAgreeWithTheFixpoint(t *testing.T) {
	inParallel(6_000/slowdown, func(i, _ int) {
		r := rand.New(rand.NewPCG(uint64(i), 2))
		m := randomTable(r, 60)
		claims := tableClaims(r, m)
		o := newOracle(m, 0, 0)
		result, err := Check(t.Context(), m, properties(claims), Options{Classes: m.classes, Workers: 1 + i%3, All: true})
		if err != nil {
			t.Errorf("seed %d: %v", i, err)
			return
		}
		for j := range claims {
			if claims[j].kind < kindEventuallyAlways || claims[j].kind > kindNever {
				continue
			}
			want := Holds
			if o.fixpointViolated(&claims[j].tail) {
				want = Violated
			}
			if got := result.Properties[j].Verdict; got != want {
				t.Errorf("seed %d: %s: verdict %d, want %d", i, claims[j].property.Name(), got, want)
			}
		}
	})
}

// TestEarlyLooksAgreeWithTheOracle looks at liveness after every level and ends
// at the first violation: what is reported as violated must be so, with a trace
// that is one; and if nothing is, nothing must be there to find.
func TestEarlyLooksAgreeWithTheOracle(t *testing.T) {
	var cut, found [2]int
	inParallel(30_000/slowdown, func(i, part int) {
		r := rand.New(rand.NewPCG(uint64(i), 4))
		m := randomTable(r, 9)
		claims := tableClaims(r, m)
		o := newOracle(m, 0, 0)
		result, err := Check(t.Context(), m, properties(claims), Options{Classes: m.classes, Workers: 1 + i%2, hooks: hooks{looks: true}})
		if err != nil {
			t.Errorf("seed %d: %v", i, err)
			return
		}
		violated, there := false, false
		for j := range claims {
			want, _ := o.expect(&claims[j])
			witness := claims[j].kind == kindSometimes || claims[j].kind == kindSometimesStep
			there = there || want == Violated && !witness
			p := &result.Properties[j]
			switch {
			case p.Verdict == Violated:
				violated = true
				if want != Violated {
					t.Errorf("seed %d: %s: violated, want %d", i, p.Name, want)
				} else if d := o.refutes(&claims[j], p.Trace); d != "" {
					t.Errorf("seed %d: %s: the trace %s", i, p.Name, d)
				}
			case p.Verdict == Holds && p.Trace == nil && want != Holds:
				t.Errorf("seed %d: %s: holds, want %d", i, p.Name, want)
			}
		}
		if violated != there {
			t.Errorf("seed %d: violated is %v, want %v", i, violated, there)
		}
		if violated {
			found[part]++
			if !result.Stats.Complete {
				cut[part]++
			}
		}
	})
	if cut[0] < 1000/slowdown || found[0] == cut[0] {
		t.Errorf("of %d violated runs %d ended early: the looks are not tested", found[0], cut[0])
	}
}

func TestTheTwoOraclesAgree(t *testing.T) {
	verdicts := map[bool]int{}
	for i := range 5_000 / slowdown {
		r := rand.New(rand.NewPCG(uint64(i), 3))
		m := randomTable(r, 8)
		o := newOracle(m, 0, 0)
		for _, c := range tableClaims(r, m) {
			bySets, byFixpoint := o.liveness(&c.tail) != none, o.fixpointViolated(&c.tail)
			verdicts[bySets]++
			if bySets != byFixpoint {
				t.Errorf("seed %d: %s: sets say %v, fixpoint %v", i, c.property.Name(), bySets, byFixpoint)
			}
		}
	}
	if verdicts[true] < 1000/slowdown || verdicts[false] < 1000/slowdown {
		t.Errorf("verdicts are one-sided: %v", verdicts)
	}
}

// TestPlantedDefectsAreFound checks the check: each defect must make the engine
// conclude what the oracle does not, on few models. Where a defect invents a
// violation the judge refuses the trace; that is no substitute for the oracle
// here, so that the verdict the search was about to give is compared.
func TestPlantedDefectsAreFound(t *testing.T) {
	for _, c := range []struct {
		name   string
		defect mutant
		// judged tells whether the defect invents violations.
		judged bool
	}{
		{"weak fairness is ignored", ignoresWeak, true},
		{"strong fairness is not refined", skipsRefinement, false},
		{"enabledness is judged inside the restriction", enabledInside, true},
		{"stuttering is forgotten", forgetsStuttering, false},
		{"truncated states count as terminal", truncatedIsTerminal, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			const models = 3_000
			wrong, refused := 0, 0
			for i := range uint64(models) {
				badVerdict, badTrace := defects(i, c.defect)
				if badVerdict {
					wrong++
				}
				if badTrace {
					refused++
				}
			}
			if wrong == 0 || c.judged != (refused > 0) {
				t.Errorf("of %d models %d show a wrong verdict, %d a trace that is refused", models, wrong, refused)
			}
			t.Logf("of %d models %d show a wrong verdict, %d a trace that is refused", models, wrong, refused)
		})
	}
}

// defects runs the engine with a defect and reports whether the oracle
// contradicts a verdict that the search came to, and whether a trace was refused.
func defects(seed uint64, defect mutant) (badVerdict, badTrace bool) {
	m, claims, o := draw(seed, 7)
	o.hooks.mutant = defect
	result, _ := Check(context.Background(), m, properties(claims), o)
	oracle := newOracle(m, o.MaxStates, o.MaxDepth)
	for i, p := range result.Properties {
		want, _ := oracle.expect(&claims[i])
		got := p.Verdict
		if strings.Contains(p.Reason, errJudged.Error()) || strings.Contains(p.Reason, errNoCycle.Error()) {
			got, badTrace = Violated, true
		}
		badVerdict = badVerdict || got != want
	}
	return badVerdict, badTrace
}
