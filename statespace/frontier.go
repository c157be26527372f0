package statespace

import "sync/atomic"

// A chunk is a run of states of one level that are expanded together, split in
// blocks. Its phases keep goroutines from waiting for one another, and ids come
// out in the order (predecessor, ordinal of the successor) whatever the number
// of goroutines:
//
//  1. expand (per block): call the model, drop successors equal to one shortly
//     before, look the others up in the table, which nobody changes; what is
//     not there stays open;
//  2. match (per block): find the open successors that are equal, by a small
//     table of the chunk's own in which the first of them wins;
//  3. number: give the winners their ids, in order;
//  4. commit (per block): enter the winners in the table, store records,
//     predecessors, predicate bits, edges.

const (
	// A chunk has at most chunkBlocks blocks, and blocksLeast if there are so
	// many states, so that workers share the work evenly.
	chunkBlocks = 64
	blocksLeast = 32
	blockMost   = 512
	// blockSuccessors is how many successors a block should have.
	blockSuccessors = 1024

	noState = ^uint32(0)
	// statesMost leaves room above the ids for those that stand for a place in
	// a block's openList.
	statesMost = 1<<32 - 1<<28
)

// block is the work on consecutive states of a chunk and what came of it.
type block struct {
	first, last int

	// counts is the number of successors of each state, generated that of
	// initial states, entered that of those that are other states.
	generated, entered int
	counts             []uint32
	// ids and labels describe the edges, if they are kept, and rows is where
	// those of each state end. An id of statesMost and more stands for the open
	// successor of that index.
	rows   []uint32
	ids    []uint32
	labels []uint8

	// taken is the label of each successor, if labels are counted.
	taken []uint32

	open openList
	// links are the ids, in this sense, of the successors looked up.
	links []uint32
	// base is the rank of the block's first open successor in the chunk, edges
	// the index of its first edge.
	base, edges int

	enabled  []bool
	everTrue bitset
	atRest   bool
	hits     []hit
	resting  []uint32
	audit    audit

	cancelled bool
	err       error
	sink      uint64
	_         lines
}

// hit is the first state or step that decides a claim.
type hit struct {
	claim int
	// id is the state, or the state before the step.
	id uint32
	ok bool
}

// openList are successors that were not in the table when the chunk began, as
// parallel arrays.
type openList struct {
	keys    []key
	records []uint64
	// from is the predecessor, and label that of the step from it if labels are
	// counted.
	from  []uint32
	label []uint32
	// slot is the place in the chunk's table.
	slot []uint32
}

func (b *block) reset(first, last int) {
	b.first, b.last = first, last
	b.generated, b.entered, b.base, b.edges = 0, 0, 0, 0
	b.counts, b.rows, b.ids, b.labels = b.counts[:0], b.rows[:0], b.ids[:0], b.labels[:0]
	o := &b.open
	o.keys, o.records, o.from, o.label = o.keys[:0], o.records[:0], o.from[:0], o.label[:0]
	b.taken = b.taken[:0]
	clear(b.enabled)
	clear(b.everTrue)
	b.atRest, b.cancelled, b.err = false, false, nil
	b.hits, b.resting = b.hits[:0], b.resting[:0]
	b.audit.reset()
}

// resolve drops the successors that the table already has.
func (b *block) resolve(t *table, words int) {
	o := &b.open
	kept := 0
	b.links = b.links[:0]
	keep := len(b.ids) > 0
	var homes [touched]int
	for first := 0; first < len(o.keys); first += touched {
		keys := o.keys[first:min(first+touched, len(o.keys))]
		b.sink ^= t.touch(keys, &homes)
		for j, k := range keys {
			id, known := t.probe(k, homes[j])
			if !known {
				id = statesMost + uint32(kept)
				if i := first + j; kept < i {
					o.keys[kept], o.from[kept] = k, o.from[i]
					if len(o.label) > 0 {
						o.label[kept] = o.label[i]
					}
					copy(o.records[kept*words:(kept+1)*words], o.records[i*words:(i+1)*words])
				}
				kept++
			}
			if keep {
				b.links = append(b.links, id)
			}
		}
	}
	o.keys, o.from, o.records = o.keys[:kept], o.from[:kept], o.records[:kept*words]
	o.label = o.label[:min(kept, len(o.label))]
	for i, id := range b.ids {
		if id >= statesMost {
			b.ids[i] = b.links[id-statesMost]
		}
	}
}

