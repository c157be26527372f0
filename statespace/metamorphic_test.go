package statespace

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// Changes to a model that must not change any verdict.
var transformations = []struct {
	name  string
	apply func(r *rand.Rand, m *tableModel) *tableModel
}{
	{"actions in another order", func(r *rand.Rand, m *tableModel) *tableModel {
		for _, edges := range m.edges {
			r.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
		}
		return m
	}},
	{"states renamed", func(r *rand.Rand, m *tableModel) *tableModel {
		name := r.Perm(len(m.edges))
		out := &tableModel{edges: make([][]tableEdge, len(name)), marks: make([]uint8, len(name)), classes: m.classes}
		for _, s := range m.initial {
			out.initial = append(out.initial, uint16(name[s]))
		}
		for s, edges := range m.edges {
			out.marks[name[s]] = m.marks[s]
			for _, e := range edges {
				out.edges[name[s]] = append(out.edges[name[s]], tableEdge{e.action, uint16(name[e.to])})
			}
		}
		return out
	}},
	{"every step twice", func(_ *rand.Rand, m *tableModel) *tableModel {
		for s, edges := range m.edges {
			m.edges[s] = append(edges, edges...)
		}
		return m
	}},
	{"a part that is not reached", func(r *rand.Rand, m *tableModel) *tableModel {
		more := randomTable(r, 10)
		shift := uint16(len(m.edges))
		for s, edges := range more.edges {
			m.marks = append(m.marks, more.marks[s])
			var moved []tableEdge
			for _, e := range edges {
				moved = append(moved, tableEdge{Action{Label: e.action.Label}, e.to + shift})
			}
			m.edges = append(m.edges, moved)
		}
		return m
	}},
	{"a variable that nobody reads", func(_ *rand.Rand, m *tableModel) *tableModel {
		// It flips with every step that moves, and so takes no step of its own.
		n := uint16(len(m.edges))
		for s, edges := range slices.Clone(m.edges) {
			var here, there []tableEdge
			for _, e := range edges {
				if int(e.to) == s {
					here, there = append(here, e), append(there, tableEdge{e.action, e.to + n})
					continue
				}
				here, there = append(here, tableEdge{e.action, e.to + n}), append(there, e)
			}
			m.edges[s] = here
			m.edges = append(m.edges, there)
			m.marks = append(m.marks, m.marks[s])
		}
		return m
	}},
	{"a constraint twice", func(r *rand.Rand, m *tableModel) *tableModel {
		// The steps of a class and again, at the same place, of its double.
		if len(m.classes) == 0 {
			return m
		}
		c, double := uint16(r.IntN(len(m.classes))), uint16(len(m.classes))
		m.classes = append(slices.Clone(m.classes), m.classes[c])
		for s, edges := range m.edges {
			for _, e := range edges {
				if e.action.Class == c {
					m.edges[s] = append(m.edges[s], tableEdge{Action{double, e.action.Label}, e.to})
				}
			}
		}
		return m
	}},
}

func (m *tableModel) clone() *tableModel {
	out := *m
	out.edges = make([][]tableEdge, len(m.edges))
	for s := range m.edges {
		out.edges[s] = slices.Clone(m.edges[s])
	}
	out.marks = slices.Clone(m.marks)
	return &out
}

func TestVerdictsSurviveTransformations(t *testing.T) {
	for n, tr := range transformations {
		t.Run(tr.name, func(t *testing.T) {
			inParallel(2_000/slowdown, func(i, _ int) {
				r := rand.New(rand.NewPCG(uint64(i), 20+uint64(n)))
				m := randomTable(r, 30)
				seed := r.Uint64()
				changed := tr.apply(r, m.clone())
				before, beforeErr := Check(context.Background(), m, properties(tableClaims(rand.New(rand.NewPCG(seed, 0)), m)), Options{Classes: m.classes, All: true})
				after, afterErr := Check(context.Background(), changed, properties(tableClaims(rand.New(rand.NewPCG(seed, 0)), changed)), Options{Classes: changed.classes, All: true})
				if beforeErr != nil || afterErr != nil || !slices.Equal(verdicts(before), verdicts(after)) {
					t.Errorf("seed %d: %v, before %v (%v, %v)", i, verdicts(after), verdicts(before), afterErr, beforeErr)
				}
			})
		})
	}
}
