package value

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seatrial/seatrial/statespace"
)

// Store gives values the ids of statespace components: equal values the same, and others another one. A set is kept by
// the ids of its members, a function by those of its domain and values, so that one that differs in a member
// costs little. All methods are safe for concurrent use.
type Store struct {
	components *statespace.Components
	serial     uint64
	pages      [1 << 14]atomic.Pointer[page]
	small      [smallest]atomic.Uint32
	booleans   [2]atomic.Uint32
	mu         sync.Mutex
}

const (
	pageBits = 12
	smallest = 4096
)

type page [1 << pageBits]atomic.Pointer[object]

var serials atomic.Uint64

// NewStore returns an empty store.
func NewStore() *Store {
	return &Store{components: statespace.NewComponents(), serial: serials.Add(1) << 32}
}

// Components returns what the ids are of.
func (s *Store) Components() *statespace.Components { return s.components }

// Value returns the value of an id that came from ID.
func (s *Store) Value(id statespace.ID) Value {
	o := s.pages[id>>pageBits].Load()[id&(1<<pageBits-1)].Load()
	switch o.kind {
	case Int:
		return Value{intObject, o.number}
	case Bool:
		return Value{boolObject, o.number}
	}
	return Value{o: o}
}

// ID returns the id of a value.
func (s *Store) ID(v Value) statespace.ID {
	switch v.o {
	case nil:
		Fail("there is no value that could be part of a state")
	case intObject:
		if v.n >= 0 && v.n < smallest {
			return s.cached(&s.small[v.n], v)
		}
		return s.intern(v)
	case boolObject:
		return s.cached(&s.booleans[v.n], v)
	}
	if at := v.o.interned.Load(); at&^(1<<32-1) == s.serial {
		return statespace.ID(uint32(at) - 1)
	}
	id := s.intern(v)
	v.o.interned.Store(s.serial | uint64(id+1))
	return id
}

// Known returns the id of a value, or false for one that would have to be listed first: a large or infinite set, a
// function by its rule, or what has one in it.
func (s *Store) Known(v Value) (statespace.ID, bool) {
	if v.o == nil || v.o.interned.Load()&^(1<<32-1) != s.serial && !v.o.plain() {
		return 0, false
	}
	return s.ID(v), true
}

// plain tells whether there is nothing in a value that is not listed, and large.
func (o *object) plain() bool {
	switch o.kind {
	case Symbolic:
		const few = 64
		size := o.set.size()
		return o.listed.Load() != nil || size >= 0 && size <= few
	case Rule, Operator:
		return false
	case Enumerated, Tuple, Function:
		if o.interned.Load() != 0 {
			return true
		}
		for i := range o.items {
			if part := o.items[i].o; part == nil || !part.plain() {
				return false
			}
		}
	}
	return true
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
	var buffer [512]byte
	b := buffer[:0]
	switch v.Kind() {
	case Bool, Int:
		id := s.components.Intern(binary.LittleEndian.AppendUint64(append(b, byte(v.o.kind)), uint64(v.n)))
		s.keep(id, &object{kind: v.o.kind, other: &other{number: v.n}})
		return id
	case Operator:
		Fail("%s cannot be part of a state", Describe(v))
	}
	o := v.canonical()
	b = append(b, byte(o.kind))
	var id statespace.ID
	switch o.kind {
	case Enumerated:
		id = s.internSet(b, o.items)
	case Function:
		domain := s.ID(Value{o: o.domain})
		id = s.internItems(binary.LittleEndian.AppendUint32(b, uint32(domain)), scattered(Function, 0, s.components.Digest(domain)), o.items)
	case Tuple:
		id = s.internItems(b, scattered(Tuple, 0, hash{}), o.items)
	default:
		id = s.components.Intern(append(b, o.text...))
	}
	s.keep(id, o)
	return id
}

// keep has an object stand for an id if it is the first. Whichever of two workers is first, the values are equal.
func (s *Store) keep(id statespace.ID, o *object) {
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
	if slot := &p[id&(1<<pageBits-1)]; slot.Load() == nil && slot.CompareAndSwap(nil, o) {
		o.interned.Store(s.serial | uint64(id+1))
	}
}

// has tells whether there is a value for an id.
func (s *Store) has(id statespace.ID) bool {
	p := s.pages[id>>pageBits].Load()
	return p != nil && p[id&(1<<pageBits-1)].Load() != nil
}

// hash is the hash of a value, which depends on nothing but the value. That of a set or a function is a sum over
// its members, or values by their places, so that it follows from that of another one what a change makes of it.
type hash [2]uint64

func (h *hash) add(other hash)      { h[0], h[1] = h[0]+other[0], h[1]+other[1] }
func (h *hash) subtract(other hash) { h[0], h[1] = h[0]-other[0], h[1]-other[1] }

// scattered is what a part adds to the hash of a whole of some kind.
func scattered(of Kind, place int, part hash) hash {
	seed := uint64(of)<<56 + uint64(place)*0x9e3779b97f4a7c15
	return hash{
		fold(part[0]^0xa0761d6478bd642f^seed, part[1]^0xe7037ed1a0b428db),
		fold(part[1]^0x8ebc6af09c88c6e3^seed, part[0]^0x589965cc75374cc3),
	}
}

func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	high, low = bits.Mul64(high^low^0x1d8e4e27c47d124f, a^bits.RotateLeft64(b, 32)^0xeb44accab455d165)
	return high ^ low
}

