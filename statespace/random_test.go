package statespace

import "math/rand/v2"

// tableState is a state of a tableModel: its row.
type tableState struct{ at uint16 }

// tableModel is a transition system written out.
type tableModel struct {
	initial []uint16
	edges   [][]tableEdge
	// marks are the propositions of each state, as bits.
	marks   []uint8
	classes []Class
}

// tableEdge is a step. The bits of its label are the step's propositions.
type tableEdge struct {
	action Action
	to     uint16
}

func (m *tableModel) Init(yield func(tableState) bool) {
	for _, s := range m.initial {
		if !yield(tableState{s}) {
			return
		}
	}
}

func (m *tableModel) Next(s tableState, yield func(Action, tableState) bool) {
	for _, e := range m.edges[s.at] {
		if !yield(e.action, tableState{e.to}) {
			return
		}
	}
}

// mark returns the predicate "bit is set in the state".
func (m *tableModel) mark(bit int) func(tableState) bool {
	return func(s tableState) bool { return m.marks[s.at]>>bit&1 != 0 }
}

// stepMark returns the predicate "bit is set in the step's label".
func stepMark(bit int) func(tableState, Action, tableState) bool {
	return func(_ tableState, a Action, _ tableState) bool { return a.Label>>bit&1 != 0 }
}

// randomTable draws a model of at most most states and six classes. Sparse and
// dense, connected and scattered ones all come up.
func randomTable(r *rand.Rand, most int) *tableModel {
	n := 1 + r.IntN(most)
	m := &tableModel{edges: make([][]tableEdge, n), marks: make([]uint8, n)}
	strong := r.IntN(3)
	for range r.IntN(7) {
		f := Fairness(r.IntN(3))
		if r.IntN(3) < strong {
			f = Strong
		}
		m.classes = append(m.classes, Class{Fairness: f})
	}
	for range 1 + r.IntN(2) {
		m.initial = append(m.initial, uint16(r.IntN(n)))
	}
	degree := 1 + r.IntN(5)
	dense := 1 + r.IntN(4)
	for s := range n {
		for range r.IntN(degree + 1) {
			to := r.IntN(n)
			if r.IntN(3) == 0 {
				to = (s + 1) % n
			}
			class := 0
			if len(m.classes) > 0 {
				class = r.IntN(len(m.classes))
			}
			label := uint32(0)
			for bit := range 3 {
				if r.IntN(dense) == 0 {
					label |= 1 << bit
				}
			}
			m.edges[s] = append(m.edges[s], tableEdge{Action{Class: uint16(class), Label: label}, uint16(to)})
		}
		m.marks[s] = uint8(r.IntN(256) | r.IntN(256))
		if r.IntN(2) == 0 {
			m.marks[s] &= uint8(r.IntN(256))
		}
	}
	return m
}

// tableClaim is a property in the oracle's terms: bits of marks, -1 for none.
// Liveness properties are the tails that violate them.
type tableClaim struct {
	property Property[tableState]
	kind     kind
	bit      int
	tail     tableTail
}

type tableTail struct {
	// within and visit are state propositions, true of a state if its bit
	// differs from the negation.
	within, visit       int
	withinNot, visitNot bool
	trigger             int
	avoid, take         int
}

func anyTail() tableTail {
	return tableTail{within: none, visit: none, trigger: none, avoid: none, take: none}
}

// tableClaims returns properties of every kind, with propositions drawn.
func tableClaims(r *rand.Rand, m *tableModel) []tableClaim {
	p, q := r.IntN(8), r.IntN(8)
	step := r.IntN(3)
	stable, recurring, rare, answer := anyTail(), anyTail(), anyTail(), anyTail()
	stable.visit, stable.visitNot = p, true
	recurring.within, recurring.withinNot = p, true
	rare.take = step
	answer.trigger, answer.within, answer.withinNot = p, q, true
	never, b := anyTail(), Behaviour[tableState]{}
	if r.IntN(2) == 0 {
		never.within, b.Within = r.IntN(8), nil
		b.Within = m.mark(never.within)
	}
	if r.IntN(2) == 0 {
		never.visit = r.IntN(8)
		b.Visit = m.mark(never.visit)
	}
	if r.IntN(2) == 0 {
		never.avoid = r.IntN(3)
		b.Avoid = stepMark(never.avoid)
	}
	if r.IntN(2) == 0 {
		never.take = r.IntN(3)
		b.Take = stepMark(never.take)
	}
	return []tableClaim{
		{Always("always", m.mark(p)), kindAlways, p, anyTail()},
		{AlwaysStep("always step", stepMark(step)), kindAlwaysStep, step, anyTail()},
		{AtRest("at rest", m.mark(q)), kindAtRest, q, anyTail()},
		{Sometimes("sometimes", m.mark(q)), kindSometimes, q, anyTail()},
		{SometimesStep("sometimes step", stepMark(step)), kindSometimesStep, step, anyTail()},
		{EventuallyAlways("eventually always", m.mark(p)), kindEventuallyAlways, p, stable},
		{AlwaysEventually("always eventually", m.mark(p)), kindAlwaysEventually, p, recurring},
		{EventuallyNever("eventually never", stepMark(step)), kindEventuallyNever, step, rare},
		{LeadsTo("leads to", m.mark(p), m.mark(q)), kindLeadsTo, p, answer},
		{Never("never", b), kindNever, none, never},
	}
}

func properties(claims []tableClaim) []Property[tableState] {
	props := make([]Property[tableState], len(claims))
	for i, c := range claims {
		props[i] = c.property
	}
	return props
}
