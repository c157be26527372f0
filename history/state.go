package history

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"
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
// changes are those of the canonical forms; what is created or deleted has none.
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
		before, inA := a[key]
		after, inB := b[key]
		if m.IgnoresObject(key.Resource, before) || m.IgnoresObject(key.Resource, after) {
			continue
		}
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

// CompareRuns is Compare for states of two runs, in which generated names differ:
// objects that have one are paired by what they are generated from and by their
// contents. Their names end in a * in what is found.
func CompareRuns(a, b State, m Mask) []Difference {
	named, others := a.split(m)
	namedB, othersB := b.split(m)
	found := Compare(named, namedB, m)
	keys := slices.Collect(maps.Keys(others))
	for key := range othersB {
		if _, both := others[key]; !both {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		before, after := unpaired(others[key], othersB[key])
		for i := range max(len(before), len(after)) {
			switch {
			case i >= len(before):
				found = append(found, Difference{Key: key, Type: Create})
			case i >= len(after):
				found = append(found, Difference{Key: key, Type: Delete})
			default:
				found = append(found, Difference{key, Update, Diff(before[i], after[i])})
			}
		}
	}
	// Differences of one key stay as they are: updates, and then the rest.
	slices.SortStableFunc(found, func(x, y Difference) int { return x.Key.Compare(y.Key) })
	return found
}

// split takes the objects with generated names out of a state. These are given in
// canonical form, by their keys with a * for what is generated.
func (s State) split(m Mask) (named State, generated map[Key][]Object) {
	named, generated = State{}, map[Key][]Object{}
	for key, o := range s {
		name, drawn := generic(key.Name, o)
		if !drawn {
			named[key] = o
			continue
		}
		if form := generalized(m.Canonical(key.Resource, o), name); form != nil {
			key.Name = name
			generated[key] = append(generated[key], form)
		}
	}
	return named, generated
}

// unpaired are the forms of a and b without those that are in both, in the order
// of their bytes.
func unpaired(a, b []Object) (onlyA, onlyB []Object) {
	count := map[string]int{}
	for _, o := range b {
		count[string(encode(o))]++
	}
	for _, o := range a {
		if text := string(encode(o)); count[text] > 0 {
			count[text]--
			continue
		}
		onlyA = append(onlyA, o)
	}
	for _, o := range b {
		if text := string(encode(o)); count[text] > 0 {
			count[text]--
			onlyB = append(onlyB, o)
		}
	}
	byBytes := func(x, y Object) int { return bytes.Compare(encode(x), encode(y)) }
	slices.SortFunc(onlyA, byBytes)
	slices.SortFunc(onlyB, byBytes)
	return onlyA, onlyB
}

// GenericName is the name of the event's object with a * for what of it is drawn.
func (e Event) GenericName() string {
	o := e.Object
	if o == nil {
		o = e.Previous
	}
	return e.Generic(o).Name
}

// Generic is the key with a * for what of its name is drawn: what the API server
// generated, which the object says, and UIDs, as in the names of volumes. Without the
// object, nil, those only.
func (k Key) Generic(o Object) Key {
	k.Name, _ = generic(k.Name, o)
	return k
}

// uid is how the API server writes one.
var uid = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// drawnLength is how many letters the API server draws, behind as many of a prefix as
// there is room for. A StatefulSet's pods have a prefix, too, and numbers.
const (
	drawnLength = 5
	prefixMax   = 58
)

// generic is the name of an object with a * for what of it is drawn, if anything
// is.
func generic(name string, o Object) (string, bool) {
	prefix := o.text("metadata", "generateName")
	drawn, has := strings.CutPrefix(name, prefix[:min(len(prefix), prefixMax)])
	if prefix != "" && has && len(drawn) == drawnLength && !strings.Contains(drawn, "-") {
		return prefix + "*", true
	}
	general := uid.ReplaceAllString(name, "*")
	return general, general != name
}

// generalized gives a canonical form, which it changes, that name.
func generalized(form Object, name string) Object {
	if metadata, ok := form["metadata"].(map[string]any); ok && metadata["name"] != nil {
		metadata["name"] = name
	}
	return form
}
