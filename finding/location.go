package finding

import (
	"fmt"
	"strconv"
	"strings"
)

// String returns the place as file:line:column, leaving out what is not
// known. A location without a file is the empty string. One in a text that is no
// file, but was rendered or read from a cluster, is named by its object and field,
// after the file that it was rendered from, if that is known.
func (l Location) String() string {
	switch {
	case l.Made():
		return l.object()
	case l.File == "" || l.Line <= 0:
		return l.File
	}
	s := l.File + ":" + strconv.Itoa(l.Line)
	if l.Column > 0 {
		s += ":" + strconv.Itoa(l.Column)
	}
	return s
}

// FileLine returns the place as file:line, as findings are shown to people.
func (l Location) FileLine() string {
	l.Column = 0
	return l.String()
}

// Artifact returns the place for programs that open files: of a rendered text it is
// the file that it was rendered from, without a line. ok is false where there is no
// such file: standard input, a cluster.
func (l Location) Artifact() (file string, line, column int, ok bool) {
	switch {
	case l.Origin != "":
		return l.Origin, 0, 0, true
	case l.File == "" || l.File == "-" || strings.HasPrefix(l.File, "<"):
		return "", 0, 0, false
	}
	return l.File, l.Line, l.Column, true
}

// Made tells whether File names a text that was made and is nowhere to be opened.
// Standard input is the user's own: its lines can be counted.
func (l Location) Made() bool {
	return strings.HasPrefix(l.File, "<") && l.File != "<stdin>"
}

// object names a place by what it is in, since lines of a text that nobody has at
// hand lead nowhere.
func (l Location) object() string {
	what := l.Object
	switch {
	case what != "" && l.Field != "" && l.Field != "kind": // which is the object's own
		what += " " + l.Field
	case what == "" && l.Line > 0:
		what = fmt.Sprintf("line %d", l.Line)
	}
	by := strings.Trim(l.File, "<>")
	switch {
	case l.Origin != "" && what != "":
		return l.Origin + " (rendered, " + what + ")"
	case l.Origin != "":
		return l.Origin + " (rendered)"
	case what != "":
		return what + " (" + by + ")"
	}
	return by
}
