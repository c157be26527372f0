package value

// Membership asks of one set again and again whether values are in it. The answers are kept by their ids: a set of
// messages is new in nearly every state, and its members are not.
type Membership struct {
	store *Store
	set   Value
	// of is S if the set is SUBSET S.
	of    *Membership
	known Truths
}

// Membership returns what asks whether values of the store are in a set.
func (s *Store) Membership(set Value) *Membership {
	m := &Membership{store: s, set: set}
	if set.Kind() == Symbolic {
		if all, ok := set.o.set.(subsets); ok {
			m.of = s.Membership(all.of)
		}
	}
	return m
}

// Has is Contains.
func (m *Membership) Has(v Value) bool {
	if m.of != nil && v.Kind() == Enumerated {
		for _, item := range v.o.items {
			if !m.of.Has(item) {
				return false
			}
		}
		return true
	}
	id, ok := m.store.Kept(v)
	if !ok {
		return Contains(m.set, v)
	}
	switch m.known.Get(id) {
	case IsFalse:
		return false
	case IsTrue:
		return true
	}
	is := Contains(m.set, v)
	m.known.Put(id, TruthOf(is))
	return is
}

// Kept returns the id of a set or a function that has been given one.
func (s *Store) Kept(v Value) (uint32, bool) {
	switch v.Kind() {
	case Enumerated, Tuple, Function:
		at := v.o.interned.Load()
		return uint32(at) - 1, at&^(1<<32-1) == s.serial
	}
	return 0, false
}
