package configtest

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
)

// fileWith is what a file of the module is to have with some of the changes; false if it cannot have only these.
func (s *session) fileWith(file string, changes []choose.Change, in []int) ([]byte, bool) {
	var some []change.Change
	rest := 0
	for i, c := range changes {
		switch {
		case c.Unchanged:
		case slices.Contains(in, i):
			some = append(some, c.Parts...)
		default:
			rest++
		}
	}
	switch {
	case len(some) == 0:
		return s.textOf(file, 0), true
	case rest == 0:
		return s.textOf(file, 1), true
	}
	if _, object := s.stands[file]; object {
		return nil, false
	}
	return change.Mixed(file, s.textOf(file, 0), s.textOf(file, 1), some)
}

// renewed are the changes of which some values are the new ones.
func renewed(changes []choose.Change, values choose.Values) (out []int) {
	for i, c := range changes {
		if !c.Unchanged && values[i] == c.New && c.New != c.Old { // by where the values are
			out = append(out, i)
		}
	}
	return out
}
