package statespace

import (
	"errors"
	"slices"

	"github.com/seatrial/seatrial/internal/invariant"
)

// The cycle of a lasso is searched breadth-first over pairs of a state and the
// set of duties done so far, from the entry back to it: shortest for that
// entry. A weak class's duty is done by a state where it is disabled or a step
// that takes it; a strong class's by a step that takes it, unless the cycle
// avoids every state where it is enabled; Visit and Take are duties as well.

const (
	// Above either bound the duties are done one after the other instead, each
	// by the shortest way: short, but not shortest.
	exactDuties = 60
	exactNodes  = 1 << 17
)

// errNoCycle cannot happen unless the search and the cycle disagree on what is
// fair.
var errNoCycle = errors.New("statespace: internal error: a component without a fair cycle was reported")

// lasso makes the path of the best seed and re-executes it.
func (l *liveness) lasso(c *claim) (*path, error) {
	b := &l.best
	// The refinement has renumbered components since: mark this one anew.
	l.scc.lastComponent++
	for _, v := range b.states {
		l.scc.component[v] = l.scc.lastComponent
	}
	cycle, err := l.cycle(&c.tail)
	if err != nil {
		return nil, err
	}
	if invariant.Enabled {
		l.checkCycle(cycle, c.tail.avoid)
	}
	hops := make([]hop, len(cycle))
	for i, e := range cycle {
		hops[i] = hop{to: l.g.targets.at(e), marked: true, edge: l.g.edge(e)}
		for j := l.g.classBytes; j < l.g.labelBytes; j++ {
			hops[i].bits = append(hops[i].bits, l.g.labels.at(e*l.g.labelBytes+j))
		}
	}
	f, err := l.s.follow(l.stemTo(b.entry))
	if err != nil {
		return nil, err
	}
	return f.close(hops)
}

// stemTo returns the states of the shortest stem.
func (l *liveness) stemTo(v uint32) []uint32 {
	if l.stem.length == nil {
		return l.s.chain(v)
	}
	var back []uint32
	for l.stem.from[v] != noState {
		back = append(back, v)
		v = l.stem.from[v]
	}
	slices.Reverse(back)
	return append(l.s.chain(v), back...)
}

// close repeats the cycle until a concrete state recurs at its start: at once
// without symmetry, else after as many rounds as it takes to come back to the
// same names. Under a view it may never recur, as where a clock runs on: the last round then ends
// in a state that looks like the one in which it began.
func (f *follower) close(hops []hop) (*path, error) {
	const roundsMost, roundsAlike = 1 << 16, 4
	seen := map[string]int{}
	for round := range roundsMost {
		name := f.name(f.path.last())
		if at, ok := seen[name]; ok {
			f.path.loop = at
			return &f.path, nil
		}
		if f.s.viewed && round == roundsAlike {
			f.path.loop = len(f.path.steps) - len(hops)
			return &f.path, nil
		}
		seen[name] = len(f.path.steps)
		if len(hops) == 0 {
			f.path.loop = len(f.path.steps)
			return &f.path, nil
		}
		for _, h := range hops {
			if err := f.hop(h); err != nil {
				return nil, err
			}
		}
	}
	return nil, errNotConcrete
}

// name returns the bytes of a record.
func (f *follower) name(record []uint64) string {
	b := make([]byte, 0, 8*len(record))
	for _, w := range record {
		for shift := 0; shift < 64; shift += 8 {
			b = append(b, byte(w>>shift))
		}
	}
	return string(b)
}

// duties are what a cycle in one component has to do. The bits of a set of
// duties done are numbered: weak classes, then for each strong class "was
// enabled" and "was taken", then visit and take.
type duties struct {
	l            *liveness
	t            *tail
	weak, strong []int
}

