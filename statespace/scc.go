package statespace

import "github.com/seatrial/seatrial/internal/invariant"

// componentSearch finds the strongly connected components of the graph restricted
// to a region, by Tarjan's algorithm with an explicit stack: paths of 10⁷
// states exist.
type componentSearch struct {
	g *graph
	// region of a state, and its component once it is known; numbers are never
	// used twice, so that stale ones are harmless.
	region, component         []uint32
	lastRegion, lastComponent uint32
	// index is 0 for a state not yet visited, finished for one in a component.
	index, low []uint32
	stack      []uint32
	calls      []sccCall
	cancelled  func() bool
}

type sccCall struct {
	state     uint32
	edge, end int
}

const finished = ^uint32(0)

func newComponentSearch(g *graph, states int, cancelled func() bool) *componentSearch {
	all := make([]uint32, 4*states)
	part := func(i int) []uint32 { return all[i*states : (i+1)*states : (i+1)*states] }
	return &componentSearch{g: g, region: part(0), component: part(1), index: part(2), low: part(3), cancelled: cancelled}
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
	t.lastRegion++
	for _, v := range states {
		t.region[v], t.index[v] = t.lastRegion, 0
	}
	next, steps, visited := uint32(0), 0, 0
	for _, root := range states {
		if t.index[root] != 0 {
			continue
		}
		next = t.push(root, next)
		for len(t.calls) > 0 {
			if steps++; steps&0xffff == 0 && t.cancelled() {
				t.calls, t.stack = t.calls[:0], t.stack[:0]
				return false
			}
			call := &t.calls[len(t.calls)-1]
			if child, ok := t.descend(call, avoid); ok {
				next = t.push(child, next)
				continue
			}
			v := call.state
			t.calls = t.calls[:len(t.calls)-1]
			if n := len(t.calls); n > 0 {
				p := t.calls[n-1].state
				t.low[p] = min(t.low[p], t.low[v])
			}
			if t.low[v] == t.index[v] {
				component := t.pop(v)
				visited += len(component)
				visit(component)
			}
		}
	}
	if invariant.Enabled {
		t.checkPartition(states, visited)
	}
	return true
}

func (t *componentSearch) push(v, next uint32) uint32 {
	next++
	t.index[v], t.low[v] = next, next
	t.stack = append(t.stack, v)
	from, to := t.g.row(v)
	t.calls = append(t.calls, sccCall{v, from, to})
	return next
}

// descend goes on with the edges of a call until one leads to a new state.
func (t *componentSearch) descend(call *sccCall, avoid int) (child uint32, ok bool) {
	for call.edge < call.end {
		i := call.edge
		call.edge++
		w := t.g.targets.at(i)
		if t.region[w] != t.lastRegion || t.g.avoided(i, avoid) {
			continue
		}
		switch t.index[w] {
		case 0:
			return w, true
		case finished:
		default:
			t.low[call.state] = min(t.low[call.state], t.index[w])
		}
	}
	return 0, false
}

// pop takes the component of root off the stack and numbers it.
func (t *componentSearch) pop(root uint32) []uint32 {
	t.lastComponent++
	at := len(t.stack) - 1
	for ; ; at-- {
		v := t.stack[at]
		t.index[v], t.component[v] = finished, t.lastComponent
		if v == root {
			break
		}
	}
	component := t.stack[at:]
	t.stack = t.stack[:at]
	return component
}
