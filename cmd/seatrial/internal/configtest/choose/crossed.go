package choose

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// Bound is a parameter that does not change, and that the new value of another one is beyond, and the old one was not:
// both may depend on each other, as a batch on the queue that it is taken from.
type Bound struct {
	// Path is empty for 1, where a factor or a share is beyond that: what grew shrinks, and of what was a part there is
	// more than all.
	Path, Value string
	// At is where it is among the changes with what does not change behind them; 0 for none.
	At int
	// names are those of the parameter, and of what the program puts it into.
	names []parameter.ID
}

// mostCrossed is how many bounds of one change a test is asked about, those of the same part of the document first.
const mostCrossed = 3

// Cross notes what each change passes of the numbers, sizes and times beside it that do not change. names are those of
// a parameter, and of what the program puts it into.
func Cross(changes, around []Change, names func(Change) []parameter.ID) {
	for i := range changes {
		c := &changes[i]
		if c.Class == nil || !c.plainly() || value.Vanishes(*c.Old, *c.New) { // what is nothing passes all that is less
			continue
		}
		if value.PassesOne(c.Path, *c.Old, *c.New) {
			c.Crosses = append(c.Crosses, Bound{Value: "1"})
		}
		for _, near := range []bool{true, false} {
			for at, b := range around {
				if c.isBeside(b) == near && (near || c.isWith(b)) && b.New != nil && !b.secret() && value.IsBetween(*c.Old, *b.New, *c.New) {
					c.Crosses = append(c.Crosses, Bound{Path: b.Path, Value: value.Bare(*b.New), At: len(changes) + at, names: names(b)})
				}
			}
		}
	}
}

// crossedIn are the bounds that a test has to do with: it reads them, sets them, or has them written by hand. Of two
// numbers that no test has together one need not be bounded by the other.
func (c Change) crossedIn(t *parameter.Test) (out []Bound) {
	for _, b := range c.Crosses {
		if c.Unit != 0 && b.Path != "" || len(out) == mostCrossed {
			continue // in which unit the program counts the other one is not known
		}
		if b.Path == "" || slices.ContainsFunc(b.names, func(id parameter.ID) bool {
			return slices.Contains(t.Reads, id) || slices.Contains(t.Sets, id) || slices.Contains(t.Same, id)
		}) {
			out = append(out, b)
		}
	}
	return out
}

// isBeside tells whether another parameter is of the same part of the same document, or of the same arguments or
// variables.
func (c Change) isBeside(o Change) bool {
	if c.In != o.In || c.Kind != o.Kind || c.Path == o.Path {
		return false
	}
	part := func(path string) string { return path[:strings.LastIndex(path, ".")+1] }
	return !c.JSON() || part(c.Path) == part(o.Path)
}

// isWith tells whether another parameter is of another part of the same document.
func (c Change) isWith(o Change) bool {
	return c.JSON() && c.In == o.In && c.Kind == o.Kind && c.Path != o.Path
}

// Bounds are those of what a test is asked about that are given a value: it has what is deployed in their places, too.
func (t Test) Bounds(values Values) (out []int) {
	for _, i := range t.Reads {
		for _, b := range t.Crosses[i] {
			if b.At > 0 && values[b.At] != nil {
				out = append(out, b.At)
			}
		}
	}
	return out
}

// Names are those of some changes, for tests that set them.
func Names(changes []Change, of []int) (out []parameter.ID) {
	for _, i := range of {
		if changes[i].Class != nil {
			out = append(out, changes[i].Class.Identities()...)
		}
	}
	return out
}

// secret tells whether it has a secret in one of its versions.
func (c Change) secret() bool {
	return slices.ContainsFunc(append(slices.Clone(c.Parts), c.Change), func(part change.Change) bool {
		return part.Old != nil && part.Old.Secret || part.New != nil && part.New.Secret
	})
}

// cross notes bounds of a change.
func (t *Test) cross(i int, bounds []Bound) {
	if len(bounds) > 0 && t.Crosses == nil {
		t.Crosses = map[int][]Bound{}
	}
	if len(bounds) > 0 {
		t.Crosses[i] = bounds
	}
}
