package stage

import (
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

// What does not end, though it is no circle of writes: what comes of it at the hands of others has another order each
// time, and between two rounds the controller may rest for long.
const (
	// remadeMost is how often the controller makes the same object anew in one step until that is taken to go on for
	// ever. Once for each of a few changes that it hears of one after another is usual.
	remadeMost = 4
	// restoredMost is the same for a field that somebody else sets back each time.
	restoredMost = 3
)

// Endless is what the controller does again and again in a step; zero for nothing.
type Endless struct {
	Object history.Key
	// Path is the field that it sets to To, and that Other sets back to From; empty if it makes the whole object anew.
	Path     string
	From, To any
	Other    string
}

// Is tells whether there is such a thing.
func (e Endless) Is() bool { return e.Object.Resource != "" }

// String says it.
func (e Endless) String() string {
	if e.Path == "" {
		return fmt.Sprintf("deletes %s and makes it anew again and again", e.Object)
	}
	return fmt.Sprintf("sets %s of %s from %s to %s again and again, and %s sets it back", e.Path, e.Object, plan.Brief(e.From), plan.Brief(e.To), e.Other)
}

// field is one of an object.
type field struct {
	history.Key
	path string
}

// held is what the controller has set a field to.
type held struct {
	from, to any
	// other is who has set it back since; empty for nobody.
	other    string
	restored int
}

// endless looks for it, event by event.
type endless struct {
	mask  history.Mask
	gone  map[history.Key]bool
	times map[history.Key]int
	held  map[field]*held
	// wrote are the objects of held.
	wrote map[history.Key]bool
	found Endless
}

func newEndless(mask history.Mask) *endless {
	return &endless{mask: mask, gone: map[history.Key]bool{}, times: map[history.Key]int{}, held: map[field]*held{}, wrote: map[history.Key]bool{}}
}

// add takes the next event that counts.
func (l *endless) add(e history.Event) {
	own := e.Actor == plan.Controller
	switch {
	case l.found.Is():
	case own && (e.Type == history.Delete || e.Object.Text("metadata", "deletionTimestamp") != ""):
		l.gone[e.Key] = true
	case own && e.Type == history.Create && l.gone[e.Key]:
		delete(l.gone, e.Key)
		if l.times[e.Key]++; l.times[e.Key] == remadeMost {
			l.found = Endless{Object: e.Key}
		}
	case e.Type == history.Update && (own || l.wrote[e.Key]):
		for _, ch := range history.Diff(l.mask.Canonical(e.Resource, e.Previous), l.mask.Canonical(e.Resource, e.Object)) {
			if ch.Path == "status" || strings.HasPrefix(ch.Path, "status.") {
				continue // that follows what comes and goes
			}
			at := field{e.Key, ch.Path}
			if own {
				l.set(at, ch)
			} else if h := l.held[at]; h != nil && same(ch.From, h.to) && same(ch.To, h.from) {
				h.other = e.Actor
			}
		}
	}
}

// set takes note of a field that the controller sets.
func (l *endless) set(at field, ch history.Change) {
	h := l.held[at]
	if h == nil || !same(ch.From, h.from) || !same(ch.To, h.to) {
		l.held[at], l.wrote[at.Key] = &held{from: ch.From, to: ch.To}, true
		return
	}
	if h.other == "" {
		return
	}
	if h.restored++; h.restored == restoredMost {
		l.found = Endless{Object: at.Key, Path: at.path, From: ch.From, To: ch.To, Other: h.other}
	}
	h.other = ""
}

func same(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// endless is what the controller does in this step without end.
func (l *Live) endless() Endless {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return l.s.endless.found
}
