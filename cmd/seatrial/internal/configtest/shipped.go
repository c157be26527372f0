package configtest

import (
	"path"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// shippedAs is a file of the module that stands for the only file of an object in which two versions differ, if there is one: a file of that name which tests open. It is for
// changes that nobody can give a program: of keys that no code is known to read, or whose library takes nothing. Empty for none.
func (s *session) shippedAs(m *parameter.Map, changes []choose.Change) string {
	s.stands = nil
	for _, c := range changes {
		given := c.Class != nil && !slices.Contains([]parameter.Kind{parameter.Ini, parameter.Properties}, c.Class.ID.Kind())
		if given || c.In != changes[0].In {
			return ""
		}
	}
	before, after := s.versions[0].objects(), s.versions[1].objects()
	var differ []string
	for name, text := range after {
		if old, is := before[name]; is && old != text {
			differ = append(differ, name)
		}
	}
	if len(differ) != 1 || !configuration(differ[0]) {
		return ""
	}
	var files []string
	for _, p := range m.Parameters {
		if at := p.ID.Name(); p.ID.Kind() == parameter.File && !path.IsAbs(at) && path.Base(at) == path.Base(differ[0]) {
			files = append(files, at)
		}
	}
	if len(files) != 1 {
		return ""
	}
	s.stands = map[string]string{files[0]: differ[0]}
	return files[0]
}

// objects are the files that an object holds, or that are mounted, by their names.
func (v Version) objects() map[string]string {
	if all, object := v.texts(); object {
		return all
	}
	out := map[string]string{}
	for name, text := range v.Mounted {
		out[name] = string(text)
	}
	return out
}

// textOf is what a file of the module is to have in a version.
func (s *session) textOf(file string, version int) []byte {
	if name, is := s.stands[file]; is {
		return []byte(s.versions[version].objects()[name])
	}
	return s.versions[version].Text
}
