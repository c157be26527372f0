package choose

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/spelling"
)

// strange gives a new key that no code reads a parameter of its own, if it is one of a document whose decoder refuses
// such keys: what loads it says so then.
func (l *linker) strange(c *Change) {
	steps := c.Steps()
	root := l.root(c.In)
	if c.Change.Old != nil || c.Change.New == nil || root == "" || !slices.Contains(l.m.Strict, root) ||
		slices.ContainsFunc(steps, func(step string) bool { return strings.HasPrefix(step, "[") || strings.Contains(step, ".") }) {
		return
	}
	place := strings.Join(steps, ".")
	documents := l.documents(c.In)
	has := func(place string, roots ...parameter.ID) bool {
		return slices.ContainsFunc(l.m.Parameters, func(class parameter.Class) bool {
			return slices.ContainsFunc(class.Identities(), func(id parameter.ID) bool {
				of, field := l.m.Type(id)
				return slices.Contains(roots, of) && (strings.EqualFold(field, place) || below(place, field) || below(field, place))
			})
		})
	}
	// What the old version has that the type does not have is not refused either: it is for others, or the file is.
	taken := func(s change.Setting) bool {
		return s.Kind == change.Key && s.In == c.In && !has(strings.Join(s.Steps(), "."), root)
	}
	if has(place, documents...) || slices.ContainsFunc(l.before, taken) {
		return
	}
	// It is the first step that nobody knows: of a section with another name all that is in it.
	end := 1
	for end < len(steps) && has(strings.Join(steps[:end], "."), documents...) {
		end++
	}
	for _, s := range l.after {
		if s.Identity == c.Identity && len(s.Lines) == len(steps) {
			c.Location.Line = s.Lines[end-1]
		}
	}
	steps, place = steps[:end], strings.Join(steps[:end], ".")
	id := parameter.ID(string(root) + "." + place)
	c.Class, c.IDs, c.Type, c.Place, c.Strange = &parameter.Class{ID: id}, []parameter.ID{id}, root, place, true
	if l.byViper(root) {
		id = parameter.New(parameter.Viper, strings.ToLower(place))
		c.Class, c.IDs, c.Type, c.Place = &parameter.Class{ID: id}, []parameter.ID{id}, "", ""
	}
	c.New = composed(l.after, c.In, steps)
}

// UnknownToItems tells whether all that a change of an item says is at keys that the item's type does not have. Of a
// file that is given as it is to what reads it by itself, that is not known.
func (c Change) UnknownToItems() bool {
	said := 0
	for _, l := range c.Leaves {
		if len(l.IDs) > 0 || l.Hidden || l.Moved {
			return false
		}
		if l.New != nil {
			said++
		}
	}
	return said > 0 && !c.filed()
}

// byViper tells whether a type is what viper has, as a whole: values come to it by that.
func (l *linker) byViper(root parameter.ID) bool {
	return slices.ContainsFunc(l.m.Parameters, func(class parameter.Class) bool {
		return slices.ContainsFunc(class.Identities(), func(id parameter.ID) bool {
			of, field := l.m.Type(id)
			return of == root && slices.ContainsFunc(class.Identities(), func(o parameter.ID) bool { return o.Kind() == parameter.Viper && strings.EqualFold(o.Name(), field) })
		})
	})
}

// below tells whether a key is somewhere in another one.
func below(key, other string) bool {
	return len(key) > len(other) && key[len(other)] == '.' && strings.EqualFold(key[:len(other)], other)
}

// strangeFlag gives a new flag that the program does not have a parameter of its own, if one of nearly the same name
// that it has is gone from there: it is meant, and what parses the arguments refuses the other one. Without that it may
// be a flag that a library adds where the program starts.
func (l *linker) strangeFlag(c *Change) {
	id := parameter.New(parameter.Flag, c.Path)
	if c.Change.Old != nil || c.Change.New == nil || !strings.HasPrefix(c.Path, "--") {
		return
	}
	is := func(of []change.Setting, path string) bool {
		return slices.ContainsFunc(of, func(s change.Setting) bool { return s.Kind == change.Flag && s.In == c.In && s.Path == path })
	}
	for _, s := range l.before {
		if s.Kind != change.Flag || s.In != c.In || is(l.after, s.Path) || !near(s.Path, c.Path) {
			continue
		}
		if _, known := l.m.Class(parameter.New(parameter.Flag, s.Path)); known {
			text := strings.Join(c.Change.New.All(), record.Again)
			c.Class, c.IDs, c.New, c.Strange = &parameter.Class{ID: id}, []parameter.ID{id}, &text, true
			return
		}
	}
}

// Lost tells whether a change takes away what another one, a misspelt key or flag, is meant for; or is of the key to
// which that of the other one has moved.
func (c Change) Lost(by Change) bool {
	if by.Moved != "" && c.Class == nil && c.Kind == by.Kind && c.In == by.In && c.Path == by.Moved {
		return true
	}
	if !by.Strange || c.Strange || c.Kind != by.Kind || c.In != by.In || c.Change.Old == nil || c.Change.New != nil {
		return false
	}
	if c.Kind == change.Flag {
		return near(c.Path, by.Path)
	}
	gone := c.Steps()
	return slices.ContainsFunc(by.Parts, func(p change.Change) bool {
		steps := p.Steps()
		for at := range min(len(steps), len(gone)) {
			if steps[at] != gone[at] {
				return near(gone[at], steps[at]) && slices.Equal(gone[at+1:], steps[at+1:])
			}
		}
		return false
	})
}

// near tells whether two names are so much alike that one is a typing error for the other.
func near(a, b string) bool {
	plain := strings.NewReplacer("-", "", "_", "", ".", "")
	a, b = plain.Replace(a), plain.Replace(b)
	const least, long, most = 4, 5, 2
	shorter := min(len(a), len(b))
	return strings.EqualFold(a, b) || shorter >= least && spelling.Within(a, b, 1) || shorter >= long && spelling.Within(a, b, most)
}
