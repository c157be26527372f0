package manifest

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/seatrial/seatrial/finding"
)

// problemsShownMax is how many problems Error prints; the rest is a count.
const problemsShownMax = 50

// Problem is one thing that is wrong with the input.
type Problem struct {
	// Location is where; a problem of the whole command line has no file.
	Location finding.Location
	// Message is one line: what is wrong and, where it helps, what to do.
	Message string
}

// String is the problem as one line: file:line: message.
func (p Problem) String() string {
	message := oneLine(p.Message)
	switch {
	case p.Location.File == "":
		return message
	}
	return oneLine(p.Location.FileLine()) + ": " + message
}

// Problems is the error of Load: everything that is wrong, sorted by file and
// line, without repetition.
type Problems []Problem

// Error prints one line per problem, at most 50 and then how many more.
func (p Problems) Error() string {
	var b strings.Builder
	for i, problem := range p {
		if i == problemsShownMax {
			fmt.Fprintf(&b, "\n… and %d more", len(p)-problemsShownMax)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(problem.String())
	}
	return b.String()
}

// AsProblems returns the problems in err's chain.
func AsProblems(err error) (Problems, bool) {
	var p Problems
	ok := errors.As(err, &p)
	return p, ok
}

// sorted orders problems by place and drops repetitions.
func (p Problems) sorted() Problems {
	sort.SliceStable(p, func(i, j int) bool {
		a, b := p[i], p[j]
		switch {
		case a.Location.File != b.Location.File:
			return a.Location.File < b.Location.File
		case a.Location.Line != b.Location.Line:
			return a.Location.Line < b.Location.Line
		case a.Location.Column != b.Location.Column:
			return a.Location.Column < b.Location.Column
		}
		return a.Message < b.Message
	})
	kept := p[:0]
	for i, problem := range p {
		if i == 0 || problem.String() != kept[len(kept)-1].String() {
			kept = append(kept, problem)
		}
	}
	return kept
}

// oneLine makes text from a file safe to print on one line of a terminal.
func oneLine(s string) string {
	const max = 600
	if len(s) > max {
		s = strings.ToValidUTF8(s[:max], "") + "…"
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0x202e || r == 0xfffd:
			return '?'
		}
		return r
	}, s)
}
