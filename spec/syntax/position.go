package syntax

import (
	"fmt"
	"strings"
)

// Source is the text of one file and what it is called in messages.
type Source struct {
	Name string
	Text string
}

// Position is a place in a source. Lines and columns count from 1; columns count
// characters, not bytes, since the layout of lists depends on them.
type Position struct {
	Source *Source
	Line   int
	Column int
}

// String returns file:line:column, the form that editors follow.
func (p Position) String() string {
	if p.Source == nil {
		return "built in"
	}
	return fmt.Sprintf("%s:%d:%d", p.Source.Name, p.Line, p.Column)
}

// Error is what is wrong with a text, and where.
type Error struct {
	At      Position
	Problem string
}

// Error returns the place and the problem in one line.
func (e *Error) Error() string { return e.At.String() + ": " + e.Problem }

// Excerpt returns the line that the error is about and a caret below its place,
// cut to what fits a terminal.
func (e *Error) Excerpt() string {
	if e.At.Source == nil || e.At.Line == 0 {
		return ""
	}
	lines := strings.SplitN(e.At.Source.Text, "\n", e.At.Line+1)
	if len(lines) < e.At.Line {
		return ""
	}
	line := []rune(strings.TrimRight(lines[e.At.Line-1], "\r"))
	if len(line) == 0 {
		return ""
	}
	const width = 76
	column := min(e.At.Column-1, len(line))
	from := 0
	if column > width-8 {
		from = column - width/2
	}
	shown := line[from:min(len(line), from+width)]
	for i, r := range shown {
		if r < ' ' {
			shown[i] = ' '
		}
	}
	return string(shown) + "\n" + strings.Repeat(" ", column-from) + "^"
}

// Errorf makes an Error.
func Errorf(at Position, format string, args ...any) *Error {
	return &Error{At: at, Problem: fmt.Sprintf(format, args...)}
}
