package statespace

import (
	"fmt"
	"strings"
	"testing"
)

// asPremises says with predicates what the classes of a random model say.
func asPremises(m *tableModel) (premises []Property[tableState], unfair []Class) {
	for i, c := range m.classes {
		unfair = append(unfair, Class{Name: c.Name})
		if c.Fairness == Unfair {
			continue
		}
		moves := func(from tableState, a Action, to tableState) bool { return int(a.Class) == i && from != to }
		possible := func(s tableState) bool {
			for _, e := range m.edges[s.at] {
				if moves(s, e.action, tableState{at: e.to}) {
					return true
				}
			}
			return false
		}
		premises = append(premises, Fair(fmt.Sprintf("class %d", i), c.Fairness, possible, moves))
	}
	return premises, unfair
}

// TestPremisesAgreeWithTheOracle is TestRandomModelsAgreeWithTheOracle with the fairness of classes given by
// predicates.
func TestPremisesAgreeWithTheOracle(t *testing.T) {
	inParallel(40_000/slowdown, func(i, _ int) {
		m, claims, o := draw(uint64(i), 9)
		var live []tableClaim
		for _, c := range claims {
			if c.kind != kindAtRest { // It is about classes.
				live = append(live, c)
			}
		}
		premises, unfair := asPremises(m)
		o.Classes = unfair
		result, err := Check(t.Context(), m, append(properties(live), premises...), o)
		result.Properties = result.Properties[:min(len(live), len(result.Properties))]
		if d := disagreement(newOracle(m, o.MaxStates, o.MaxDepth), live, result, err); d != "" {
			t.Errorf("seed %d: %s", i, d)
		}
	})
}

// A step may satisfy several premises: b is a step of both, so that taking it is fair to both.
func TestOneStepMayTakeSeveralPremises(t *testing.T) {
	m := &tableModel{edges: make([][]tableEdge, 2), marks: make([]uint8, 2), initial: []uint16{0}}
	m.edges[0] = []tableEdge{{Action{Label: 1}, 1}}
	m.edges[1] = []tableEdge{{Action{Label: 2}, 0}}
	always := func(tableState) bool { return true }
	takes := func(label uint32) func(tableState, Action, tableState) bool {
		return func(_ tableState, a Action, _ tableState) bool { return a.Label == label }
	}
	returns := AlwaysEventually("returns", func(s tableState) bool { return s.at == 0 })
	for _, c := range []struct {
		name     string
		premises []Property[tableState]
		want     Verdict
	}{
		{"without", nil, Violated},
		{"by two of one step", []Property[tableState]{Fair("x", Weak, always, takes(2)), Fair("y", Strong, always, takes(2))}, Holds},
		{"by one that is never taken", []Property[tableState]{Fair("z", Weak, always, takes(3))}, Holds},
	} {
		r, err := Check(t.Context(), m, append([]Property[tableState]{returns}, c.premises...), Options{All: true})
		if err != nil || r.Properties[0].Verdict != c.want {
			t.Errorf("%s: verdict %d, %v; want %d", c.name, r.Properties[0].Verdict, err, c.want)
		}
	}
}

func TestAPremiseIsRefusedOrVacuous(t *testing.T) {
	m := &tableModel{edges: make([][]tableEdge, 1), marks: make([]uint8, 1), initial: []uint16{0}}
	never := func(tableState) bool { return false }
	step := func(tableState, Action, tableState) bool { return false }
	claim := AlwaysEventually("x", never)
	if _, err := Check(t.Context(), m, []Property[tableState]{claim, Fair("f", Unfair, never, step)}, Options{}); err == nil || !strings.Contains(err.Error(), "neither Weak nor Strong") {
		t.Errorf("an unfair premise: %v", err)
	}
	r, err := Check(t.Context(), m, []Property[tableState]{claim, Fair("f", Weak, never, step)}, Options{})
	if err != nil || r.Properties[1].Verdict != Holds || r.Properties[1].Vacuous == "" {
		t.Errorf("a premise that is never possible: %+v, %v", r.Properties[1], err)
	}
}
