package configtest

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/component"
)

// A pod has containers of several images. Without a file of components it is not known which of them is built from the
// module; where one is called as the module or one of its commands, the others are other programs, and what these are
// told is no question to the module's tests.

var major = regexp.MustCompile(`/v[0-9]+$`)

// called are what the module and its commands are called.
func (s *session) called() []string {
	out := []string{path.Base(major.ReplaceAllString(s.module.Path, ""))}
	commands, _ := filepath.Glob(filepath.Join(s.module.Directory, "cmd", "*")) // the pattern is one
	for _, folder := range commands {
		out = append(out, filepath.Base(folder))
	}
	return out
}

// others are the places of containers of other programs than those of some names, with their images; none if no
// container is of one of these.
func others(programs []string, versions ...Version) map[string]string {
	out, own := map[string]string{}, false
	for _, v := range versions {
		for _, s := range v.Settings {
			switch {
			case s.Image == "":
			case slices.Contains(programs, path.Base(component.Repository(s.Image))):
				own = true
			default:
				out[s.In] = component.Repository(s.Image)
			}
		}
	}
	if !own {
		return nil
	}
	return out
}

// ownOnly leaves out of two versions what other programs are told, and gives the changes of that.
func (s *session) ownOnly(before, after *Version) []choose.Change {
	of := others(s.called(), *before, *after)
	if len(of) == 0 {
		return nil
	}
	foreign := func(s change.Setting) bool { return of[s.In] != "" }
	own := func(s change.Setting) bool { return of[s.In] == "" }
	var out []choose.Change
	for _, c := range change.Between(slices.DeleteFunc(slices.Clone(before.Settings), own), slices.DeleteFunc(slices.Clone(after.Settings), own)) {
		out = append(out, choose.Change{Change: c, Parts: []change.Change{c}, Unknown: fmt.Sprintf("it is told to another program, %s", of[c.In])})
	}
	before.Settings = slices.DeleteFunc(slices.Clone(before.Settings), foreign)
	after.Settings = slices.DeleteFunc(slices.Clone(after.Settings), foreign)
	return out
}
