// Package choose says which parameters of a program a change of its configuration is about, and which
// tests read them.
package choose

import (
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
)

// Change is a change with the parameter that it is about.
type Change struct {
	change.Change
	// Class is the parameter; nil if no code is known that reads what is changed.
	Class *parameter.Class
	// IDs are the names of it that the change speaks of: what is injected.
	IDs []parameter.ID
	// Type and Place are of a field: of which type it is, and where.
	Type  parameter.ID
	Place string
	// Also are names of it in other types than Type that the file is decoded into as well.
	Also map[parameter.ID]parameter.ID
	// Stored: it is a key of a store that the program asks for by itself, be it to put it into a field of its own.
	Stored bool
	// Old and New are the values as the protocol has them; nil where there is none.
	Old, New *string
	// Means is what the program makes of the new value, as a test has read it, where it is a number of another form
	// than before: 33m20s of 2000 that was 2s; else nil.
	Means *string
	// Unit is how much a test has read for each one of its number, where the program counts in another unit, as
	// nanoseconds of seconds; else 0.
	Unit float64
	// Crosses are what the new value passes of what does not change beside it.
	Crosses []Bound
	// Unknown says why values are not known, of changes that have none to try.
	Unknown string
	// Unchanged: it is none. Both versions say the same, and programs have the value beside the changes.
	Unchanged bool
	// Absent: it is a path, and nothing is there on this machine.
	Absent bool
	// Parts are the changes of which it is made, as of items of a list.
	Parts []change.Change
	// Within leads to it in the collection that the parameter is, of which Base is the old value: the changes of one
	// collection come to a program together. Leaves are the fields of items that it has, by which reads are told; none
	// of a parameter that is read as a whole.
	Within []string
	Base   *string
	Leaves []Leaf
	// Feeds are fields and arguments of the program's own into which it puts what it makes of the value.
	Feeds []parameter.Feed
	// Through are those of them into which it is put by way of a field of the configuration, so that they are in the
	// unit of that.
	Through []parameter.Feed
	// GoType is what type of Go the parameter has, with its package; empty if that is not known.
	GoType string
	// Moved is the key that has its value now, if it is taken away, and no code is known to read that.
	Moved string
	// Strange: no code reads it, and what loads the document refuses keys that nobody knows.
	Strange bool
	// Misspelt is what it is likely meant for, if no code is known that reads it; else nil.
	Misspelt *Misspelling
}

// JSON tells whether its values are written as JSON: those of keys and fields are. A key of a ConfigMap that comes to
// the program as a variable or as a file is a text.
func (c Change) JSON() bool {
	return c.Base != nil || len(c.IDs) > 0 && slices.Contains([]parameter.Kind{parameter.Viper, parameter.Koanf, parameter.Ini, parameter.Properties, parameter.Field}, c.IDs[0].Kind())
}

// Test is a test that is to be run.
type Test struct {
	Package string
	Name    string
	// Reads are the indexes of the changes that it reads, Sets of those that it sets itself.
	Reads, Sets []int
	// Took is about how long it takes; 0 if that is not known.
	Took time.Duration
	// Limit is how long it may take, where that is less than any test may; else 0.
	Limit time.Duration
	// Starts: it starts programs.
	Starts bool
	// Alone: it is to run beside no other test of its package that may not.
	Alone bool
	// Loads are changes that nobody reads, and that it loads with what it reads.
	Loads []int
	// File is one of the module that it opens, and that is what changes: it is to find the other version there. Then it
	// reads all of the changes, or none.
	File string
	// Same: where it has written by hand just what is deployed, it is to have what is given.
	Same bool
	// Other: it may have any number written by hand where Reads are, and has what is given in its place.
	Other bool
	// Crosses are the bounds of some changes that it has to do with.
	Crosses map[int][]Bound
	// Whole: it is to find all as it is deployed, what it sets itself, too.
	Whole bool
}

// Runs tells whether it is to be run: a test that only sets something has nothing to say.
func (t Test) Runs() bool { return len(t.Reads)+len(t.Loads) > 0 }

