package statespace

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLabelsAreCounted: the counts of steps by their labels are those of a search by hand,
// with edges kept for liveness and without.
func TestLabelsAreCounted(t *testing.T) {
	for i := range 2_000 / slowdown {
		r := rand.New(rand.NewPCG(uint64(i), 7))
		m := randomTable(r, 200)
		var props []Property[tableState]
		if i%2 == 0 {
			props = append(props, LeadsTo("live", m.mark(0), m.mark(1)))
		}
		const labels = 5
		found, err := Check(t.Context(), m, props, Options{Classes: m.classes, All: true, Workers: 1 + i%3, Labels: labels})
		if err != nil {
			t.Fatal(err)
		}
		counts, sizes := byHand(m)
		if !slices.Equal(found.Stats.Labels, counts[:labels]) || !slices.Equal(found.Stats.Sizes, sizes) {
			t.Errorf("seed %d: counted %v, levels %v; by hand %v, %v", i, found.Stats.Labels, found.Stats.Sizes, counts, sizes)
		}
	}
}

// byHand searches a model breadth-first: the counts of its eight labels, and the sizes of the levels.
func byHand(m *tableModel) (counts []LabelCount, sizes []int) {
	counts = make([]LabelCount, 8)
	seen := map[uint16]bool{}
	var level []uint16
	for _, s := range m.initial {
		if !seen[s] {
			seen[s], level = true, append(level, s)
		}
	}
	for len(level) > 0 {
		sizes = append(sizes, len(level))
		var next []uint16
		for _, s := range level {
			for _, e := range m.edges[s] {
				counts[e.action.Label].Transitions++
				if !seen[e.to] {
					seen[e.to], next = true, append(next, e.to)
					counts[e.action.Label].States++
				}
			}
		}
		level = next
	}
	return counts, sizes
}
