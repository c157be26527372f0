package oracle

import (
	"slices"

	"github.com/seatrial/seatrial/history"
)

// What a property does may hang on which kind of thing the whole resource is (spec.mode): nothing may come of it in one
// mode, and much in another.

// Mode is a word of a property that says which kind of thing a resource is.
type Mode struct {
	Property string `json:"property"`
	Word     string `json:"word"`
}

// modesOf are the modes that a resource is in.
func (t *Tracer) modesOf(resource history.Object) (all []Mode) {
	for _, path := range t.modes {
		if word := resource.Text(tokens(path)...); word != "" { // without one it is in some mode that nobody says
			all = append(all, Mode{path, word})
		}
	}
	return all
}

// sawModes notes the modes in which a property was seen; mu is held.
func (t *Tracer) sawModes(property string, all []Mode) {
	for _, of := range []string{property, ""} {
		if t.saw[of] == nil {
			t.saw[of] = map[Mode]bool{}
		}
		for _, m := range all {
			t.saw[of][m] = true
		}
	}
}

// inAllModes tells whether a property was tried in each mode in which any was; mu is held.
func (t *Tracer) inAllModes(property string) bool {
	for m := range t.saw[""] {
		about := property == m.Property || partOf(property, m.Property)
		if !about && !t.saw[property][m] {
			return false
		}
	}
	return true
}

// modePaths are the properties that say which kind of thing a resource is, in order.
func (t *Tracer) modePaths() (all []string) {
	for path, p := range t.properties {
		if len(p.Modes()) > 1 {
			all = append(all, path)
		}
	}
	slices.Sort(all)
	return all
}
