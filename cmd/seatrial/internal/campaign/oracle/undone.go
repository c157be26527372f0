package oracle

import (
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// refusedWrite is what the API server would not change of an object, as it has said.
type refusedWrite struct {
	kind, name string
	// path is the field, of which it takes those in but.
	path string
	but  []string
}

var (
	// refusedWrites are the words for that, as they stand in a status, an event or a line of a log; of several fields
	// the first.
	refusedWrites = regexp.MustCompile(`\b([A-Z]\w*)(?:\.[\w.-]+)? \\*"([^"\\]+)\\*" is invalid: \[?([\w.\[\]-]+): (?:Forbidden|Invalid value)([^\n]*)`)
	// fieldsBut is how a refusal names the fields that could be changed.
	fieldsBut = regexp.MustCompile(`for fields other than ((?:'\w+'(?:, | and )?)+)`)
)

// refused are the writes of the operator that the API server has refused in a step, as far as the operator says so.
func (s *Step) refused(key history.Key) (all []refusedWrite) {
	for _, said := range append(remarks(s.End, key), s.Output) {
		for _, m := range refusedWrites.FindAllStringSubmatch(said, -1) {
			w := refusedWrite{kind: m[1], name: m[2], path: m[3]}
			if other := fieldsBut.FindStringSubmatch(m[4]); other != nil {
				w.but = strings.FieldsFunc(other[1], func(r rune) bool { return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') })
			}
			all = append(all, w)
		}
	}
	return all
}

// is tells whether a deviation is of what was to be written.
func (w refusedWrite) is(d Deviation, s history.State) bool {
	rest, in := strings.CutPrefix(d.Path, w.path)
	if !in || d.Object.Name != w.name || s[d.Object].Text("kind") != w.kind || rest != "" && rest[0] != '.' && rest[0] != '[' {
		return false
	}
	field, _, _ := strings.Cut(strings.TrimLeft(rest, "."), ".")
	field, _, _ = strings.Cut(field, "[")
	return !slices.Contains(w.but, field)
}

// behindRefused has what else differs of an object follow from a field of it that the API server refused to change:
// nothing of that write was done. Where reconciles go on failing for that, whatever else differs may be what they did
// not come to.
func (c *Case) behindRefused(all []Deviation) []Deviation {
	if len(all) < 2 || c.Twin == nil {
		return all
	}
	writes := c.Last().refused(c.Key)
	lead := slices.IndexFunc(all, func(d Deviation) bool {
		return slices.ContainsFunc(writes, func(w refusedWrite) bool { return w.is(d, c.Last().End) })
	})
	if lead < 0 {
		return all
	}
	first, stops := all[lead], len(c.Last().Rest.Failing) > 0
	for i, d := range all {
		own := slices.ContainsFunc(writes, func(w refusedWrite) bool { return w.is(d, c.Last().End) })
		all[i].Behind = !own && (stops || d.Object == first.Object)
	}
	return all
}
