package value

import (
	"sync"
	"sync/atomic"

	"github.com/seatrial/seatrial/statespace"
)

// Store gives values the ids of statespace components: equal values the same, and others another one. All methods
// are safe for concurrent use.
type Store struct {
	components *statespace.Components
	serial     uint64
	pages      [1 << 14]atomic.Pointer[page]
	small      [smallest]atomic.Uint32
	booleans   [2]atomic.Uint32
	named      Table[uint32]
	mu         sync.Mutex
}

const (
	pageBits = 12
	smallest = 4096
)

type page [1 << pageBits]atomic.Pointer[Value]

var serials atomic.Uint64

// NewStore returns an empty store.
func NewStore() *Store {
	return &Store{components: statespace.NewComponents(), serial: serials.Add(1) << 32}
}

// Components returns what the ids are of.
func (s *Store) Components() *statespace.Components { return s.components }

// Value returns the value of an id that came from ID.
func (s *Store) Value(id statespace.ID) Value {
	return *s.pages[id>>pageBits].Load()[id&(1<<pageBits-1)].Load()
}

// ID returns the id of a value.
func (s *Store) ID(v Value) statespace.ID {
	switch v.o {
	case intObject:
		if v.n >= 0 && v.n < smallest {
			return s.cached(&s.small[v.n], v)
		}
		return s.intern(v)
	case boolObject:
		return s.cached(&s.booleans[v.n], v)
	}
	if o := v.o; o != nil && (o.kind == Enumerated || o.kind == Tuple || o.kind == Function) {
		if at := o.interned.Load(); at&^(1<<32-1) == s.serial {
			return statespace.ID(uint32(at) - 1)
		}
		id := s.intern(v)
		o.interned.Store(s.serial | uint64(id+1))
		return id
	}
	return s.intern(v)
}

func (s *Store) cached(at *atomic.Uint32, v Value) statespace.ID {
	if n := at.Load(); n != 0 {
		return statespace.ID(n - 1)
	}
	id := s.intern(v)
	at.Store(uint32(id) + 1)
	return id
}

// intern finds the id by content, and keeps the value under it if it is the first of its kind.
func (s *Store) intern(v Value) statespace.ID {
	if k := v.Kind(); k == String || k == Model {
		if id, ok := s.named.Get(v.o.number); ok {
			return statespace.ID(id)
		}
	} else if k != Int && k != Bool {
		v = Value{o: v.canonical()}
	}
	var buffer [1024]byte
	id := s.components.Intern(Content(buffer[:0], v))
	at := &s.pages[id>>pageBits]
	p := at.Load()
	if p == nil {
		s.mu.Lock()
		if p = at.Load(); p == nil {
			p = new(page)
			at.Store(p)
		}
		s.mu.Unlock()
	}
	// Whichever of two workers is first, the values are equal.
	p[id&(1<<pageBits-1)].CompareAndSwap(nil, &v)
	if k := v.Kind(); k == String || k == Model {
		s.named.Put(v.o.number, uint32(id))
	}
	return id
}

// Table maps small numbers to values of any kind, for concurrent use: what one goroutine puts, others
// get, then or later.
type Table[T any] struct {
	mu    sync.Mutex
	pages atomic.Pointer[[]*[1 << pageBits]atomic.Pointer[T]]
}

// Get returns what was put at a number.
func (t *Table[T]) Get(n uint32) (v T, ok bool) {
	pages := t.pages.Load()
	if pages == nil || int(n>>pageBits) >= len(*pages) {
		return v, false
	}
	if at := (*pages)[n>>pageBits]; at != nil {
		if p := at[n&(1<<pageBits-1)].Load(); p != nil {
			return *p, true
		}
	}
	return v, false
}

// Put keeps a value at a number.
func (t *Table[T]) Put(n uint32, v T) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var pages []*[1 << pageBits]atomic.Pointer[T]
	if old := t.pages.Load(); old != nil {
		pages = *old
	}
	at := int(n >> pageBits)
	if at >= len(pages) || pages[at] == nil {
		grown := make([]*[1 << pageBits]atomic.Pointer[T], max(len(pages), at+1))
		copy(grown, pages)
		grown[at] = new([1 << pageBits]atomic.Pointer[T])
		pages = grown
		t.pages.Store(&pages)
	}
	pages[at][n&(1<<pageBits-1)].Store(&v)
}

// Numbers maps small numbers to numbers, for concurrent use, like a Table.
type Numbers struct {
	mu    sync.Mutex
	pages atomic.Pointer[[]*[1 << pageBits]atomic.Uint32]
}

// Get returns what was put at n, 0 if nothing was.
func (t *Numbers) Get(n uint32) uint32 {
	pages := t.pages.Load()
	if pages == nil || int(n>>pageBits) >= len(*pages) {
		return 0
	}
	if at := (*pages)[n>>pageBits]; at != nil {
		return at[n&(1<<pageBits-1)].Load()
	}
	return 0
}

// Len returns how many numbers have been put.
func (t *Numbers) Len() (n int) {
	pages := t.pages.Load()
	if pages == nil {
		return 0
	}
	for _, at := range *pages {
		for i := 0; at != nil && i < len(at); i++ {
			if at[i].Load() != 0 {
				n++
			}
		}
	}
	return n
}

// Put keeps a number that is not 0 at n.
func (t *Numbers) Put(n, v uint32) {
	if pages := t.pages.Load(); pages != nil && int(n>>pageBits) < len(*pages) && (*pages)[n>>pageBits] != nil {
		(*pages)[n>>pageBits][n&(1<<pageBits-1)].Store(v)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	var pages []*[1 << pageBits]atomic.Uint32
	if old := t.pages.Load(); old != nil {
		pages = *old
	}
	at := int(n >> pageBits)
	if at >= len(pages) || pages[at] == nil {
		grown := make([]*[1 << pageBits]atomic.Uint32, max(len(pages), at+1))
		copy(grown, pages)
		grown[at] = new([1 << pageBits]atomic.Uint32)
		pages = grown
		t.pages.Store(&pages)
	}
	pages[at][n&(1<<pageBits-1)].Store(v)
}
