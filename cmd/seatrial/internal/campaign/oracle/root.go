package oracle

import (
	"slices"
	"strings"
)

// Group is what has one cause, as far as that can be told: the most telling first.
type Group struct {
	// Class is equal for groups of the same cause, in other steps and sequences too.
	Class string
	Lead  Deviation
	// Others come of it, or say the same in other words.
	Others []Deviation
}

// Root puts together what was seen behind one step of an operation on a property, by cause:
//   - behind a crash, all comes of it;
//   - where the operator overwrites the spec of the resource itself, all comes of it that differs from the twin;
//   - what oracles say of the same field, and the same field of other objects, is one;
//   - what does not run, and what a status says, comes of a field that is wrong, if one is; and what a status says of
//     what does not run.
//
// The groups are in the order of the oracles, and so is what is in each.
func Root(all []Deviation, property string) []Group {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Deviation) int { return order(a.Oracle) - order(b.Oracle) })
	var groups []Group
	if i := slices.IndexFunc(all, func(d Deviation) bool { return d.Oracle == "crash" }); i >= 0 {
		lead := all[i]
		return []Group{{Class: class(lead, property), Lead: lead, Others: slices.Delete(all, i, i+1)}}
	}
	if i := slices.IndexFunc(all, func(d Deviation) bool { return strings.Contains(d.Class, " "+overwrites) }); i >= 0 {
		g := Group{Class: class(all[i], property), Lead: all[i]}
		all = slices.DeleteFunc(slices.Delete(all, i, i+1), func(d Deviation) bool {
			if d.Oracle == g.Lead.Oracle {
				g.Others = append(g.Others, d)
			}
			return d.Oracle == g.Lead.Oracle
		})
		groups = append(groups, g)
	}
	var effects []Deviation
	for _, d := range all {
		if effect(d) {
			effects = append(effects, d)
			continue
		}
		at := slices.IndexFunc(groups, func(g Group) bool { return cause(g.Lead) == cause(d) && g.Lead.Property == d.Property })
		if at >= 0 {
			groups[at].Others = append(groups[at].Others, d)
			continue
		}
		groups = append(groups, Group{Class: class(d, property), Lead: d})
	}
	if len(effects) == 0 {
		return groups
	}
	if len(groups) == 0 {
		slices.SortStableFunc(effects, func(a, b Deviation) int { return words(a) - words(b) })
		return []Group{{Class: class(effects[0], property), Lead: effects[0], Others: effects[1:]}}
	}
	groups[0].Others = append(groups[0].Others, effects...)
	return groups
}

// effect tells whether a deviation is of what comes of others: pods, the state of workloads, words of a
// status.
func effect(d Deviation) bool {
	return strings.HasPrefix(d.Path, "status") || d.Object.Resource == pods || d.Oracle == "health"
}

// words is 1 for what a status says, which stands behind all other effects.
func words(d Deviation) int {
	if strings.HasPrefix(d.Path, "status") && d.Object.Resource != pods {
		return 1
	}
	return 0
}

// cause is equal for deviations of one cause: the class, without who says it and of which kind of object.
func cause(d Deviation) string {
	return strings.TrimPrefix(strings.TrimPrefix(d.Class, d.Oracle+" "), d.Object.Resource+" ")
}

// class is that of a deviation, with the property if that is not in it.
func class(d Deviation, property string) string {
	if d.Property == "" && property != "" && !strings.HasSuffix(d.Class, " "+property) {
		return d.Class + " " + property
	}
	return d.Class
}

// order is where an oracle stands.
func order(name string) int {
	return slices.IndexFunc(oracles, func(o Oracle) bool { return o.Name == name })
}
