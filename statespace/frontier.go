package statespace

// A chunk is a run of states of one level that are expanded together, split in
// blocks. Its phases alternate between work per block and work per shard of
// the table, so that no two goroutines ever write to the same place, and ids
// come out in the order (predecessor, ordinal of the successor) whatever the
// number of goroutines:
//
//  1. expand (per block): call the model, look the successors up in the table,
//     which nobody changes; what is not there stays open;
//  2. insert (per shard): enter the open successors in order; the first with a
//     key is fresh, later ones refer to it;
//  3. number: give the fresh ones their ids, in order;
//  4. commit (per block): store records, predecessors, predicate bits, edges.

const (
	chunkBlocks = 64
	blockMost   = 64
	// touched is how many successors are looked up together.
	touched = 32
	// blockSuccessors is how many successors a block should have.
	blockSuccessors = 1024

	noState = ^uint32(0)
	// statesMost leaves room above the ids for the provisional ones of a chunk.
	statesMost = 1<<32 - 1<<28
)

// block is the work on consecutive states of a chunk and what came of it.
type block struct {
	first, last int

	// counts is the number of successors of each state, generated that of
	// initial states. ids, classes and stepBits describe the successors; they
	// are filled when edges are kept.
	generated int
	counts    []uint32
	ids       []uint32
	classes   []uint16
	stepBits  []uint8

	open openList
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
	// successor is the index among the block's successors, from the predecessor.
	successor, from []uint32
	// held is the provisional id that the table gave out, slot where.
	held, slot []uint32
	// order lists the indices by shard; those of shard i start at starts[i].
	order  []uint32
	starts [tableShards + 1]uint32
}

func (b *block) reset(first, last int) {
	b.first, b.last = first, last
	b.generated, b.base, b.edges = 0, 0, 0
	b.counts, b.ids, b.classes, b.stepBits = b.counts[:0], b.ids[:0], b.classes[:0], b.stepBits[:0]
	o := &b.open
	o.keys, o.records, o.successor, o.from = o.keys[:0], o.records[:0], o.successor[:0], o.from[:0]
	clear(b.enabled)
	clear(b.everTrue)
	b.atRest, b.cancelled, b.err = false, false, nil
	b.hits, b.resting = b.hits[:0], b.resting[:0]
	b.audit.reset()
}

// resolve drops the successors that the table already has.
func (b *block) resolve(t *table, words int, edges bool) {
	o := &b.open
	kept := 0
	for i, k := range o.keys {
		if i%touched == 0 {
			b.sink ^= t.touch(o.keys[i:min(i+touched, len(o.keys))])
		}
		if edges {
			if id, known := t.find(k); known {
				b.ids[o.successor[i]] = id
				continue
			}
		} else if t.has(k) {
			continue
		}
		if kept < i {
			o.keys[kept], o.successor[kept], o.from[kept] = k, o.successor[i], o.from[i]
			copy(o.records[kept*words:(kept+1)*words], o.records[i*words:(i+1)*words])
		}
		kept++
	}
	o.keys, o.successor, o.from = o.keys[:kept], o.successor[:kept], o.from[:kept]
	o.records = o.records[:kept*words]
	o.sort()
}

// sort fills order and starts by counting; within a shard the order is kept.
func (o *openList) sort() {
	n := len(o.keys)
	o.order, o.held, o.slot = sized(o.order, n), sized(o.held, n), sized(o.slot, n)
	clear(o.starts[:])
	for _, k := range o.keys {
		o.starts[k.shard()+1]++
	}
	for i := range tableShards {
		o.starts[i+1] += o.starts[i]
	}
	at := o.starts
	for i, k := range o.keys {
		o.order[at[k.shard()]] = uint32(i)
		at[k.shard()]++
	}
}

// sized returns a slice of length n, reusing the memory of a.
func sized[T any](a []T, n int) []T {
	if cap(a) < n {
		return make([]T, n, n+n/2)
	}
	return a[:n]
}

// insert enters the open successors of one shard. Provisional ids are the
// number of states before the chunk plus the rank in the chunk.
func (s *search) insert(shardIndex int) {
	sh := &s.table.shards[shardIndex]
	n := 0
	for _, b := range s.chunk {
		n += int(b.open.starts[shardIndex+1] - b.open.starts[shardIndex])
	}
	if n == 0 {
		return
	}
	sh.reserve(n)
	for _, b := range s.chunk {
		o := &b.open
		for _, i := range o.order[o.starts[shardIndex]:o.starts[shardIndex+1]] {
			slot, held := sh.insert(o.keys[i], uint32(s.states+b.base+int(i)))
			o.slot[i], o.held[i] = uint32(slot), held
		}
	}
}

// number gives the fresh states of the chunk their ids in order. It returns
// the number of states after it and the first state whose expansion is
// incomplete because a successor was over the state budget, noState if none.
func (s *search) number(open int) (states int, cut uint32) {
	s.final = sized(s.final, open)
	states, cut = s.states, noState
	for _, b := range s.chunk {
		o := &b.open
		for i, held := range o.held {
			rank := b.base + i
			switch {
			case held != uint32(s.states+rank):
				// A duplicate of an earlier one, which may have been refused.
				s.final[rank] = s.final[int(held)-s.states]
			case states < s.statesMax:
				s.final[rank] = uint32(states)
				states++
			default:
				s.final[rank] = noState
				s.refusals++
			}
			if s.final[rank] == noState && cut == noState {
				cut = o.from[i]
			}
		}
	}
	return states, cut
}

// commit stores what is new in one block. The states from cut on have no
// complete row of edges.
func (s *search) commit(w *worker, b *block, cut int) {
	o := &b.open
	words := s.queue.words
	for i := range o.keys {
		rank := b.base + i
		id := s.final[rank]
		if s.graph != nil && !b.initial() {
			b.ids[o.successor[i]] = id
		}
		if int(o.held[i]) != s.states+rank {
			continue
		}
		s.table.shards[o.keys[i].shard()].ids[o.slot[i]] = id
		if id == noState {
			continue
		}
		record := s.queue.record(int(id))
		copy(record, o.records[i*words:(i+1)*words])
		s.parents.set(int(id), o.from[i])
		if b.err == nil {
			w.judgeState(b, id, record)
		}
	}
	if s.graph == nil || b.initial() {
		return
	}
	g, at, n := s.graph, b.edges, 0
	for i := 0; b.first+i < min(b.last, cut); i++ {
		for end := n + int(b.counts[i]); n < end; n++ {
			g.targets.set(at, b.ids[n])
			g.classes.set(at, b.classes[n])
			for j := range g.stepBytes {
				g.stepBits.set(at*g.stepBytes+j, b.stepBits[n*g.stepBytes+j])
			}
			at++
		}
		// The row begins where the one before ends, which is another block's to
		// write; the first begins at 0.
		g.offsets.set(b.first+i+1, uint64(at))
	}
}

// initial reports whether the block holds initial states instead of successors.
func (b *block) initial() bool { return b.last == 0 }