// Link finds the parameters of changes. before and after are all that the two versions say. Several changes of one
// parameter, such as of items of a list, are one: the first stands for all.
func Link(m *parameter.Map, changes []change.Change, before, after []change.Setting) []Change {
	l := linker{m, before, after, map[string][]parameter.ID{}}
	var out []Change
	for _, c := range changes {
		if gates := l.gates(c); len(gates) > 0 {
			for i := range gates {
				gates[i].Parts = []change.Change{c}
			}
			out = append(out, gates...)
			continue
		}
		to := l.link(c)
		again := slices.IndexFunc(out, func(o Change) bool {
			return to.Class != nil && o.Class != nil && o.In == to.In && slices.Equal(o.IDs, to.IDs)
		})
		if again < 0 {
			again, out = len(out), append(out, to)
		}
		out[again].Parts = append(out[again].Parts, c)
	}
	move(out)
	return slices.DeleteFunc(out, func(c Change) bool {
		return slices.ContainsFunc(out, func(o Change) bool { return c.anchorOf(o) || c.handedTo(o) })
	})
}

// anchorOf tells whether a change that no code is known to read is of an anchor, and the other one of an alias for
// that: what programs read is the alias.
func (c Change) anchorOf(o Change) bool {
	return c.Class == nil && o.Class != nil && c.Change.New != nil && c.Change.New.Anchored && c.Location == o.Location &&
		change.Equal(c.Change.Old, o.Change.Old) && change.Equal(c.Change.New, o.Change.New)
}

// handedTo tells whether a change that no code is known to read is of a variable whose value is put into something else
// that changes, as an argument: that is what programs read.
func (c Change) handedTo(o Change) bool {
	handed := func(v *change.Value) bool { return v == nil || v.Handed }
	return c.Class == nil && c.Kind == change.Env && o.In == c.In && o.Identity != c.Identity && handed(c.Change.Old) && handed(c.Change.New)
}

// Around are the parameters that both versions give the same value, in the order of the new one. changes are those that
// differ.
func Around(m *parameter.Map, changes []Change, before, after []change.Setting) []Change {
	var same []change.Change
	differs := map[change.Identity]bool{}
	for _, c := range change.Between(before, after) {
		differs[c.Identity] = true
	}
	for _, s := range after {
		if !differs[s.Identity] {
			same = append(same, change.Change{Identity: s.Identity, Old: &s.Value, New: &s.Value, Location: s.Location})
		}
	}
	var out []Change
	for _, c := range Link(m, same, before, after) {
		changed := func(o Change) bool { return o.Class != nil && o.Class.ID == c.Class.ID }
		if c.Class == nil || c.Unknown != "" || slices.ContainsFunc(changes, changed) || slices.ContainsFunc(out, changed) {
			continue
		}
		c.Unchanged = true
		out = append(out, c)
	}
	return out
}

type linker struct {
	m             *parameter.Map
	before, after []change.Setting
	roots         map[string][]parameter.ID // of files, the types that they are decoded into
}

func (l *linker) link(c change.Change) Change {
	out := Change{Change: c}
	switch c.Kind {
	case change.Flag:
		if strings.HasPrefix(c.Path, "--") {
			l.named(&out, parameter.New(parameter.Flag, c.Path))
		}
		if out.Class == nil {
			l.strangeFlag(&out)
		}
	case change.Env:
		l.named(&out, parameter.New(parameter.Env, c.Path))
	case change.From:
		out.Unknown = "its variables are those of another object"
	case change.Key:
		if len(c.Steps()) == 1 && !path.IsAbs(c.Path) {
			l.mounted(&out) // a file of that name is what says most
		}
		if out.Class == nil && ofObject(c) {
			l.named(&out, parameter.New(parameter.Env, c.Path)) // no decoder ever sees it, whatever fields are called
		}
		if out.Class == nil {
			l.key(&out)
		}
		if out.Class == nil && len(c.Steps()) == 1 {
			l.named(&out, parameter.New(parameter.Env, c.Path)) // a ConfigMap of which a container has the variables
		}
		if out.Class == nil {
			l.mounted(&out)
		}
		if out.Class == nil && l.ofFlags(c.In) {
			l.flagged(&out)
		}
		if out.Class == nil {
			l.strange(&out)
		}
	}
	if out.Class == nil { // for tests that read the whole file
		out.Old, out.New = revealed(c.Old), revealed(c.New)
	}
	return out
}

func revealed(v *change.Value) *string {
	if v == nil {
		return nil
	}
	text := v.Reveal()
	return &text
}

