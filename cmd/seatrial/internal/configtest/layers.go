package configtest

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// Many a program decodes one file above another one: a base, and what a profile says otherwise. A key of the base that
// the other file has is overridden there.

// layers finds of changes that tests read without their new values, in the files of the module that these open, too,
// those that say something else there. changed is the file that differs.
func (s *session) layers(m *parameter.Map, out *Outcome, changed []string) {
	known := map[string][]change.Setting{}
	settings := func(file string) []change.Setting {
		if _, read := known[file]; !read {
			known[file] = nil
			if text, err := os.ReadFile(filepath.Join(s.module.Directory, filepath.FromSlash(file))); err == nil {
				known[file], _ = change.Parse(file, text) // what is in no format that is known says nothing
			}
		}
		return known[file]
	}
	out.above = map[int][]string{}
	for _, i := range out.open() {
		c := out.Changes[i]
		if c.Kind != change.Key || c.Change.New == nil {
			continue
		}
		for _, t := range out.Tests {
			if t == nil || !slices.Contains(t.Unproved, i) {
				continue
			}
			for _, file := range opened(m, t.Package, t.Name) {
				if !slices.Contains(changed, file) && slices.ContainsFunc(settings(file), func(o change.Setting) bool {
					return o.Kind == change.Key && o.In == c.In && o.Path == c.Path && !change.Equal(&o.Value, c.Change.New)
				}) && !slices.Contains(out.above[i], file) {
					out.above[i] = append(out.above[i], file)
				}
			}
		}
	}
}

// opened are the files of the module that a test opens.
func opened(m *parameter.Map, pkg, test string) (out []string) {
	for _, p := range m.Packages {
		for _, t := range p.Tests {
			if p.Path != pkg || t.Name != test {
				continue
			}
			for _, id := range t.Reads {
				if id.Kind() == parameter.File && !path.IsAbs(id.Name()) {
					out = append(out, id.Name())
				}
			}
		}
	}
	return out
}

// overridden says which files say a change otherwise, of those that the tests open as well; empty for none.
func (o *Outcome) overridden(i int) string {
	if len(o.above[i]) == 0 {
		return ""
	}
	return "overridden by " + strings.Join(o.above[i], ", ")
}
