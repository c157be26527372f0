// Package dump writes the states of a specification, or a behaviour of it, for other programs: to draw them, to count
// them, or to step through them. There is a file for each format.
package dump

import (
	"io"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/spec"
)

// Format is one way to write. Either Graph or Trace is set: what is written.
type Format struct {
	// Suffix is how the names of its files end.
	Suffix string
	// Doc says what it is for.
	Doc string
	// Graph writes all states; path, if there is one, is a behaviour to be told from the rest.
	Graph func(w io.Writer, g *spec.Graph, path *spec.Trace) error
	// Trace writes one behaviour, of which source says whose it is.
	Trace func(w io.Writer, source string, t *spec.Trace) error
}

var formats []Format

// register adds a format. It returns a value so that a variable can be declared by it.
func register(f Format) Format {
	formats = append(formats, f)
	return f
}

// Formats are all formats, ordered by their suffixes.
func Formats() []Format {
	return slices.SortedFunc(slices.Values(formats), func(a, b Format) int { return strings.Compare(a.Suffix, b.Suffix) })
}

// Of returns the format of a file: the one with the longest suffix that the name has.
func Of(file string) (found Format, ok bool) {
	for _, f := range formats {
		if strings.HasSuffix(file, f.Suffix) && len(f.Suffix) > len(found.Suffix) {
			found, ok = f, true
		}
	}
	return found, ok
}
