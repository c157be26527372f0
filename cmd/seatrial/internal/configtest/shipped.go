package configtest

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// shippedAs is a file of the module that stands for the only file of an object in which two versions differ, if there
// is one: a file of that name which tests open. It is for changes that nobody can give a program: of keys that no code
// is known to read, or whose library takes nothing. Empty for none.
func (s *session) shippedAs(m *parameter.Map, changes []choose.Change) string {
	s.stands = nil
	for _, c := range changes {
		given := c.Class != nil && !slices.Contains([]parameter.Kind{parameter.Ini, parameter.Properties}, c.Class.ID.Kind())
		if given || c.In != changes[0].In {
			return ""
		}
	}
	differs := s.differs()
	if differs == "" {
		return ""
	}
	files := slices.DeleteFunc(openedBy(m), func(at string) bool { return path.Base(at) != path.Base(differs) })
	if len(files) != 1 {
		return ""
	}
	s.stands = map[string]string{files[0]: differs}
	return files[0]
}

// copies are the files of the module that tests open and that say what the old version says: what is deployed is kept
// in another place, and is a copy of them, or they of that. One of them may stand for the only file of an object in
// which the versions differ, if nothing else changes: who opens it is given nothing else. There is none if several do,
// which a test may compare, and none where tests open one of the known files: another one that says the same is that of
// somebody else.
func (s *session) copies(m *parameter.Map, changes []choose.Change, known []string) (out []string) {
	opened, differs, stands := openedBy(m), s.differs(), map[string]string{}
	if slices.ContainsFunc(known, func(file string) bool { return slices.Contains(opened, file) }) {
		return nil
	}
	if slices.ContainsFunc(changes, func(c choose.Change) bool { return c.In != changes[0].In }) {
		differs = ""
	}
	for _, file := range opened {
		if !configuration(file) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(s.module.Directory, filepath.FromSlash(file)))
		switch {
		case err != nil:
		case sameFormat(file, s.versions[0].base()) && sameSettings(file, text, s.versions[0].Settings):
			out = append(out, file)
		case differs != "" && sameFormat(file, differs):
			old, err := change.Parse(differs, []byte(s.versions[0].objects()[differs]))
			if err != nil || !sameSettings(file, text, old) {
				continue
			}
			stands[file], out = differs, append(out, file)
		}
	}
	if len(out) != 1 {
		return nil
	}
	if len(stands) > 0 {
		s.stands = stands
	}
	return out
}

// sameFormat tells whether two files are of one format by their names: what stands in one can stand in the other.
func sameFormat(a, b string) bool {
	of := func(name string) string {
		if change.Variables(name) {
			return ".env"
		}
		return strings.Replace(change.Extension(name), ".yml", ".yaml", 1)
	}
	return of(a) == of(b)
}

// sameSettings tells whether a file says what some settings do.
func sameSettings(file string, text []byte, as []change.Setting) bool {
	says, err := change.Parse(file, text)
	return err == nil && len(says) > 0 && len(says) == len(as) && len(change.Between(as, says)) == 0
}

// openedBy are the files of the module that tests open, as paths from its root.
func openedBy(m *parameter.Map) (out []string) {
	for _, p := range m.Parameters {
		if at := p.ID.Name(); p.ID.Kind() == parameter.File && !path.IsAbs(at) {
			out = append(out, at)
		}
	}
	return out
}

// differs is the only file of an object in which the versions differ; empty for none, or several.
func (s *session) differs() string {
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
	return differ[0]
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
	if texts, is := s.near[file]; is {
		return texts[version]
	}
	if name, is := s.stands[file]; is {
		return []byte(s.versions[version].objects()[name])
	}
	return s.versions[version].Text
}