// internSet returns the id of the set of the items. Its bytes are the ids of the members in their order as numbers.
func (s *Store) internSet(b []byte, items []Value) statespace.ID {
	var room [64]statespace.ID
	ids := room[:0]
	sum := scattered(Enumerated, 1, hash{})
	for _, item := range items {
		id := s.ID(item)
		sum.add(scattered(Enumerated, 0, s.components.Digest(id)))
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		b = binary.LittleEndian.AppendUint32(b, uint32(id))
	}
	return s.components.InternAs(b, sum)
}

// internItems returns the id of a sequence, or a function whose domain is in b and sum already.
func (s *Store) internItems(b []byte, sum hash, items []Value) statespace.ID {
	for i, item := range items {
		id := s.ID(item)
		sum.add(scattered(Tuple, 1+i, s.components.Digest(id)))
		b = binary.LittleEndian.AppendUint32(b, uint32(id))
	}
	return s.components.InternAs(b, sum)
}

// Insert returns the id of a set with one more member. It is false for what is no listed set.
func (s *Store) Insert(set, member statespace.ID) (statespace.ID, bool) {
	all := s.components.Bytes(set)
	if Kind(all[0]) != Enumerated {
		return 0, false
	}
	at, found := place(all[1:], member)
	if found {
		return set, true
	}
	var buffer [512]byte
	b := append(buffer[:0], all[:1+4*at]...)
	b = binary.LittleEndian.AppendUint32(b, uint32(member))
	b = append(b, all[1+4*at:]...)
	var sum hash = s.components.Digest(set)
	sum.add(scattered(Enumerated, 0, s.components.Digest(member)))
	id := s.components.InternAs(b, sum)
	if !s.has(id) {
		whole := s.Value(set)
		s.keep(id, merge(whole, whole.o.items, []Value{s.Value(member)}).o)
	}
	return id, true
}

// Tuple returns the id of the sequence of what has these ids.
func (s *Store) Tuple(ids []statespace.ID) statespace.ID {
	var buffer [128]byte
	return s.items(append(buffer[:0], byte(Tuple)), scattered(Tuple, 0, hash{}), nil, ids)
}

// Record returns the id of the record of a shape with what has these ids, in the order of Place.
func (s *Store) Record(of Shape, ids []statespace.ID) statespace.ID {
	var buffer [128]byte
	domain := s.ID(Value{o: of.domain})
	b := binary.LittleEndian.AppendUint32(append(buffer[:0], byte(Function)), uint32(domain))
	return s.items(b, scattered(Function, 0, s.components.Digest(domain)), of.domain, ids)
}

// items returns the id of a function with these values, which are made if there is none yet.
func (s *Store) items(b []byte, sum hash, domain *object, ids []statespace.ID) statespace.ID {
	for i, id := range ids {
		sum.add(scattered(Tuple, 1+i, s.components.Digest(id)))
		b = binary.LittleEndian.AppendUint32(b, uint32(id))
	}
	id := s.components.InternAs(b, sum)
	if !s.has(id) {
		items := make([]Value, len(ids))
		for i := range ids {
			items[i] = s.Value(ids[i])
		}
		o := &object{kind: Tuple, items: items}
		if domain != nil {
			o.kind, o.domain = Function, domain
		}
		s.keep(id, o)
	}
	return id
}

// With returns the id of a listed function with another value at a place of its domain.
func (s *Store) With(function statespace.ID, at int, is statespace.ID) statespace.ID {
	old := s.components.Bytes(function)
	o := s.Value(function).o
	from := len(old) - 4*(len(o.items)-at)
	was := statespace.ID(binary.LittleEndian.Uint32(old[from:]))
	if was == is {
		return function
	}
	var buffer [512]byte
	b := append(buffer[:0], old...)
	binary.LittleEndian.PutUint32(b[from:], uint32(is))
	var sum hash = s.components.Digest(function)
	sum.subtract(scattered(Tuple, 1+at, s.components.Digest(was)))
	sum.add(scattered(Tuple, 1+at, s.components.Digest(is)))
	id := s.components.InternAs(b, sum)
	if !s.has(id) {
		items := slices.Clone(o.items)
		items[at] = s.Value(is)
		s.keep(id, &object{kind: o.kind, domain: o.domain, items: items})
	}
	return id
}

// Has tells whether a member is in a listed set, by their ids. It is false for the second result if the set is no such
// one, or what is asked for is unlike its members.
func (s *Store) Has(set, member statespace.ID) (has, ok bool) {
	all := s.components.Bytes(set)
	if Kind(all[0]) != Enumerated {
		return false, false
	}
	if _, found := place(all[1:], member); found {
		return true, true
	}
	if len(all) == 1 {
		return false, true
	}
	first := Kind(s.components.Bytes(statespace.ID(binary.LittleEndian.Uint32(all[1:])))[0])
	return false, first == Kind(s.components.Bytes(member)[0]) && first != Model
}

// place returns where an id is, or belongs, in ids that are written one after the other.
func place(ids []byte, id statespace.ID) (at int, found bool) {
	low, high := 0, len(ids)/4
	for low < high {
		middle := (low + high) / 2
		if statespace.ID(binary.LittleEndian.Uint32(ids[4*middle:])) < id {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(ids)/4 && statespace.ID(binary.LittleEndian.Uint32(ids[4*low:])) == id
}
