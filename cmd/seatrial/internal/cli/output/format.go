package output

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
)

// Text is the format that is shown if no other is asked for.
const Text = "text"

// Kind is what a command has as its result.
type Kind int

const (
	// Reports are results with a verdict.
	Reports Kind = iota
	// Walks are random walks, which judge nothing.
	Walks
)

// Document is a result that can be rendered: one of Report and Simulation.
type Document struct {
	Report     *finding.Report
	Simulation *finding.Simulation
	// Rules are all that the trial has, for formats that tell of them.
	Rules []finding.Rule
	// Facts are about this run, for formats that are not to be the same each time.
	Facts []report.Fact
	// Own are forms of a document that says more than its report, by format. The
	// other formats render the report.
	Own map[string]func(w io.Writer, s Setting) error
}

// Setting is how a result is to look. A format uses what means something to it.
type Setting struct {
	// Width is the number of columns to fill.
	Width int
	// Color uses ANSI colours, ASCII nothing outside ASCII.
	Color, ASCII bool
	// Quiet leaves what was found, and nothing if all holds.
	Quiet bool
	// Env reads the environment variables that a format is documented to use.
	Env func(name string) string
}

// Format is one form of a result.
type Format struct {
	// Name is what -o takes, Doc what it is for, in a few words.
	Name, Doc string
	// Report renders the report of a document.
	Report func(w io.Writer, d Document, s Setting) error
	// Simulation renders a random walk; nil if the format shows findings only.
	Simulation func(w io.Writer, sim *finding.Simulation, s Setting) error
	// Then, if set, is called when the output has been written: for a format that
	// has a second place to write to.
	Then func(d Document, s Setting) error
}

var formats []*Format

// register adds a format from the initialisation of the file that defines it, so
// that adding one touches no list.
func register(f Format) *Format {
	formats = append(formats, &f)
	slices.SortFunc(formats, func(a, b *Format) int { return strings.Compare(a.Name, b.Name) })
	return &f
}

func find(name string) *Format {
	for _, f := range formats {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Names are what -o takes, in alphabetical order.
func Names() []string { return names(Reports) }

func names(kind Kind) []string {
	var all []string
	for _, f := range formats {
		if f.shows(kind) {
			all = append(all, f.Name)
		}
	}
	return all
}

// Help is a line of a command's help for each format.
func Help() string {
	var b strings.Builder
	for _, f := range formats {
		fmt.Fprintf(&b, "  %-10s %s\n", f.Name, f.Doc)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Usage is the help of the -o flag.
const Usage = "`FORMAT[=FILE]` of the result, to standard output or to a file; repeatable"

func (f *Format) shows(kind Kind) bool { return kind == Reports || f.Simulation != nil }

func (f *Format) render(w io.Writer, d Document, s Setting) error {
	if own := d.Own[f.Name]; own != nil {
		return own(w, s)
	}
	if d.Simulation != nil {
		if f.Simulation == nil {
			return fmt.Errorf("a random walk cannot be shown as %s", f.Name)
		}
		return f.Simulation(w, d.Simulation, s)
	}
	return f.Report(w, d, s)
}