// named links a change to a parameter that has a value as text.
func (l *linker) named(c *Change, id parameter.ID) {
	class, is := l.m.Class(id)
	if !is {
		return
	}
	c.Class, c.IDs = &class, []parameter.ID{long(class, id)}
	for _, v := range []struct {
		from *change.Value
		to   **string
	}{{c.Change.Old, &c.Old}, {c.Change.New, &c.New}} {
		switch {
		case v.from == nil:
		case v.from.Type == change.Reference:
			c.Unknown = "its value is in another object"
		default:
			text := v.from.Reveal()
			if id.Kind() == parameter.Flag {
				text = strings.Join(v.from.All(), record.Again)
			}
			*v.to = &text
		}
	}
}

// long is the name of a flag that is known by a letter, by which libraries know it; the letter if there is none.
func long(class parameter.Class, id parameter.ID) parameter.ID {
	for _, other := range class.Identities() {
		if id.Letter() && other.Kind() == parameter.Flag && !other.Letter() {
			return other
		}
	}
	return id
}

// mounted links a key that is a file where an object is mounted to who reads that: by its path where that is known, or
// by its name.
func (l *linker) mounted(c *Change) {
	name := c.Path
	if steps := c.Steps(); len(steps) == 1 {
		name = steps[0]
	}
	object := strings.HasPrefix(c.In, "ConfigMap ") || strings.HasPrefix(c.In, "Secret ")
	if !object && !path.IsAbs(name) {
		return
	}
	var found []parameter.ID
	for _, class := range l.m.Parameters {
		at := class.ID.Name()
		switch {
		case class.ID.Kind() != parameter.File || !path.IsAbs(at) && path.Ext(at) != "": // that is one with keys of its own
		case at == name:
			l.named(c, class.ID)
			return
		case path.Base(at) == path.Base(name):
			found = append(found, class.ID)
		}
	}
	if len(found) != 1 {
		return
	}
	if l.named(c, found[0]); path.IsAbs(name) { // a variable may say where they are, and is set beside them
		c.IDs = append(c.IDs, parameter.New(parameter.File, name))
	}
}

// key links a change of a key to those who read keys: the longest that is one, or the collection that it is in, if a
// library has the key and nobody reads that.
func (l *linker) key(c *Change) {
	steps := c.Steps()
	for end := len(steps); end > 0; end-- {
		to := Change{Change: c.Change}
		switch l.place(&to, steps[:end]); {
		case to.Class == nil:
		case c.Class != nil && isField(*to.Class) && l.exercised(*to.Class):
			*c = to
			return
		case c.Class == nil:
			if *c = to; isField(*to.Class) || l.exercised(*to.Class) {
				return
			}
		}
	}
}

// exercised tells whether a test reads a parameter, or sets it.
func (l *linker) exercised(class parameter.Class) bool {
	return slices.ContainsFunc(l.m.Packages, func(p parameter.Package) bool {
		return slices.ContainsFunc(p.Tests, func(t parameter.Test) bool {
			return class.Among(t.Reads) || class.Among(t.Sets) || t.About(class.ID)
		})
	})
}

func isField(class parameter.Class) bool {
	return slices.ContainsFunc(class.Identities(), func(id parameter.ID) bool { return id.Kind() == parameter.Field })
}

// place links a change to the parameter that is at some steps, if one is; where several loaders read the file, to those
// of all.
func (l *linker) place(c *Change, at []string) {
	if strings.HasPrefix(at[len(at)-1], "[") {
		return
	}
	for _, class := range l.m.Parameters {
		ids, also := []parameter.ID{}, map[parameter.ID]parameter.ID{}
		for _, id := range class.Identities() {
			switch of := l.is(id, at, c.In); {
			case of == "":
				continue
			case id.Kind() == parameter.Field && of != l.root(c.In):
				also[id] = of
			case id.Kind() == parameter.Field:
				c.Type, c.Place = l.m.Type(id)
			}
			ids = append(ids, id)
		}
		ids = append(ids, l.stored(class, ids, also)...)
		switch {
		case len(ids) == 0:
			continue
		case c.Class == nil:
			c.Class, c.Also = &class, also
		case len(also) < len(ids):
			continue
		default:
			joined := *c.Class
			joined.Aliases = slices.Concat(joined.Aliases, class.Identities())
			c.Class = &joined
			maps.Copy(c.Also, also)
		}
		c.IDs = append(c.IDs, ids...)
	}
	if c.Stored = slices.ContainsFunc(c.IDs, ofStore); c.Class != nil {
		c.Old, c.New = composed(l.before, c.In, at), composed(l.after, c.In, at)
	}
}

