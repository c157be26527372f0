package oracle

import (
	"cmp"
	"slices"
	"strings"
)

// Group is what has one cause, as far as that can be told: the most telling first.
type Group struct {
	Lead Deviation
	// Property is that of the resource that Lead is about: its own, or the operation's.
	Property string
	// Others come of it, or say the same in other words.
	Others []Deviation
}

// Root puts together what was seen behind one step of an operation on a property, by cause:
//   - behind a crash, all comes of it;
//   - where the operator overwrites the spec of the resource itself, all comes of it that differs from the twin;
//   - what oracles say of the same field, and the same field of other objects, is one;
//   - what does not run, and what a status says, comes of a field that is wrong, if one is; and what a status says of
//     what does not run;
//   - what a refused write has left undone comes of the field for which it was refused, and is nothing new if that is known;
//   - a sum of something, as an annotation that has pods start anew, comes of what it is of, if that is seen to be wrong.
//
// The groups are in the order of the oracles, and so is what is in each.
func Root(all []Deviation, property string) []Group {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Deviation) int { return order(a.Oracle) - order(b.Oracle) })
	var groups []Group
	if i := slices.IndexFunc(all, func(d Deviation) bool { return d.Oracle == "crash" }); i >= 0 {
		lead := all[i]
		return []Group{{Lead: lead, Property: cmp.Or(lead.Property, property), Others: slices.Delete(all, i, i+1)}}
	}
	if i := slices.IndexFunc(all, func(d Deviation) bool { return d.Place == overwrites }); i >= 0 {
		g := Group{Lead: all[i], Property: cmp.Or(all[i].Property, property)}
		all = slices.DeleteFunc(slices.Delete(all, i, i+1), func(d Deviation) bool {
			if d.Oracle == g.Lead.Oracle {
				g.Others = append(g.Others, d)
			}
			return d.Oracle == g.Lead.Oracle
		})
		groups = append(groups, g)
	}
	var effects, behind []Deviation
	for _, d := range all {
		if d.Behind {
			behind = append(behind, d)
			continue
		}
		if effect(d) {
			effects = append(effects, d)
			continue
		}
		at := slices.IndexFunc(groups, func(g Group) bool { return g.Lead.Place == d.Place && g.Lead.Property == d.Property })
		if at >= 0 {
			groups[at].Others = append(groups[at].Others, d)
			continue
		}
		groups = append(groups, Group{Lead: d, Property: cmp.Or(d.Property, property)})
	}
	for _, d := range behind {
		if at := slices.IndexFunc(groups, func(g Group) bool { return g.Lead.Oracle == d.Oracle }); at >= 0 {
			groups[at].Others = append(groups[at].Others, d)
		}
	}
	if len(effects) == 0 {
		return groups
	}
	if len(groups) == 0 {
		slices.SortStableFunc(effects, func(a, b Deviation) int { return words(a) - words(b) })
		return []Group{{Lead: effects[0], Property: cmp.Or(effects[0].Property, property), Others: effects[1:]}}
	}
	groups[0].Others = append(groups[0].Others, effects...)
	return groups
}

// effect tells whether a deviation is of what comes of others: pods, the state of workloads, words of a
// status, sums. What a status says that is not so comes of nothing else.
func effect(d Deviation) bool {
	switch d.Oracle {
	case "status":
		return false
	case "health":
		return true
	}
	return d.Oracle != "restart" && d.hashed() || strings.HasPrefix(d.Path, "status") || d.Object.Resource == pods
}

// words is 1 for what a status says, which stands behind all other effects.
func words(d Deviation) int {
	if strings.HasPrefix(d.Path, "status") && d.Object.Resource != pods {
		return 1
	}
	return 0
}

// order is where an oracle stands.
func order(name string) int {
	return slices.IndexFunc(oracles, func(o Oracle) bool { return o.Name == name })
}
