package program

import (
	"math/bits"

	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// key is what a result is kept by: ids, from 1, of what it depends on; 0 where there is nothing.
type key [keyVariables + keyLocals]statespace.ID

// hash multiplies the parts with each other, two by two.
func (k *key) hash() uint64 {
	two := func(i int) uint64 { return uint64(k[i]) | uint64(k[i+1])<<32 }
	return mix(two(0)^0xa0761d6478bd642f, two(2)^0xe7037ed1a0b428db) ^ mix(two(4)^0x8ebc6af09c88c6e3, uint64(k[6])^0x589965cc75374cc3)
}

func mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// table keeps results of one expression for one frame: ids or values. Newer results replace older ones. It watches
// whether it helps: what looking up costs is compared with what the expression does, and where it is more the table
// rests.
type table struct {
	watch
	entries []entry
	values  []value.Value
	// misses are those since it grew.
	misses int
}

// watch sees to it that looking up rests where it costs more than it saves.
type watch struct {
	cost int
	// tries and hits are those since it was judged last.
	tries, hits int
	// rest is for how many more calls nothing is looked up, and pause for how many the next time.
	rest, pause int
}

type entry struct {
	key key
	id  uint32 // from 1; 0 if there is nothing
}

const (
	firstSize, largestSize = 1 << 8, 1 << 18
	// mostEntries bounds the entries of all tables of a program.
	mostEntries = 1 << 22
	// lookup is what looking up costs, in the measure of node.cost.
	lookup = 8
	// window is after how many tries a table is judged, and rested for how many calls it rests the first time.
	window, rested, longest = 1 << 12, 1 << 16, 1 << 24
)

// table returns a table of the frame, nil if nothing is to be looked up.
func (f *frame) table(number int) *table {
	if !f.known {
		return nil
	}
	return f.tableOf(number)
}

// tableOf is table for results that do not depend on the state.
func (f *frame) tableOf(number int) *table {
	if f.tables == nil {
		return nil
	}
	all := *f.tables
	if number >= len(all) {
		all = make([]table, len(f.p.c.costs))
		copy(all, *f.tables)
		*f.tables = all
	}
	t := &all[number]
	if !t.awake(f.p.c.costs[number]) {
		return nil
	}
	return t
}

// awake tells whether something is to be looked up, which saves that cost if it is found.
func (w *watch) awake(cost int) bool {
	if w.rest > 0 {
		w.rest--
		return false
	}
	if w.pause == 0 {
		w.cost, w.pause = cost, rested
	}
	return true
}

// table makes room for one more table in frames, for an expression of that cost.
func (c *compiler) table(cost int) int {
	c.costs = append(c.costs, cost)
	return len(c.costs) - 1
}

// find returns where a result is, or belongs.
func (t *table) find(k *key) (at int, found bool) {
	t.count()
	if t.entries == nil {
		t.entries = make([]entry, firstSize)
	}
	at = int(k.hash() >> 32 & uint64(len(t.entries)-1))
	if e := &t.entries[at]; e.id != 0 && e.key == *k {
		t.hits++
		return at, true
	}
	return at, false
}

// count counts a try.
func (w *watch) count() {
	if w.tries++; w.tries == window {
		w.judge()
	}
}

// judge has the table rest if too little is found in it, each time longer.
func (w *watch) judge() {
	if w.hits*(lookup+w.cost) < w.tries*lookup {
		w.rest = w.pause
		w.pause = min(2*w.pause, longest)
	} else {
		w.pause = rested
	}
	w.tries, w.hits = 0, 0
}

// put keeps an id, from 1, for a key that was not found. The frame may have found and kept others since.
func (t *table) put(p *Program, k *key, id uint32) {
	at := t.room(p, k)
	t.entries[at] = entry{*k, id}
}

// putValue keeps a value.
func (t *table) putValue(p *Program, k *key, v value.Value) {
	if t.values == nil {
		t.values = make([]value.Value, len(t.entries))
	}
	at := t.room(p, k)
	t.entries[at] = entry{*k, 1}
	t.values[at] = v
}

// room returns where a new result belongs, in a table that is large enough.
func (t *table) room(p *Program, k *key) int {
	if t.misses++; t.misses > 2*len(t.entries) && len(t.entries) < largestSize && p.roomFor(len(t.entries)) {
		t.grow()
	}
	return int(k.hash() >> 32 & uint64(len(t.entries)-1))
}

// roomFor tells whether there may be so many more entries, in all tables.
func (p *Program) roomFor(more int) bool { return p.entries.Add(int64(more)) < mostEntries }

// grow makes the table four times as large.
func (t *table) grow() {
	old, values := t.entries, t.values
	t.entries, t.misses = make([]entry, 4*len(old)), 0
	if values != nil {
		t.values = make([]value.Value, len(t.entries))
	}
	for i := range old {
		if old[i].id == 0 {
			continue
		}
		at := old[i].key.hash() >> 32 & uint64(len(t.entries)-1)
		t.entries[at] = old[i]
		if values != nil {
			t.values[at] = values[i]
		}
	}
}
