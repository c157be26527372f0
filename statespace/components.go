package statespace

import (
	"bytes"
	"encoding/binary"
	"sync"
	"sync/atomic"

	"github.com/zeebo/xxh3"
)

const (
	internShards    = 64
	componentBits   = 10
	componentsPage  = 1 << componentBits
	arenaBytes      = 1 << 16
	arenaShareBytes = arenaBytes / 4
	noComponent     = ^ID(0)
)

// Components interns byte strings: equal bytes get equal ids, and bytes that
// differ get ids that differ, because interning compares the bytes and not only
// their hashes. Ids are dense from 0 in the order of first interning. All
// methods are safe for concurrent use. Components live as long as the value
// does; nothing is ever removed.
type Components struct {
	shards [internShards]internShard
	next   atomic.Uint64

	grow  sync.Mutex
	pages atomic.Pointer[[]*componentPage]

	// hashMask narrows the lookup hash so that tests can make hashes collide.
	hashMask uint64
}

type componentPage [componentsPage]component

type component struct {
	hash key
	data []byte
}

// internShard owns the components whose hash falls to it.
type internShard struct {
	mu    sync.Mutex
	slots []internSlot
	count int
	arena []byte
}

// internSlot is where a component is found: its hash leads there, or before it. The tag is a part of the hash, and next
// the id, from 1.
type internSlot struct{ tag, next uint32 }

// NewComponents returns an empty store.
func NewComponents() *Components {
	c := &Components{hashMask: ^uint64(0)}
	c.pages.Store(new([]*componentPage))
	return c
}

// Intern returns the id of b, which it copies when it sees it for the first
// time. It panics when 2³² components would be exceeded, which takes more than
// 200 GB of memory.
func (c *Components) Intern(b []byte) ID {
	return c.intern(b, hashBytes(b))
}

// InternAs is Intern for bytes that are not the content itself, but stand for it, as ids of its parts do: hash, which
// takes the place of the hash of the bytes, must depend on the content alone, and spread as a hash of 128 bits does.
func (c *Components) InternAs(b []byte, hash [2]uint64) ID {
	return c.intern(b, key{hash[0], hash[1]})
}

func (c *Components) intern(b []byte, h key) ID {
	slot := key{h.hi & c.hashMask, h.lo & c.hashMask}
	s := &c.shards[slot.lo%internShards]
	tag := uint32(slot.lo >> 32)
	s.mu.Lock()
	defer s.mu.Unlock()
	if 4*(s.count+1) > 3*len(s.slots) {
		s.grow()
	}
	at := s.first(tag)
	for ; s.slots[at].next != 0; at = (at + 1) & (len(s.slots) - 1) {
		if s.slots[at].tag != tag {
			continue
		}
		id := ID(s.slots[at].next - 1)
		if e := c.entry(id); e.hash == h && bytes.Equal(e.data, b) {
			return id
		}
	}
	id := c.newID()
	*c.entry(id) = component{hash: h, data: s.keep(b)}
	s.slots[at] = internSlot{tag, uint32(id) + 1}
	s.count++
	return id
}

// first returns where components of a tag begin.
func (s *internShard) first(tag uint32) int {
	return int(uint64(tag) * uint64(len(s.slots)) >> 32)
}

// grow makes twice as much room.
func (s *internShard) grow() {
	old := s.slots
	s.slots = make([]internSlot, max(16, 2*len(old)))
	for _, e := range old {
		if e.next == 0 {
			continue
		}
		at := s.first(e.tag)
		for s.slots[at].next != 0 {
			at = (at + 1) & (len(s.slots) - 1)
		}
		s.slots[at] = e
	}
}

// newID takes the next id and makes sure that its page exists.
func (c *Components) newID() ID {
	n := c.next.Add(1) - 1
	if n >= uint64(noComponent) {
		panic("statespace: more than 2³² components")
	}
	c.grow.Lock()
	defer c.grow.Unlock()
	for pages := *c.pages.Load(); n>>componentBits >= uint64(len(pages)); pages = *c.pages.Load() {
		grown := make([]*componentPage, len(pages)+1)
		copy(grown, pages)
		grown[len(pages)] = new(componentPage)
		c.pages.Store(&grown)
	}
	return ID(n)
}

// keep copies b into the shard's arena, large ones into memory of their own.
func (s *internShard) keep(b []byte) []byte {
	if len(b) > arenaShareBytes {
		return bytes.Clone(b)
	}
	if len(b) > cap(s.arena)-len(s.arena) {
		size := min(max(2*cap(s.arena), 4*len(b), 256), arenaBytes)
		s.arena = make([]byte, 0, size)
	}
	start := len(s.arena)
	s.arena = append(s.arena, b...)
	return s.arena[start:len(s.arena):len(s.arena)]
}

func (c *Components) entry(id ID) *component {
	return &(*c.pages.Load())[id>>componentBits][id&(componentsPage-1)]
}

// known reports whether id has been handed out.
func (c *Components) known(id ID) bool { return uint64(id) < c.next.Load() }

// Digest returns the hash of id as InternAs takes it.
func (c *Components) Digest(id ID) [2]uint64 {
	h := c.entry(id).hash
	return [2]uint64{h.hi, h.lo}
}

// Bytes returns the bytes of id, which must have come from Intern. They must
// not be changed.
func (c *Components) Bytes(id ID) []byte { return c.entry(id).data }

// Hash returns the xxh3-128 hash of the bytes of id, high word first, each
// word big-endian. It depends on the content alone, so it may be hashed,
// ordered and saved where the id may not.
func (c *Components) Hash(id ID) [16]byte {
	h := c.entry(id).hash
	var out [16]byte
	binary.BigEndian.PutUint64(out[:8], h.hi)
	binary.BigEndian.PutUint64(out[8:], h.lo)
	return out
}

// Len returns the number of components interned.
func (c *Components) Len() int { return int(c.next.Load()) }

func hashBytes(b []byte) key {
	h := xxh3.Hash128(b)
	return key{h.Hi, h.Lo}
}