// newDuties looks which classes matter in the component of the best seed.
func (l *liveness) newDuties(t *tail) *duties {
	l.inspect(t, l.best.states)
	d := &duties{l: l, t: t}
	for c := range l.s.fair.constraints {
		switch {
		case !l.somewhere.has(c):
		case l.s.fair.weak.has(c):
			d.weak = append(d.weak, c)
		case l.s.fair.strong.has(c):
			d.strong = append(d.strong, c)
		}
	}
	return d
}

func (d *duties) bits() int { return len(d.weak) + 2*len(d.strong) + 2 }

// atState adds what being in v does.
func (d *duties) atState(v uint32, done uint64) uint64 {
	d.l.enabledAt(v)
	for i, c := range d.weak {
		if !d.l.here.has(c) {
			done |= 1 << i
		}
	}
	for i, c := range d.strong {
		if d.l.here.has(c) {
			done |= 1 << (len(d.weak) + 2*i)
		}
	}
	if d.l.g.stateIs(v, d.t.visit) {
		done |= 1 << (d.bits() - 2)
	}
	return done
}

// byEdge adds what taking edge i does.
func (d *duties) byEdge(i int, done uint64) uint64 {
	if e := d.l.g.edge(i); !e.stutter {
		d.l.takenBy(i, e, func(c int) {
			if at := slices.Index(d.weak, c); at >= 0 {
				done |= 1 << at
			}
			if at := slices.Index(d.strong, c); at >= 0 {
				done |= 2 << (len(d.weak) + 2*at)
			}
		})
	}
	if d.t.take != none && d.l.g.stepBit(i, d.t.take) {
		done |= 2 << (d.bits() - 2)
	}
	return done
}

// missing returns the duties still to do as a set of bits.
func (d *duties) missing(done uint64) uint64 {
	left := (uint64(1)<<len(d.weak) - 1) &^ done
	for i := range d.strong {
		at := len(d.weak) + 2*i
		if done>>at&2 == 0 && done>>at&1 != 0 {
			left |= 2 << at
		}
	}
	if d.t.visit.pred != none {
		left |= 1 << (d.bits() - 2) &^ done
	}
	if d.t.take != none {
		left |= 2 << (d.bits() - 2) &^ done
	}
	return left
}

// cycle returns the edges of a fair cycle through the entry, none if staying
// there is one.
func (l *liveness) cycle(t *tail) ([]int, error) {
	d := l.newDuties(t)
	if d.bits() <= exactDuties {
		edges, searched := d.shortest()
		if searched {
			if edges == nil {
				return nil, errNoCycle
			}
			return edges, nil
		}
	}
	return d.greedy()
}

// node is a state with the duties done on the way there.
type node struct {
	state uint32
	done  uint64
}

// reached is how a node was reached.
type reached struct {
	from int
	edge int
}

// shortest returns nil edges if no cycle exists, and false if it gave up.
func (d *duties) shortest() (edges []int, searched bool) {
	entry := d.l.best.entry
	start := node{entry, d.atState(entry, 0)}
	if d.missing(start.done) == 0 {
		return []int{}, true
	}
	nodes, how := []node{start}, []reached{{-1, 0}}
	known := map[node]bool{start: true}
	number := d.l.scc.component[entry]
	for at := 0; at < len(nodes); at++ {
		if len(nodes) > exactNodes {
			return nil, false
		}
		from, to := d.l.g.row(nodes[at].state)
		for i := from; i < to; i++ {
			if !d.l.scc.inside(i, number, d.t.avoid) {
				continue
			}
			v := d.l.g.targets.at(i)
			n := node{v, d.atState(v, d.byEdge(i, nodes[at].done))}
			if n.state == entry && d.missing(n.done) == 0 {
				edges = []int{i}
				for ; how[at].from >= 0; at = how[at].from {
					edges = append(edges, how[at].edge)
				}
				slices.Reverse(edges)
				return edges, true
			}
			if !known[n] {
				known[n] = true
				nodes, how = append(nodes, n), append(how, reached{at, i})
			}
		}
	}
	return nil, true
}

