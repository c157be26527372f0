package kubestate

import (
	"iter"
	"slices"
	"strconv"
)

// History is the writes that there were, for those who watch. The zero History is that of
// the zero State. It is a value: what is appended makes another, and histories that part
// share what they had in common.
//
// Events are ordered by their position, which is how many writes there had been with
// them; a resourceVersion is not, since it counts the writes of one object.
//
// It is a list from the newest event to the oldest, because a search appends in each of a
// thousand branches, and whoever watches is only a few events behind.
type History struct {
	last *past
	// position is that of the newest event, and oldest the last that is forgotten.
	position, oldest uint64
}

type past struct {
	event    Event
	position uint64
	before   *past
}

// NewHistory is a History that begins now. What was written before s is not known to it.
func NewHistory(s State) History { return History{position: s.writes, oldest: s.writes} }

// Append adds the events of a Response.
func (h History) Append(events ...Event) History {
	for _, e := range events {
		h.position++
		h.last = &past{event: e, position: h.position, before: h.last}
	}
	return h
}

// Position is that of the newest event.
func (h History) Position() uint64 { return h.position }

// Oldest is the position from which Since can begin.
func (h History) Oldest() uint64 { return h.oldest }

// Compact forgets the events up to a position. It copies those behind it.
func (h History) Compact(position uint64) History {
	if position = min(position, h.position); position <= h.oldest {
		return h
	}
	events := slices.Collect(h.Since(position))
	return History{position: position, oldest: position}.Append(events...)
}

// Since are the events behind a position, or behind the oldest that is known.
func (h History) Since(position uint64) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		var behind []Event
		for p := h.last; p != nil && p.position > position; p = p.before {
			behind = append(behind, p.event)
		}
		for _, e := range slices.Backward(behind) {
			if !yield(e) {
				return
			}
		}
	}
}

// Version is the resourceVersion of a list made now.
func (h History) Version() string { return listVersion(h.position) }

// Locate gives the position of a resourceVersion: that of a list, whose digits say it, or
// that of an object, which is known while the event is that made it. It is false for those
// that are too old.
func (h History) Locate(version string) (uint64, bool) {
	if position, ok := listPosition(version); ok {
		return position, position >= h.oldest && position <= h.position
	}
	for p := h.last; p != nil; p = p.before {
		if p.event.Object.meta.GetResourceVersion() == version {
			return p.position, true
		}
	}
	return 0, false
}

// listPosition reads what listVersion has written. Versions of objects have the number of
// a creation in the place of a zero.
func listPosition(version string) (uint64, bool) {
	n, err := strconv.ParseUint(version, 10, 64)
	if err != nil || n < leading || n-leading >= writeMax*keyMax || n%step != 0 {
		return 0, false
	}
	return (n - leading) / step, true
}
