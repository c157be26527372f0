package configtest

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
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
	found := s.inFile(file, some)
	if len(found) != len(some) {
		return nil, false
	}
	return change.Mixed(file, s.textOf(file, 0), s.textOf(file, 1), found)
}

// inFile are changes as the file has them: in one that stands for a file of an object, or is nearly that, they are on
// other lines.
func (s *session) inFile(file string, some []change.Change) []change.Change {
	_, object := s.stands[file]
	if _, near := s.near[file]; !object && !near {
		return some
	}
	before, failed := change.Parse(file, s.textOf(file, 0))
	after, err := change.Parse(file, s.textOf(file, 1))
	if failed != nil || err != nil {
		return nil
	}
	return slices.DeleteFunc(change.Between(before, after), func(c change.Change) bool {
		return !slices.ContainsFunc(some, func(o change.Change) bool { return o.Path == c.Path })
	})
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

// otherwise is what a file of the module is to have with another value at one of the changes, and nothing else of the
// new version; false if that is not to be had.
func (s *session) otherwise(file string, changes []choose.Change, at int, other string) ([]byte, bool) {
	parts := s.inFile(file, changes[at].Parts)
	if len(parts) != 1 {
		return nil, false
	}
	if was := parts[0]; was.Old != nil { // in the form of the old one, which is like the others: with quotes around it a number is none
		was.New = was.Old
		if text, is := s.fileWith(file, changes, nil); is {
			if out, is := change.Replaced(file, text, was, value.Bare(other)); is {
				return out, true
			}
		}
	}
	text, is := s.fileWith(file, changes, []int{at})
	if !is {
		return nil, false
	}
	return change.Replaced(file, text, parts[0], value.Bare(other))
}

// textWith is what a file of the module is to have with some values.
func (s *session) textWith(file string, changes []choose.Change, values choose.Values) []byte {
	for i, c := range changes {
		if v := values[i]; v != nil && v != c.Old && v != c.New { // by where the values are: it was made
			if text, is := s.otherwise(file, changes, i, *v); is {
				return text
			}
		}
	}
	if text, is := s.fileWith(file, changes, renewed(changes, values)); is {
		return text
	}
	return s.textOf(file, 1)
}