// stored are the fields into which the program itself puts what it asks a store for by a key, which have other names.
func (l *linker) stored(class parameter.Class, keys []parameter.ID, also map[parameter.ID]parameter.ID) (fields []parameter.ID) {
	if !slices.ContainsFunc(keys, ofStore) {
		return nil
	}
	for _, id := range class.Identities() {
		if root, _ := l.m.Type(id); id.Kind() == parameter.Field && root != "" && !slices.Contains(keys, id) {
			also[id] = root
			fields = append(fields, id)
		}
	}
	return fields
}

// ofStore tells whether a parameter is a key that a program asks for by itself, and puts into fields of its own.
func ofStore(id parameter.ID) bool { return id.Kind() == parameter.Properties }

func composed(settings []change.Setting, in string, at []string) *string {
	if raw := change.Compose(settings, in, at); raw != nil {
		text := string(raw)
		return &text
	}
	return nil
}

// is says whether an identity is that of a place in a file: what it is a part of, as the type that the file is decoded
// into; empty if it is not.
func (l *linker) is(id parameter.ID, at []string, in string) parameter.ID {
	library, path := parameter.ID(id.Kind()), strings.Join(at, ".")
	switch id.Kind() {
	case parameter.Properties:
		if id.Name() == path {
			return library
		}
	case parameter.Viper, parameter.Ini:
		if !(id.Kind() == parameter.Viper && dotted(at)) && strings.EqualFold(id.Name(), path) {
			return library
		}
	case parameter.Koanf:
		if !dotted(at) && (id.Name() == path || id.Name() == strings.Join(at, "/") || id.Name() == strings.Join(at, "_")) {
			return library
		}
	case parameter.Field:
		for _, root := range l.documents(in) {
			if field, below := strings.CutPrefix(string(id), string(root)+"."); below && says(field, path) {
				return root
			}
		}
	}
	return ""
}

// dotted tells whether a name below another one has a dot in it: to a library of keys that is one more step, and what
// it gives is the map with such names.
func dotted(at []string) bool {
	return len(at) > 1 && slices.ContainsFunc(at, func(step string) bool { return strings.Contains(step, ".") })
}

// says tells whether a field is that of a key. Decoders that give fields without a tag the names that they have in Go
// do not mind how it is written.
func says(field, key string) bool {
	return field == key || unnamed(field) && strings.EqualFold(field, key)
}

// unnamed tells whether a part of the way to a field has the name that it has in Go.
func unnamed(path string) bool {
	return slices.ContainsFunc(strings.Split(path, "."), func(name string) bool { return name != "" && 'A' <= name[0] && name[0] <= 'Z' })
}

// Tests are those that read or set something that is changed, or say that they are about it, in order. files are paths
// from the root of the module at which what changes is.
func Tests(m *parameter.Map, changes []Change, files ...string) []Test {
	var out []Test
	for _, p := range m.Packages {
		for _, t := range p.Tests {
			chosen := Test{Package: p.Path, Name: t.Name, File: opened(t, files), Took: t.Took, Starts: t.Starts}
			for i, c := range changes {
				switch {
				case chosen.File != "":
					chosen.Reads = append(chosen.Reads, i)
				case c.Class == nil:
				case c.Class.Among(t.Sets):
					if chosen.Sets = append(chosen.Sets, i); c.Class.Among(t.Besides) {
						chosen.Reads = append(chosen.Reads, i)
					}
				case c.Class.Among(t.Reads), t.About(c.Class.ID):
					chosen.Reads = append(chosen.Reads, i)
				}
			}
			if len(chosen.Reads)+len(chosen.Sets) > 0 {
				out = append(out, chosen)
			}
		}
	}
	return out
}

// opened is which of some files a test opens; empty for none.
func opened(t parameter.Test, files []string) string {
	for _, file := range files {
		if slices.Contains(t.Reads, parameter.New(parameter.File, file)) {
			return file
		}
	}
	return ""
}
