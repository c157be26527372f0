package program

import (
	"math/bits"

	"github.com/seatrial/seatrial/spec/library"
	"github.com/seatrial/seatrial/spec/value"
	"github.com/seatrial/seatrial/statespace"
)

// An action that goes through the messages of one type sees nothing of the others, nor does one that asks whether a
// message was sent. What it sees of the set is the same in many states, while the set is new in nearly each.

// sight is what is seen of a variable: the members of a set for which a condition is true of a local, or one member.
type sight struct {
	slot int
	// local is where the member stands that the conditions are about.
	local int
	holds []func(*frame) bool
	// member finds the member, nil if there are conditions.
	member identify
}

// shows tells whether a member is seen, false for the second result if that cannot be told.
func (s *sight) shows(f *frame, id statespace.ID) (shown, ok bool) {
	if s.member != nil {
		is, ok := s.member(f)
		return is == id, ok
	}
	f.locals[s.local] = f.p.store.Value(id)
	for _, holds := range s.holds {
		if !holds(f) {
			return false, true
		}
	}
	return true, true
}

// sightOf returns what the last of some bounds shows of a variable, if that is all that is read of it: the members of
// which is true what is asked first.
func sightOf(bounds []bound, first []asks) (s sight, ok bool) {
	b := &bounds[len(bounds)-1]
	if !b.set.plain || b.set.next || b.tuple || len(b.slots) != 1 {
		return s, false
	}
	s = sight{slot: b.set.now[0], local: b.slots[0]}
	for _, one := range first {
		if one.slot == s.local {
			s.holds = append(s.holds, one.holds)
		}
	}
	return s, len(s.holds) > 0
}

// narrow notes that no more is read of the variable that a bound ranges over than what satisfies what is asked first.
func narrow(bounds []bound, first []asks) {
	if s, ok := sightOf(bounds, first); ok {
		set := &bounds[len(bounds)-1].set
		set.whole, set.sights = nil, []sight{s}
	}
}

// view is what one action, or several, see of one variable.
type view []sight

// mark is what is known of a member: its digest, and a bit for each view that shows it.
type mark struct {
	digest [2]uint64
	shown  uint64
}

const (
	// known and hidden are bits of a mark beside those of views: it is there, and a condition has no value for this
	// member.
	markKnown, markFails = 1 << 62, 1 << 63
	// mostViews is how many views a variable has. Actions share them where there are more.
	mostViews = 62
	// mostSeen bounds the members of sets that are looked through, mostMarks the pages of marks of a variable.
	mostSeen, mostMarks = 1 << 10, 1 << 12
	markBits            = 8
)

// seen is what the views of a variable show of its value that was looked at last.
type seen struct {
	of    statespace.ID // from 1
	ok    bool
	sums  [][2]uint64
	marks []*[1 << markBits]mark
	pages int
}

// look returns the digests of what the views of a variable show, false if that cannot be told.
func (f *frame) look(slot int) ([][2]uint64, bool) {
	s := &f.seen[slot]
	if id := f.ids[slot]; s.of != id+1 {
		s.of, s.ok = id+1, s.through(f, slot, id)
	}
	return s.sums, s.ok
}

// through goes through the members of a set.
func (s *seen) through(f *frame, slot int, set statespace.ID) bool {
	members, ok := f.p.store.Members(set)
	if !ok || members.Len() > mostSeen {
		return false
	}
	if s.sums == nil {
		s.sums = make([][2]uint64, len(f.p.views[slot]))
	}
	clear(s.sums)
	if members.Len() > 0 {
		// What is unlike the members is an error to ask for.
		kind := uint64(f.p.store.KindOf(members.At(0)))
		for i := range s.sums {
			s.sums[i][0] = kind
		}
	}
	for i := range members.Len() {
		m := s.markOf(f, slot, members.At(i))
		if m == nil || m.shown&markFails != 0 {
			return false
		}
		for shown := m.shown &^ markKnown; shown != 0; shown &= shown - 1 {
			sum := &s.sums[bits.TrailingZeros64(shown)]
			sum[0], sum[1] = sum[0]+m.digest[0], sum[1]+m.digest[1]
		}
	}
	return true
}

// markOf returns what is known of a member, nil if there are too many.
func (s *seen) markOf(f *frame, slot int, id statespace.ID) *mark {
	at := int(id >> markBits)
	if at >= len(s.marks) {
		s.marks = append(s.marks, make([]*[1 << markBits]mark, at+1-len(s.marks))...)
	}
	if s.marks[at] == nil {
		if s.pages++; s.pages > mostMarks {
			return nil
		}
		s.marks[at] = new([1 << markBits]mark)
	}
	m := &s.marks[at][id&(1<<markBits-1)]
	if m.shown&markKnown == 0 {
		m.digest, m.shown = scatter(f.p.store.Digest(id)), markKnown|f.shownBy(slot, id)
	}
	return m
}

// scatter makes digests of members such that their sums tell sets apart.
func scatter(d [2]uint64) [2]uint64 {
	return [2]uint64{
		mix(d[0]^0xa0761d6478bd642f, d[1]^0xe7037ed1a0b428db),
		mix(d[1]^0x8ebc6af09c88c6e3, d[0]^0x589965cc75374cc3),
	}
}

// shownBy returns the bits of the views that show a member. Where a condition has no value for it, it is left to the
// action to say so, which may not ask.
func (f *frame) shownBy(slot int, id statespace.ID) (shown uint64) {
	locals, stack, depth, place := f.locals, len(f.stack), f.depth, f.place
	defer func() {
		switch r := recover().(type) {
		case nil:
			f.place = place
		case *value.Failure, *library.Assertion, *library.Refusal, *EvaluationError:
			f.locals, f.stack, f.depth, f.place = locals, f.stack[:stack], depth, place
			shown = markFails
		default:
			panic(r)
		}
	}()
	for i, v := range f.p.views[slot] {
		for j := range v {
			is, ok := v[j].shows(f, id)
			if !ok {
				return markFails
			}
			if is {
				shown |= 1 << i
				break
			}
		}
	}
	return shown
}
