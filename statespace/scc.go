package statespace

import "github.com/seatrial/seatrial/internal/invariant"

// componentSearch finds the strongly connected components of the graph restricted
// to a region, by Tarjan's algorithm in Pearce's form, where one number per
// state serves as index and as low link, with an explicit stack: paths of 10⁷
// states exist.
type componentSearch struct {
	g *graph
	// component of a state, once it is known; numbers are never used twice, so
	// that stale ones are harmless.
	component     []uint32
	lastComponent uint32
	// index is 0 for a state not yet visited, the order of the visit for one in
	// calls, the lowest index it reaches for one on the stack, and finished for
	// one in a component or outside the region.
	index     []uint32
	stack     []uint32
	calls     []sccCall
	cancelled func() bool
}

// sccCall is a visit that goes on: next counts the edges done, low is the
// lowest index reached.
type sccCall struct{ state, next, low uint32 }

const finished = ^uint32(0)

// sccBytes is what a componentSearch and the list of its region take per state
// at most.
const sccBytes = 2*4 + 4 + 12 + 4

func newComponentSearch(g *graph, states int, cancelled func() bool) *componentSearch {
	t := &componentSearch{g: g, component: newArray[uint32](states), index: newArray[uint32](states), cancelled: cancelled}
	for i := range t.index {
		t.index[i] = finished
	}
	return t
}

// avoided reports whether edge i satisfies the step predicate avoid.
func (g *graph) avoided(i, avoid int) bool { return avoid != none && g.stepBit(i, avoid) }

// inside reports whether edge i stays in component c and is not avoided.
func (t *componentSearch) inside(i int, c uint32, avoid int) bool {
	return t.component[t.g.targets.at(i)] == c && !t.g.avoided(i, avoid)
}

// run calls visit with every component of the region made of states, edges
// with avoid left out. The slice is valid during the call. It returns false
// when the run was cancelled.
func (t *componentSearch) run(states []uint32, avoid int, visit func(component []uint32)) bool {
	for _, v := range states {
		t.index[v] = 0
	}
	last, steps, visited := uint32(0), 0, 0
	for _, root := range states {
		if t.index[root] != 0 {
			continue
		}
		last = t.push(root, last)
		for len(t.calls) > 0 {
			if steps++; steps&0xffff == 0 && t.cancelled() {
				t.calls, t.stack = t.calls[:0], t.stack[:0]
				return false
			}
			call := &t.calls[len(t.calls)-1]
			if child, ok := t.descend(call, avoid); ok {
				last = t.push(child, last)
				continue
			}
			v, low := call.state, call.low
			t.calls = t.calls[:len(t.calls)-1]
			if n := len(t.calls); n > 0 {
				t.calls[n-1].low = min(t.calls[n-1].low, low)
			}
			t.stack = append(t.stack, v)
			if low < t.index[v] {
				t.index[v] = low
				continue
			}
			component := t.pop(low)
			visited += len(component)
			visit(component)
		}
	}
	if invariant.Enabled {
		t.checkPartition(states, visited)
	}
	return true
}

func (t *componentSearch) push(v, last uint32) uint32 {
	last++
	t.index[v] = last
	t.calls = append(t.calls, sccCall{state: v, low: last})
	return last
}

// descend goes on with the edges of a call until one leads to a new state.
func (t *componentSearch) descend(call *sccCall, avoid int) (child uint32, ok bool) {
	from, to := t.g.row(call.state)
	for i := from + int(call.next); i < to; i++ {
		w := t.g.targets.at(i)
		index := t.index[w]
		if index >= call.low || t.g.avoided(i, avoid) {
			continue
		}
		if index == 0 {
			call.next = uint32(i + 1 - from)
			return w, true
		}
		call.low = index
	}
	return 0, false
}

// pop takes the states on the stack that reach no lower index than low, which
// are one component, and numbers them.
func (t *componentSearch) pop(low uint32) []uint32 {
	t.lastComponent++
	at := len(t.stack)
	for at > 0 && t.index[t.stack[at-1]] >= low {
		at--
		v := t.stack[at]
		t.index[v], t.component[v] = finished, t.lastComponent
	}
	component := t.stack[at:]
	t.stack = t.stack[:at]
	return component
}