// greedy walks to the nearest state or step that does a duty until all are
// done, and back to the entry. Duties are counted per class here, because
// there may be more than a word has bits.
func (d *duties) greedy() ([]int, error) {
	w := newGreedyWalk(d)
	for w.left > 0 {
		edges := w.nearest(func(i int) bool { return w.helps(i) })
		if edges == nil {
			return nil, errNoCycle
		}
		w.follow(edges)
	}
	if w.at != d.l.best.entry {
		edges := w.nearest(func(i int) bool { return d.l.g.targets.at(i) == d.l.best.entry })
		if edges == nil {
			return nil, errNoCycle
		}
		w.follow(edges)
	}
	return w.edges, nil
}

// greedyWalk is a cycle in the making.
type greedyWalk struct {
	d     *duties
	at    uint32
	edges []int
	// class tells for each class whether it is still a duty.
	class       []bool
	visit, take bool
	left        int
}

func newGreedyWalk(d *duties) *greedyWalk {
	w := &greedyWalk{d: d, at: d.l.best.entry, class: make([]bool, d.l.s.fair.constraints), visit: d.t.visit.pred != none, take: d.t.take != none}
	for _, c := range append(slices.Clone(d.weak), d.strong...) {
		w.class[c] = true
		w.left++
	}
	for _, on := range []bool{w.visit, w.take} {
		if on {
			w.left++
		}
	}
	w.settle(w.at, none)
	return w
}

// does calls yield for each duty left that edge i (none for no edge) or the
// state v does; it stops when yield returns false.
func (w *greedyWalk) does(v uint32, i int, yield func(duty *bool) bool) {
	if i != none {
		stop := false
		if e := w.d.l.g.edge(i); !e.stutter {
			w.d.l.takenBy(i, e, func(c int) { stop = stop || w.class[c] && !yield(&w.class[c]) })
		}
		if stop {
			return
		}
		if w.take && w.d.l.g.stepBit(i, w.d.t.take) && !yield(&w.take) {
			return
		}
	}
	if w.visit && w.d.l.g.stateIs(v, w.d.t.visit) && !yield(&w.visit) {
		return
	}
	w.d.l.enabledAt(v)
	for _, c := range w.d.weak {
		if w.class[c] && !w.d.l.here.has(c) && !yield(&w.class[c]) {
			return
		}
	}
}

func (w *greedyWalk) helps(i int) (some bool) {
	w.does(w.d.l.g.targets.at(i), i, func(*bool) bool {
		some = true
		return false
	})
	return some
}

func (w *greedyWalk) settle(v uint32, i int) {
	w.does(v, i, func(duty *bool) bool {
		*duty = false
		w.left--
		return true
	})
}

func (w *greedyWalk) follow(edges []int) {
	for _, i := range edges {
		w.at = w.d.l.g.targets.at(i)
		w.settle(w.at, i)
	}
	w.edges = append(w.edges, edges...)
}

// nearest returns the shortest way to an edge that is wanted, included.
func (w *greedyWalk) nearest(wanted func(i int) bool) []int {
	g, scc := w.d.l.g, w.d.l.scc
	number := scc.component[w.at]
	by := map[uint32]int{w.at: none}
	parent := map[uint32]uint32{}
	for queue := []uint32{w.at}; len(queue) > 0; queue = queue[1:] {
		v := queue[0]
		from, to := g.row(v)
		for i := from; i < to; i++ {
			if !scc.inside(i, number, w.d.t.avoid) {
				continue
			}
			if wanted(i) {
				edges := []int{i}
				for ; by[v] != none; v = parent[v] {
					edges = append(edges, by[v])
				}
				slices.Reverse(edges)
				return edges
			}
			u := g.targets.at(i)
			if _, known := by[u]; !known {
				by[u], parent[u] = i, v
				queue = append(queue, u)
			}
		}
	}
	return nil
}
