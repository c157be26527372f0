package fidelity

import (
	"slices"
	"strings"
)

// Matching is how far two sides agree.
type Matching struct {
	// Expected, Seen and Matched count actions.
	Expected, Seen, Matched int
	// Rows are the two sides beside each other, in order.
	Rows []Row
}

// Row is an action on both sides, or on one of them: the other is nil.
type Row struct{ Expected, Seen *Action }

// Rate is the share of the actions of both sides that are on both, from 0 to 1;
// without any action it is 1.
func (m Matching) Rate() float64 {
	all := m.Expected + m.Seen - m.Matched
	if all == 0 {
		return 1
	}
	return float64(m.Matched) / float64(all)
}

// Match compares two sides. What is done to one pod or object has to be done in the
// same order on both; between several, order does not count. Each expected action is
// matched with the first one seen that it can be, in the order of the trace; nothing
// is tried twice. Where the trace says that another pod could equally be meant, and
// it was, the two have exchanged their ordinals from then on.
func Match(expected, seen []Action) Matching {
	m := &matcher{seen: seen, by: make([]int, len(expected)), taken: make([]bool, len(seen)), real: map[thing]int{}, done: map[thing]int{}}
	out := Matching{Expected: len(expected), Seen: len(seen)}
	for i := range expected {
		if m.by[i] = m.find(&expected[i]); m.by[i] >= 0 {
			out.Matched++
		}
	}
	// A row of one side stands where that side has it.
	next := 0
	flush := func(end int) {
		for ; next < end; next++ {
			if !m.taken[next] {
				out.Rows = append(out.Rows, Row{Seen: &seen[next]})
			}
		}
	}
	for i := range expected {
		row := Row{Expected: &expected[i]}
		if k := m.by[i]; k >= 0 {
			flush(k)
			row.Seen = &seen[k]
		}
		out.Rows = append(out.Rows, row)
	}
	flush(len(seen))
	return out
}

type matcher struct {
	seen  []Action
	by    []int // the index seen, or -1
	taken []bool
	// real are the ordinals of the pods that stand for those of the trace, where
	// they are others.
	real map[thing]int
	// done is 1 + the index of the last action that was matched of a real thing.
	done map[thing]int
}

func (m *matcher) of(t thing, ordinal int) int {
	if t.ordinal = ordinal; m.real[t] > 0 {
		return m.real[t]
	}
	return ordinal
}

// find is the first action that can be the expected one, or -1.
func (m *matcher) find(e *Action) int {
	want := m.of(e.of(), e.Ordinal)
	for k := range m.seen {
		s := &m.seen[k]
		if m.taken[k] || !same(e, s) || m.done[s.of()] > k {
			continue
		}
		if s.Ordinal != want && !slices.ContainsFunc(e.Among, func(o int) bool { return m.of(e.of(), o) == s.Ordinal }) {
			continue
		}
		m.exchange(e, want, s.Ordinal)
		m.taken[k], m.done[s.of()] = true, k+1
		return k
	}
	return -1
}

// exchange makes real the pod that e is about, which was want.
func (m *matcher) exchange(e *Action, want, real int) {
	if want == real {
		return
	}
	for _, o := range e.Among {
		if other := e.of(); m.of(other, o) == real {
			other.ordinal = o
			m.real[other] = want
			break
		}
	}
	m.real[e.of()] = real
}

// same tells whether two actions are one but for the ordinals of pods.
func same(a, b *Action) bool {
	return a.Verb == b.Verb && a.Object == b.Object && a.Revision == b.Revision && (a.Ordinal > 0) == (b.Ordinal > 0) &&
		a.Node == b.Node && a.From == b.From && a.To == b.To && a.Taint == b.Taint
}

// cut splits "Kind namespace/name" at the last space: a kind may have one.
func cut(object string) (kind, name string) {
	i := strings.LastIndexByte(object, ' ')
	return object[:max(0, i)], object[i+1:]
}
