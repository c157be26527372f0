package statespace

import (
	"math/bits"
	"sync/atomic"
)

// key is the 128-bit hash by which a state is known. A low word of zero marks
// an empty slot and belongs to no state (see nonzero).
type key struct{ hi, lo uint64 }

func (k key) nonzero() key {
	if k.lo == 0 {
		k.lo = 1
	}
	return k
}

// home is where k belongs among n places. It grows with the low word, so that
// a larger table has the same keys in the same order and growing reads and
// writes memory from one end to the other.
func (k key) home(n int) int {
	place, _ := bits.Mul64(k.lo, uint64(n))
	return int(place)
}

const (
	// The table is grown before its load exceeds loadNum/loadDen, by half its
	// size: between 32 and 48 bytes a state once it has grown a few times.
	loadNum, loadDen = 2, 3
	bucketsMin       = 16
	// portion is how many buckets are moved by one goroutine at a time.
	portion = 1 << 15
)

// table is the set of visited states: key to id. Many goroutines may look up,
// and many may add different keys, but not both at the same time.
type table struct {
	v    []bucket
	used int
	// shared tells that more than one goroutine may add.
	shared bool
}

// bucket is one line of the processor's cache, filled from the front. A key
// that finds its bucket full goes to the next one that is not.
type bucket struct {
	ids  [bucketSlots]uint32
	_    uint32
	keys [bucketSlots]key
}

const (
	bucketSlots = 3
	bucketBytes = 64
)

func (t *table) find(k key) (id uint32, ok bool) {
	return t.probe(k, k.home(len(t.v)))
}

// probe looks for k from its home on.
func (t *table) probe(k key, home int) (id uint32, ok bool) {
	for i := home; ; {
		b := &t.v[i]
		for j := range b.keys {
			switch b.keys[j] {
			case k:
				return b.ids[j], true
			case key{}:
				return 0, false
			}
		}
		if i++; i == len(t.v) {
			i = 0
		}
	}
}

// touched is how many keys are looked up together.
const touched = 32

// touch loads the home buckets of up to touched keys, one after the other
// without waiting for any, so that the probes that follow find them in the
// cache: memory serves many loads at once, but a probe's outcome decides what
// is loaded next. The result is there to keep the loads alive.
func (t *table) touch(keys []key, homes *[touched]int) (sink uint64) {
	for i, k := range keys {
		homes[i] = k.home(len(t.v))
		sink ^= atomic.LoadUint64(&t.v[homes[i]].keys[0].lo)
	}
	return sink
}

// add enters a key that is not there. Room must have been reserved.
func (t *table) add(k key, id uint32) {
	for i := k.home(len(t.v)); ; {
		b := &t.v[i]
		for j := range b.keys {
			if t.claim(&b.keys[j].lo, k.lo) {
				b.keys[j].hi, b.ids[j] = k.hi, id
				return
			}
		}
		if i++; i == len(t.v) {
			i = 0
		}
	}
}

// claim fills a word that is zero, and reports whether it was.
func (t *table) claim(word *uint64, lo uint64) bool {
	if t.shared {
		return atomic.LoadUint64(word) == 0 && atomic.CompareAndSwapUint64(word, 0, lo)
	}
	if *word != 0 {
		return false
	}
	*word = lo
	return true
}

// sizeFor returns the number of buckets after making room for n more keys.
func (t *table) sizeFor(n int) int {
	size := len(t.v)
	for (t.used+n)*loadDen > size*bucketSlots*loadNum {
		size = max(bucketsMin, size+size/2)
	}
	return size
}

// reserve makes room for n more keys. What is moved is given back portion by
// portion, so that the table is never in memory twice.
func (s *search) reserve(n int) {
	t := &s.table
	size := t.sizeFor(n)
	if size == len(t.v) {
		return
	}
	old := t.v
	t.v = newArray[bucket](size)
	s.parallel((len(old)+portion-1)/portion, t.used/sharedWork, func(_ *worker, i int) {
		from, to := i*portion, min((i+1)*portion, len(old))
		for _, b := range old[from:to] {
			for j, k := range b.keys {
				if k.lo != 0 {
					t.add(k, b.ids[j])
				}
			}
		}
		discard(old[from:to])
	})
}
