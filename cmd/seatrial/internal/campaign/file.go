package campaign

import (
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

// file is the path of a file in a ConfigMap or Secret, with its name.
var file = regexp.MustCompile(`^(?:data|stringData|binaryData)(?:\.|\[)(.+?)\]?$`)

// part stands between what the cause of a deviation is, its file, and the line in that.
const part = " · "

// fileOf is the name of the file of a ConfigMap or Secret that a deviation is about, without what was drawn; empty for
// none.
func fileOf(path string) string {
	found := file.FindStringSubmatch(path)
	if found == nil {
		return ""
	}
	return drawn.ReplaceAllString(found[1], "$1*")
}

// parts are all that the cause of a deviation may be, of the field where: each of its lines, or its file.
func parts(where string, d oracle.Deviation) []string {
	name := fileOf(d.Path)
	switch {
	case name == "":
		return []string{where}
	case stays(d):
		return []string{where + part + anyFile}
	case len(d.Lines) == 0:
		return []string{where + part + name}
	}
	var all []string
	for _, line := range d.Lines {
		all = append(all, where+part+name+part+line)
	}
	return all
}

// anyFile stands for the name of a file that is there and should not be: whoever never takes one away has one mistake,
// however they are called.
const anyFile = "*"

// stays tells whether a deviation is of a file that is there, and is not in the twin.
func stays(d oracle.Deviation) bool {
	return needsTwin(d.Oracle) && d.Expected == nil && d.Found != nil && fileOf(d.Path) != ""
}

// apart tells whether two deviations are of two files, or of other lines of one.
func apart(a, b oracle.Deviation) bool {
	one, other := fileOf(a.Path), fileOf(b.Path)
	if one == "" || other == "" || stays(a) && stays(b) {
		return false
	}
	return one != other || len(a.Lines) > 0 && len(b.Lines) > 0 && !slices.ContainsFunc(a.Lines, func(line string) bool { return slices.Contains(b.Lines, line) })
}

// updated are the files that the operator has changed in a step, as the causes of what could be wrong with them, with
// the fields that they are in: what is written at creation only is one mistake, however much is in it.
func (t *trial) updated(s *oracle.Step) (all []string) {
	for _, e := range s.Events {
		if e.Actor != plan.Controller || e.Type != history.Update || e.Object["data"] == nil && e.Object["binaryData"] == nil {
			continue
		}
		for _, ch := range history.Diff(e.Previous, e.Object) {
			if name := fileOf(ch.Path); name != "" {
				where := field(oracle.Deviation{Object: e.Generic(e.Object), Path: ch.Path}, t.key)
				all = append(all, where, where+part+name)
			}
		}
	}
	return all
}

// wholeCause is a cause without the file and the line, if the operator never changes them by themselves.
func wholeCause(cause string, updated map[string]bool) string {
	where, rest, of := strings.Cut(cause, part)
	name, _, _ := strings.Cut(rest, part)
	switch {
	case !of || !updated[where]:
		return where
	case !updated[where+part+name]:
		return where + part + name
	}
	return cause
}
