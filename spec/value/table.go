package value

import (
	"sync"
	"sync/atomic"
)

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

// Truth is what is known of a condition: nothing, that it is false or true, or that it is something else.
type Truth uint32

// What can be known.
const (
	Unknown Truth = iota
	IsFalse
	IsTrue
	IsOther
)

// TruthOf returns what is known once it is.
func TruthOf(is bool) Truth {
	if is {
		return IsTrue
	}
	return IsFalse
}

// Truths maps small numbers to truths, for concurrent use, like a Table, in two bits each.
type Truths struct {
	mu    sync.Mutex
	pages atomic.Pointer[[]*truthPage]
}

// A page has 16 truths a word.
type truthPage [1 << (pageBits - 4)]atomic.Uint32

// Get returns what was put at n, Unknown if nothing was.
func (t *Truths) Get(n uint32) Truth {
	pages := t.pages.Load()
	if pages == nil || int(n>>pageBits) >= len(*pages) {
		return Unknown
	}
	if at := (*pages)[n>>pageBits]; at != nil {
		return Truth(at[n&(1<<pageBits-1)>>4].Load() >> (n & 15 * 2) & 3)
	}
	return Unknown
}

// Put keeps a truth at n. It must be the same each time.
func (t *Truths) Put(n uint32, is Truth) {
	pages := t.pages.Load()
	if pages == nil || int(n>>pageBits) >= len(*pages) || (*pages)[n>>pageBits] == nil {
		pages = t.grow(int(n >> pageBits))
	}
	(*pages)[n>>pageBits][n&(1<<pageBits-1)>>4].Or(uint32(is) << (n & 15 * 2))
}

// grow makes sure that there is a page.
func (t *Truths) grow(page int) *[]*truthPage {
	t.mu.Lock()
	defer t.mu.Unlock()
	var pages []*truthPage
	if old := t.pages.Load(); old != nil {
		pages = *old
	}
	if page < len(pages) && pages[page] != nil {
		return &pages
	}
	grown := make([]*truthPage, max(len(pages), page+1))
	copy(grown, pages)
	grown[page] = new(truthPage)
	t.pages.Store(&grown)
	return &grown
}
