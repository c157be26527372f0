package statespace

import "github.com/seatrial/seatrial/internal/invariant"

// checkChunk verifies what must be true after a chunk has been entered. It runs
// in builds with invariants only.
func (s *search) checkChunk(before int) {
	invariant.Check(s.table.used == s.states, "the table has %d keys for %d states", s.table.used, s.states)
	invariant.Check(s.expanded <= s.states && before <= s.states, "%d of %d states expanded, %d before", s.expanded, s.states, before)
	next := before
	for _, b := range s.chunk {
		o := &b.open
		for i, k := range o.keys {
			id, ok := s.table.find(k)
			refused := s.final[b.base+i] == noState
			invariant.Check(ok != refused && (refused || id == s.final[b.base+i]), "open successor %d has id %d, the table %d", i, s.final[b.base+i], id)
			if refused || int(s.open.slots[o.slot[i]])-1 != b.base+i {
				continue
			}
			invariant.Check(int(id) == next, "state %d was numbered, %d is next", id, next)
			next++
			parent := s.parents.at(int(id))
			invariant.Check(parent == noState || parent < id, "state %d comes from %d", id, parent)
		}
	}
	invariant.Check(next == s.states, "%d states were numbered, there are %d", next, s.states)
	if s.graph != nil {
		s.checkRows()
	}
}

// checkRows verifies the rows of the chunk's states.
func (s *search) checkRows() {
	for _, b := range s.chunk {
		for v := b.first; v < min(b.last, s.expanded); v++ {
			from, to := s.graph.row(uint32(v))
			edges := int(b.rows[v-b.first])
			if v > b.first {
				edges -= int(b.rows[v-b.first-1])
			}
			invariant.Check(to-from == edges, "state %d has %d edges, %d were kept", v, to-from, edges)
			for i := from; i < to; i++ {
				e := s.graph.edge(i)
				invariant.Check(int(e.to) < s.states, "an edge of %d leads to %d of %d", v, e.to, s.states)
				invariant.Check(!e.stutter || int(e.to) == v, "state %d stutters to %d", v, e.to)
			}
		}
	}
}

// checkPartition verifies that every state of a region got a component.
func (t *componentSearch) checkPartition(states []uint32, visited int) {
	invariant.Check(visited == len(states), "%d states of %d are in components", visited, len(states))
	for _, v := range states {
		invariant.Check(t.index[v] == finished, "state %d is in no component", v)
	}
	invariant.Check(len(t.stack) == 0 && len(t.calls) == 0, "%d states and %d calls are left over", len(t.stack), len(t.calls))
}

// checkCycle verifies that the edges lead from the entry back to it.
func (l *liveness) checkCycle(edges []int, avoid int) {
	at := l.best.entry
	for _, i := range edges {
		from, to := l.g.row(at)
		invariant.Check(from <= i && i < to, "edge %d does not leave state %d", i, at)
		invariant.Check(!l.g.avoided(i, avoid), "the cycle takes an edge to avoid")
		at = l.g.targets.at(i)
	}
	invariant.Check(at == l.best.entry, "the cycle ends in %d and not in %d", at, l.best.entry)
}
