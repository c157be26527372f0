package statespace

import (
	"math/rand/v2"
	"testing"
)

// mostSteps is the largest number of steps with a mark on a path from an initial
// state, by raising a bound of every state until nothing changes. More steps than
// states are on a cycle.
func mostSteps(m *tableModel, bit int) int {
	n := len(m.edges)
	best := make([]int, n)
	for changed := true; changed; {
		changed = false
		for s, edges := range m.edges {
			for _, e := range edges {
				if count := min(n, best[e.to]+int(e.action.Label>>bit&1)); count > best[s] {
					best[s], changed = count, true
				}
			}
		}
	}
	most := 0
	for _, s := range m.initial {
		most = max(most, best[s])
	}
	if most == n {
		return Unbounded
	}
	return most
}

func TestMostAgreesWithAFixpoint(t *testing.T) {
	seen := map[bool]int{}
	for seed := range uint64(3000) {
		m := randomTable(rand.New(rand.NewPCG(seed, 5)), 12)
		if seed%2 == 0 { // few cycles: steps lead on
			for s := range m.edges {
				for i := range m.edges[s] {
					m.edges[s][i].to = min(uint16(len(m.edges)-1), max(m.edges[s][i].to, uint16(s)+uint16(seed/2%2)))
				}
			}
		}
		want := mostSteps(m, 1)
		r, err := Check(t.Context(), m, []Property[tableState]{EventuallyNever("another", stepMark(2)), Most("most", stepMark(1))}, Options{Classes: m.classes, All: true})
		if err != nil {
			t.Fatal(err)
		}
		got := r.Properties[1]
		if got.Verdict != Holds || got.Count != want {
			t.Errorf("seed %d: %v %d, want %d", seed, got.Verdict, got.Count, want)
		}
		seen[want == Unbounded]++
	}
	if seen[true] < 500 || seen[false] < 500 {
		t.Errorf("unbounded or not: %v", seen)
	}
}

func TestMostOfACutExplorationIsInconclusive(t *testing.T) {
	m := arrows(nil, arrow{0, 0, 1, 2}, arrow{1, 0, 2, 2})
	if got := checkOne(t, m, Most("cut", label(2)), Options{MaxDepth: 1}); got.Verdict != Inconclusive || got.Reason == "" {
		t.Errorf("%+v", got)
	}
	if got := checkOne(t, m, Most("whole", label(2)), Options{}); got.Verdict != Holds || got.Count != 2 {
		t.Errorf("%+v", got)
	}
}
