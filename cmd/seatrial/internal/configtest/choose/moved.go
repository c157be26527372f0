package choose

import (
	"strconv"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// move notes of what is taken away at which key its value is now, if no code is known to read that: what was configured
// is meant to stay as it is.
func move(changes []Change) {
	for i, c := range changes {
		if c.Class == nil || c.Change.Old == nil || c.Change.New != nil {
			continue
		}
		for _, o := range changes {
			if c.movedTo(o) {
				changes[i].Moved = o.Path
				break
			}
		}
	}
}

// telling is how long a value is that hardly two keys have by chance: small numbers and words such as info are shorter.
const telling = 6

// movedTo tells whether the value of what is taken away is what another change adds, and nobody is known to read. Of a
// value that many keys have that is so only if the names of both have a word in common that says something. What is
// turned off, and something else on, is no move.
func (c Change) movedTo(o Change) bool {
	if o.Class != nil || o.Kind != c.Kind || o.In != c.In || o.Change.Old != nil || o.Change.New == nil || !change.Equal(c.Change.Old, o.Change.New) {
		return false
	}
	text := c.Change.Old.Reveal()
	if _, err := strconv.ParseBool(text); err == nil {
		return false
	}
	return len(text) >= telling || value.Akin(last(c.Change), last(o.Change))
}

// last is the last step of a key, or the name of a flag or of a variable.
func last(c change.Change) string {
	if steps := c.Steps(); c.Kind == change.Key && len(steps) > 0 {
		return steps[len(steps)-1]
	}
	return c.Path
}
