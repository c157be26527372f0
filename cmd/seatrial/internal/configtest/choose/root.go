package choose

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// root is the type of which a file is a document: that which has most of its keys, if it has any.
func (l *linker) root(in string) parameter.ID {
	if all := l.documents(in); len(all) > 0 {
		return all[0]
	}
	return ""
}

// few keys may be all that a small type, or a small file, has in common with a larger one.
const few = 4

// documents are the types of which a file is a document: that which has most of its keys, and those that other loaders
// decode it into. Each of these takes its part: most of what such a type has is in the file, and a test that opens a
// file of that name has to do with it.
func (l *linker) documents(in string) []parameter.ID {
	if known, is := l.roots[in]; is {
		return known
	}
	counts, all, said := l.fits(in)
	var out []parameter.ID
	for root := range counts {
		// One key of many that is called alike, as name and port are, is no sign.
		alike := counts[root] == 1 && min(said, all[root]) > few
		another := 2*counts[root] <= said && l.anothers(root, in, counts[root])
		if !alike && !another || l.opens(root, l.file(in)) {
			out = append(out, root)
		}
	}
	slices.SortFunc(out, func(a, b parameter.ID) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	if len(out) > 1 {
		out = append(out[:1], slices.DeleteFunc(out[1:], func(root parameter.ID) bool { return 2*counts[root] <= all[root] || !l.opens(root, l.file(in)) })...)
	}
	l.roots[in] = out
	return out
}

// file is what a file is called, by its old version; an object that holds one says that.
func (l *linker) file(in string) string {
	if fields := strings.Fields(in); len(fields) > 2 {
		return fields[2]
	}
	for _, s := range slices.Concat(l.before, l.after) {
		if s.Kind == change.Key && s.In == in {
			return path.Base(change.Original(s.Location.File))
		}
	}
	return ""
}

// fits counts the parameters of types that a file has, all that these have, and the keys of the file, of which a list
// is one.
func (l *linker) fits(in string) (counts, all map[parameter.ID]int, said int) {
	keys, folded, leaves := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, s := range slices.Concat(l.before, l.after) {
		if s.Kind != change.Key || s.In != in {
			continue
		}
		steps := s.Steps()
		for end := range steps {
			keys[strings.Join(steps[:end+1], ".")] = true
			folded[strings.ToLower(strings.Join(steps[:end+1], "."))] = true
		}
		leaves[strings.Join(slices.DeleteFunc(slices.Clone(steps), func(step string) bool { return strings.HasPrefix(step, "[") }), ".")] = true
	}
	counts, all = map[parameter.ID]int{}, map[parameter.ID]int{}
	for _, class := range l.m.Parameters {
		for _, id := range class.Identities() {
			if id.Kind() != parameter.Field {
				continue
			}
			root, path := l.m.Type(id)
			if all[root]++; root != "" && (keys[path] || unnamed(path) && folded[strings.ToLower(path)]) {
				counts[root]++
			}
		}
	}
	return counts, all, len(leaves)
}

// anothers tells whether another file of the same object has more of a type than so much: that is what is decoded into
// it.
func (l *linker) anothers(root parameter.ID, in string, count int) bool {
	fields := strings.Fields(in)
	if len(fields) < 3 {
		return false
	}
	object := strings.Join(fields[:2], " ") + " "
	seen := map[string]bool{in: true}
	for _, s := range slices.Concat(l.before, l.after) {
		if seen[s.In] || s.Kind != change.Key || !strings.HasPrefix(s.In, object) {
			continue
		}
		seen[s.In] = true
		if counts, _, _ := l.fits(s.In); counts[root] > count {
			return true
		}
	}
	return false
}

// opens tells whether a test that opens a file of some name reads or sets a field of a type.
func (l *linker) opens(root parameter.ID, file string) bool {
	of := func(id parameter.ID) bool {
		c, _ := l.m.Class(id)
		return slices.ContainsFunc(c.Identities(), func(id parameter.ID) bool { return strings.HasPrefix(string(id), string(root)+".") })
	}
	return slices.ContainsFunc(l.m.Packages, func(p parameter.Package) bool {
		return slices.ContainsFunc(p.Tests, func(t parameter.Test) bool {
			is := func(id parameter.ID) bool { return id.Kind() == parameter.File && path.Base(id.Name()) == file }
			return slices.ContainsFunc(t.Reads, is) && (slices.ContainsFunc(t.Reads, of) || slices.ContainsFunc(t.Sets, of))
		})
	})
}

// ofObject tells whether a key is one that a ConfigMap or a Secret has itself, and not one of a file in it.
func ofObject(c change.Change) bool {
	kind, name, is := strings.Cut(c.In, " ")
	return is && (kind == "ConfigMap" || kind == "Secret") && !strings.Contains(name, " ") && len(c.Steps()) == 1
}
