package value

import (
	"encoding/binary"

	"github.com/seatrial/seatrial/statespace"
)

// Members are the ids of the members of a listed set, in their order as numbers.
type Members struct{ ids []byte }

// Members returns those of a set by its id, false if it is no listed set.
func (s *Store) Members(set statespace.ID) (Members, bool) {
	all := s.components.Bytes(set)
	return Members{all[1:]}, Kind(all[0]) == Enumerated
}

// Len is how many there are.
func (m Members) Len() int { return len(m.ids) / 4 }

// At returns one of them.
func (m Members) At(i int) statespace.ID {
	return statespace.ID(binary.LittleEndian.Uint32(m.ids[4*i:]))
}

// KindOf returns the kind of the value of an id.
func (s *Store) KindOf(id statespace.ID) Kind { return Kind(s.components.Bytes(id)[0]) }

// Digest returns the hash of the value of an id, which depends on nothing but the value.
func (s *Store) Digest(id statespace.ID) [2]uint64 { return s.components.Digest(id) }
