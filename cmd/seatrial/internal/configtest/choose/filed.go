package choose

import (
	"path"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// filed gives what nobody is known to read by its key to those who read the file that it is in: a list, and what a type
// reads itself. The file is given whole then; what is in it shows only who reads a field of that.
func (l *linker) filed(changes []Change) []Change {
	files := map[string]parameter.ID{}
	for _, c := range changes {
		if c.Class == nil && c.Unknown == "" && c.Kind == change.Key && len(c.Parts) > 0 {
			if _, known := files[c.In]; !known {
				files[c.In] = l.wholeFile(c.In)
			}
		}
	}
	var out []Change
	for _, c := range changes {
		id := files[c.In]
		if id == "" || c.Kind != change.Key {
			out = append(out, c)
			continue
		}
		again := slices.IndexFunc(out, func(o Change) bool { return o.filed() && o.In == c.In })
		if again < 0 {
			class, _ := l.m.Class(id)
			again, out = len(out), append(out, Change{
				Change: c.Change, Class: &class, IDs: []parameter.ID{id},
				Old: composed(l.before, c.In, nil), New: composed(l.after, c.In, nil),
			})
		}
		out[again].Parts = append(out[again].Parts, c.Parts...)
	}
	return out
}

// filed tells whether a change of a key is given as the file that it is in.
func (c Change) filed() bool {
	return c.Kind == change.Key && len(c.Parts) > 0 && len(c.IDs) > 0 && c.IDs[0].Kind() == parameter.File && c.Parts[0].Path != "" && written(c.IDs[0].Name()) &&
		!slices.Contains(c.Parts[0].Steps(), path.Base(c.IDs[0].Name())) && c.Parts[0].Path != c.IDs[0].Name()
}

// written tells whether a file of some name is one that JSON can be put into.
func written(name string) bool {
	return slices.Contains([]string{".json", ".yaml", ".yml"}, path.Ext(name))
}

// wholeFile is the file of an object that a program is seen to read whole; empty if there is none, or several, or the
// type is known that it is decoded into, with its keys.
func (l *linker) wholeFile(in string) parameter.ID {
	name := in
	if !path.IsAbs(in) {
		fields := strings.Fields(in)
		if len(fields) != 3 || fields[0] != "ConfigMap" && fields[0] != "Secret" {
			return ""
		}
		name = fields[2]
	}
	switch root := l.root(in); {
	case !written(name), root == "" && l.reads(in), root != "" && !slices.Contains(l.m.Itself, root):
		return ""
	}
	if composed(l.before, in, nil) == nil || composed(l.after, in, nil) == nil {
		return ""
	}
	var found []parameter.ID
	for _, class := range l.m.Parameters {
		at := class.ID.Name()
		switch {
		case class.ID.Kind() != parameter.File || !path.IsAbs(at) || !l.exercised(class):
		case at == name:
			return class.ID
		case path.Base(at) == path.Base(name):
			found = append(found, class.ID)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// reads tells whether somebody is known to read a key of a file.
func (l *linker) reads(in string) bool {
	return slices.ContainsFunc(slices.Concat(l.before, l.after), func(s change.Setting) bool {
		return s.Kind == change.Key && s.In == in && l.link(change.Change{Identity: s.Identity, New: &s.Value, Location: s.Location}).Class != nil
	})
}
