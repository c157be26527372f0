package program

import (
	"bytes"
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// sorted is a program of which states are the same if a permutation of the members within sets of model values makes
// one the other, whatever permutation. Not all of them are tried: members are told apart by how they are in the state,
// as far as they can be, and brought into that order; only those that look the same are tried in each order.
type sorted struct {
	*Program
	orders *sorter
}

// Canonical implements statespace.VectorCanonicalizer.
func (s *sorted) Canonical(state []statespace.ID) { s.orders.canonical(state) }

// sorter brings states into order.
type sorter struct {
	store *value.Store
	// sets are those within which all permutations are symmetries, each by its names; members are all of them, and of
	// are the numbers of their sets.
	sets    [][]value.Value
	members []value.Value
	of      []int
	// first are the signatures of the members in a value, by its id, before any are told apart.
	first  value.Table[[]uint64]
	plain  value.Colours
	images [imagesKept]atomic.Pointer[imageOf]
}

// imageOf is what a permutation makes of a value.
type imageOf struct {
	order string
	id    statespace.ID
	is    statespace.ID
}

// imagesKept bounds what is remembered of permutations.
const imagesKept = 1 << 16

func newSorter(store *value.Store, sets [][]value.Value) *sorter {
	s := &sorter{store: store, sets: sets}
	for i, set := range sets {
		for _, m := range set {
			s.members, s.of = append(s.members, m), append(s.of, i)
			s.plain.Are = append(s.plain.Are, uint64(i))
		}
	}
	s.plain.Of = s.members
	return s
}

// colouring has a number for each member: members of one set come one after the other, and those that have been told
// apart have different numbers, in their order.
type colouring []int

// canonical replaces a state by the one that stands for all that are the same.
func (s *sorter) canonical(state []statespace.ID) {
	found := &search{s: s, state: slices.Clone(state)}
	colours := make(colouring, len(s.members))
	copy(colours, s.of)
	marks := make([]uint64, len(s.members))
	for i, id := range state {
		for m, of := range s.firstOf(id) {
			marks[m] = marks[m]*0x9e3779b97f4a7c15 + of + uint64(i)
		}
	}
	colours.split(marks)
	found.descend(colours)
	copy(state, found.best)
}

// firstOf returns the signatures of all members in a value, of which nothing but their sets is known.
func (s *sorter) firstOf(id statespace.ID) []uint64 {
	if known, ok := s.first.Get(uint32(id)); ok {
		return known
	}
	all := make([]uint64, len(s.members))
	v := s.store.Value(id)
	for m, member := range s.members {
		all[m] = value.Signature(v, member, s.plain)
	}
	s.first.Put(uint32(id), all)
	return all
}

// split tells members of one colour apart that have different marks, and returns whether there were any.
func (c colouring) split(marks []uint64) bool {
	order := make([]int, len(c))
	for i := range order {
		order[i] = i
	}
	compare := func(a, b int) int { return cmp.Or(cmp.Compare(c[a], c[b]), cmp.Compare(marks[a], marks[b])) }
	slices.SortFunc(order, compare)
	next := make(colouring, len(c))
	before, now := 1, 1
	for i := range order[1:] {
		if c[order[i]] != c[order[i+1]] {
			before++
		}
		next[order[i+1]] = next[order[i]]
		if compare(order[i], order[i+1]) != 0 {
			now++
			next[order[i+1]]++
		}
	}
	copy(c, next)
	return now > before
}

// search looks for the image of a state that comes first by the hashes of its values, among those of the orders that a
// colouring leaves open.
type search struct {
	s           *sorter
	state, best []statespace.ID
}

// refine tells members apart as far as what is known of the others does.
func (r *search) refine(c colouring) {
	colours := value.Colours{Of: r.s.members, Are: make([]uint64, len(c))}
	marks := make([]uint64, len(c))
	for {
		for m := range c {
			colours.Are[m] = uint64(c[m])
		}
		clear(marks)
		for i, id := range r.state {
			v := r.s.store.Value(id)
			for m, member := range r.s.members {
				marks[m] = marks[m]*0x9e3779b97f4a7c15 + value.Signature(v, member, colours) + uint64(i)
			}
		}
		if !c.split(marks) {
			return
		}
	}
}

// descend tries the orders that a colouring leaves open.
func (r *search) descend(c colouring) {
	if r.open(c) == nil {
		r.try(c)
		return
	}
	c = slices.Clone(c)
	r.refine(c)
	open := r.open(c)
	if open == nil {
		r.try(c)
		return
	}
	for _, m := range open {
		next := slices.Clone(c)
		marks := make([]uint64, len(c))
		for i := range marks {
			marks[i] = 1
		}
		marks[m] = 0
		next.split(marks)
		r.descend(next)
	}
}

// open returns members that look the same, in the first place of the order where some of them can be told apart after
// all: one for all that may be exchanged without changing the state. It returns nil if there is no such place.
func (r *search) open(c colouring) (first []int) {
	for m := range c {
		if slices.Index(c[:m], c[m]) >= 0 || first != nil && c[first[0]] < c[m] {
			continue
		}
		kinds := []int{m}
		for other := m + 1; other < len(c); other++ {
			if c[other] == c[m] && !slices.ContainsFunc(kinds, func(k int) bool { return r.alike(k, other) }) {
				kinds = append(kinds, other)
			}
		}
		if len(kinds) > 1 {
			first = kinds
		}
	}
	return first
}

// alike tells whether exchanging two members leaves the state as it is.
func (r *search) alike(a, b int) bool {
	order := make([]byte, len(r.s.members))
	for i := range order {
		order[i] = byte(i)
	}
	order[a], order[b] = byte(b), byte(a)
	for _, id := range r.state {
		if r.s.image(string(order), id) != id {
			return false
		}
	}
	return true
}

// try takes the members in the order of their colours.
func (r *search) try(c colouring) {
	order := make([]byte, len(c))
	at := 0
	for i := range r.s.sets {
		from := at
		var members []int
		for ; at < len(c) && r.s.of[at] == i; at++ {
			members = append(members, at)
		}
		slices.SortStableFunc(members, func(a, b int) int { return cmp.Compare(c[a], c[b]) })
		for k, m := range members {
			order[m] = byte(from + k)
		}
	}
	image := make([]statespace.ID, len(r.state))
	for i, id := range r.state {
		image[i] = r.s.image(string(order), id)
	}
	if r.best == nil || r.s.before(image, r.best) {
		r.best = image
	}
}

// before compares states by the hashes of their values, which depend on the content alone.
func (s *sorter) before(a, b []statespace.ID) bool {
	for i := range a {
		if a[i] != b[i] {
			x, y := s.store.Components().Hash(a[i]), s.store.Components().Hash(b[i])
			return bytes.Compare(x[:], y[:]) < 0
		}
	}
	return false
}

// image returns the id of a value in which each member is replaced by the one whose number the order has for it.
func (s *sorter) image(order string, id statespace.ID) statespace.ID {
	h := uint64(id)
	for i := range len(order) {
		h = mix(h^uint64(order[i])<<8, 0xa0761d6478bd642f)
	}
	at := &s.images[h>>24%imagesKept]
	if known := at.Load(); known != nil && known.id == id && known.order == order {
		return known.is
	}
	by := map[value.Value]value.Value{}
	for i, m := range s.members {
		if int(order[i]) != i {
			by[m] = s.members[order[i]]
		}
	}
	is := id
	if len(by) > 0 {
		is = s.store.ID(value.Replace(s.store.Value(id), by))
	}
	at.Store(&imageOf{order, id, is})
	return is
}
