package rule

import (
	"cmp"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

// Names are what a property can be called by: the id and the name of every
// rule, and the names of a scenario's own properties.
func Names(s *scenario.Spec) []string {
	var out []string
	for _, r := range All() {
		out = append(out, r.ID, r.Name)
	}
	for i := range s.Properties {
		if name := s.Properties[i].Name; name != "" {
			out = append(out, name)
		}
	}
	return out
}

// Title is how a list of properties calls the one with that name: a rule by id
// and name, any other by its name.
func Title(name string) string {
	if r := find(name); r != nil {
		return r.ID + " " + r.Name
	}
	return name
}

// Narrow returns the properties of a scenario of which only those with the
// names (ids, names of rules, names of its own) are to be checked, each name
// being one of Names. A rule that the scenario lists is asked for as it says
// there, any other without parameters. Every property keeps its place in the
// list; what is not wanted leaves an empty one there.
func Narrow(s *scenario.Spec, names []string) []scenario.Property {
	var wanted []*Rule
	for _, name := range names {
		if r := find(name); r != nil && !slices.Contains(wanted, r) {
			wanted = append(wanted, r)
		}
	}
	out := make([]scenario.Property, len(s.Properties))
	var listed []*Rule
	for i := range s.Properties {
		p := &s.Properties[i]
		r := find(p.Rule)
		if r != nil && slices.Contains(wanted, r) || p.Name != "" && slices.Contains(names, p.Name) {
			out[i] = *p
			listed = append(listed, r)
		}
	}
	slices.SortFunc(wanted, func(a, b *Rule) int { return cmp.Compare(a.ID, b.ID) })
	for _, r := range wanted {
		if !slices.Contains(listed, r) {
			out = append(out, scenario.Property{Rule: r.ID})
		}
	}
	return out
}
