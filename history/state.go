package history

import (
	"maps"
	"slices"
)

// State is what objects there are.
type State map[Key]Object

// At is the state after the events up to a revision. What the events do not
// touch is not in it; what they touch only later is, as far as they have its
// previous form. So a history from a plane's first revision gives everything.
func At(events []Event, revision int64) State {
	s := State{}
	touched := map[Key]bool{}
	for _, e := range events {
		if e.Revision <= revision {
			s.Apply(e)
		} else if !touched[e.Key] && e.Previous != nil {
			s[e.Key] = e.Previous
		}
		touched[e.Key] = true
	}
	return s
}

// Apply makes s what it is after the event.
func (s State) Apply(e Event) {
	if e.Type == Delete {
		delete(s, e.Key)
		return
	}
	s[e.Key] = e.Object
}

// Keys are the keys of the state's objects, in order.
func (s State) Keys() []Key {
	return slices.SortedFunc(maps.Keys(s), Key.Compare)
}

// Difference is an object that is not the same in two states.
type Difference struct {
	Key
	// Type is what makes the first state the second: create, update or delete.
	Type    Type     `json:"type"`
	Changes []Change `json:"changes,omitempty"`
}

// Compare lists what counts and is different in b, in the order of the keys. The
// changes are those of the canonical forms; one create or delete has none.
func Compare(a, b State, m Mask) []Difference {
	keys := a.Keys()
	for key := range b {
		if _, both := a[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, Key.Compare)
	var found []Difference
	for _, key := range keys {
		if m.Ignores(key.Resource) {
			continue
		}
		before, inA := a[key]
		after, inB := b[key]
		switch {
		case !inA:
			found = append(found, Difference{Key: key, Type: Create})
		case !inB:
			found = append(found, Difference{Key: key, Type: Delete})
		default:
			changes := Diff(m.Canonical(key.Resource, before), m.Canonical(key.Resource, after))
			if len(changes) > 0 {
				found = append(found, Difference{key, Update, changes})
			}
		}
	}
	return found
}
