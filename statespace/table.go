package statespace

import "math/bits"

// key is the 128-bit hash by which a state is known. The zero key marks an
// empty slot and belongs to no state (see nonzero).
type key struct{ hi, lo uint64 }

func (k key) nonzero() key {
	if k == (key{}) {
		k.lo = 1
	}
	return k
}

const (
	tableShards = 64
	// A shard is grown before its load exceeds loadNum/loadDen, by half its
	// size: between 28 and 43 bytes a state once it has grown a few times.
	loadNum, loadDen = 7, 10
	slotBytes        = 16 + 4
	shardMin         = 8
)

// table is the set of visited states: key to id. It is split by the key's
// high bits; during an insertion phase one goroutine owns a shard, in all
// other phases it is only read.
type table struct{ shards [tableShards]shard }

type shard struct {
	keys []key
	ids  []uint32
	used int
}

func (k key) shard() int { return int(k.hi >> 58) }

func (t *table) find(k key) (id uint32, ok bool) {
	s := &t.shards[k.shard()]
	if len(s.keys) == 0 {
		return 0, false
	}
	slot, ok := s.probe(k)
	if !ok {
		return 0, false
	}
	return s.ids[slot], true
}

// has is find for those who do not need the id, which is a cache miss away.
func (t *table) has(k key) bool {
	s := &t.shards[k.shard()]
	if len(s.keys) == 0 {
		return false
	}
	_, ok := s.probe(k)
	return ok
}

// probe returns the slot that holds k, or the empty one where it belongs.
func (s *shard) probe(k key) (slot int, found bool) {
	home, _ := bits.Mul64(k.lo, uint64(len(s.keys)))
	for i := int(home); ; {
		switch s.keys[i] {
		case k:
			return i, true
		case key{}:
			return i, false
		}
		if i++; i == len(s.keys) {
			i = 0
		}
	}
}

// touch loads the home slots of keys, one after the other without waiting for
// any, so that the probes that follow find them in the cache: memory serves
// many loads at once, but a probe's outcome decides what is loaded next. The
// result is there to keep the loads alive.
func (t *table) touch(keys []key) (sink uint64) {
	for _, k := range keys {
		if s := &t.shards[k.shard()]; len(s.keys) > 0 {
			home, _ := bits.Mul64(k.lo, uint64(len(s.keys)))
			sink ^= s.keys[home].lo
		}
	}
	return sink
}

// insert adds k with the id given unless it is there already, and returns the
// slot and the id that the table holds for it. Room must have been reserved.
func (s *shard) insert(k key, id uint32) (slot int, held uint32) {
	slot, found := s.probe(k)
	if !found {
		s.keys[slot], s.ids[slot] = k, id
		s.used++
	}
	return slot, s.ids[slot]
}

// sizeFor returns the number of slots after making room for n more keys.
func (s *shard) sizeFor(n int) int {
	size := len(s.keys)
	if n == 0 {
		return size
	}
	for (s.used+n)*loadDen > size*loadNum {
		size = max(shardMin, size+size/2)
	}
	return size
}

// reserve makes room for n more keys.
func (s *shard) reserve(n int) {
	size := s.sizeFor(n)
	if size == len(s.keys) {
		return
	}
	keys, ids := s.keys, s.ids
	s.keys, s.ids = make([]key, size), make([]uint32, size)
	for i, k := range keys {
		if k != (key{}) {
			slot, _ := s.probe(k)
			s.keys[slot], s.ids[slot] = k, ids[i]
		}
	}
}

func (t *table) bytes() int64 {
	var slots int64
	for i := range t.shards {
		slots += int64(len(t.shards[i].keys))
	}
	return slots * slotBytes
}