// sized returns a slice of length n, reusing the memory of a.
func sized[T any](a []T, n int) []T {
	if cap(a) < n {
		return make([]T, n, n+n/2)
	}
	return a[:n]
}

// openTable finds the equal ones among the chunk's open successors, which are
// known by their rank in the chunk. A slot holds the lowest rank of its key,
// plus one.
type openTable struct {
	keys  []key
	slots []uint32
}

func (t *openTable) reset(n int) {
	t.keys, t.slots = sized(t.keys, n), sized(t.slots, 2*n)
	clear(t.slots)
}

// match enters the open successors of a block.
func (t *openTable) match(b *block) {
	o := &b.open
	o.slot = sized(o.slot, len(o.keys))
	// A rank in a slot says that its key can be read.
	copy(t.keys[b.base:], o.keys)
	for i, k := range o.keys {
		o.slot[i] = t.enter(k, uint32(b.base+i+1))
	}
}

// enter lowers the rank of k to at most rank and returns its slot.
func (t *openTable) enter(k key, rank uint32) uint32 {
	for i := k.home(len(t.slots)); ; {
		word := &t.slots[i]
		held := atomic.LoadUint32(word)
		switch {
		case held == 0 && atomic.CompareAndSwapUint32(word, 0, rank):
			return uint32(i)
		case held == 0:
			continue
		case t.keys[held-1] == k:
			for rank < held && !atomic.CompareAndSwapUint32(word, held, rank) {
				held = atomic.LoadUint32(word)
			}
			return uint32(i)
		}
		if i++; i == len(t.slots) {
			i = 0
		}
	}
}

// number gives the fresh states of the chunk their ids in order. It returns
// the number of states after it, whether one was refused because it was over
// the state budget, and the first state whose expansion is incomplete for that
// reason, noState if none.
func (s *search) number(open int) (states int, refused bool, cut uint32) {
	s.final = sized(s.final, open)
	states, cut = s.states, noState
	for _, b := range s.chunk {
		o := &b.open
		for i, slot := range o.slot {
			rank := b.base + i
			switch first := int(s.open.slots[slot]) - 1; {
			case first != rank:
				// A duplicate of an earlier one, which may have been refused.
				s.final[rank] = s.final[first]
			case states < s.statesMax:
				s.final[rank] = uint32(states)
				states++
				if len(o.label) > 0 {
					s.countNew(o.label[i])
				}
			default:
				s.final[rank] = noState
			}
			if s.final[rank] == noState && !refused {
				refused, cut = true, o.from[i]
			}
		}
	}
	return states, refused, cut
}

// commit stores what is new in one block. The states from cut on have no
// complete row of edges.
func (s *search) commit(w *worker, b *block, cut int) {
	o := &b.open
	words := s.queue.words
	var homes [touched]int
	for i, k := range o.keys {
		if i%touched == 0 {
			b.sink ^= s.table.touch(o.keys[i:min(i+touched, len(o.keys))], &homes)
		}
		rank := b.base + i
		id := s.final[rank]
		if int(s.open.slots[o.slot[i]])-1 != rank || id == noState {
			continue
		}
		s.table.add(k, id)
		record := s.queue.record(int(id))
		copy(record, o.records[i*words:(i+1)*words])
		s.parents.set(int(id), o.from[i])
		if b.err == nil {
			w.judgeState(b, id, record)
		}
	}
	if s.graph != nil && !b.initial() {
		s.commitRows(b, min(b.last, cut))
	}
}

// commitRows stores the edges of a block's states up to last.
func (s *search) commitRows(b *block, last int) {
	g, edges := s.graph, 0
	for i := 0; b.first+i < last; i++ {
		edges = int(b.rows[i])
		// The row begins where the one before ends, which is another block's to
		// write; the first begins at 0.
		next := b.first + i + 1
		g.offsets.set(next, uint32(b.edges+edges-int(g.bases[next>>groupBits])))
	}
	ids := b.ids[:edges]
	for i, id := range ids {
		if id >= statesMost {
			ids[i] = s.final[b.base+int(id-statesMost)]
		}
	}
	g.targets.write(b.edges, ids)
	g.labels.write(b.edges*g.labelBytes, b.labels[:edges*g.labelBytes])
}

// initial reports whether the block holds initial states instead of successors.
func (b *block) initial() bool { return b.last == 0 }
