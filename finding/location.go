package finding

import "strconv"

// String returns the place as file:line:column, leaving out what is not
// known. A location without a file is the empty string.
func (l Location) String() string {
	if l.File == "" || l.Line <= 0 {
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
