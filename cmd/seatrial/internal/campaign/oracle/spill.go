package oracle

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// Components that are alike have settings of their own above what all have in common. Where those of one are merged
// into that very map, they come to the others, too: in each reconcile, so that no twin shows it. What a user calls
// something in the settings of one component has no place among those of another.

// spillPlace is what the place begins with of an entry of one component's map that is where those of another one's are.
const spillPlace = "spilt "

// spilt says that entries of a map of one component are in an object of another one, where that has its own entries of
// the same map, while those are not in the objects of the first; mu is held.
func (t *Tracer) spilt(property string) (Traced, bool) {
	p := t.properties[property]
	if p == nil || !mapped(p) {
		return Traced{}, false
	}
	mine := t.leavesOf(property)
	if len(mine) == 0 {
		return Traced{}, false
	}
	for component := p; component != nil && component.Parent != nil; component = component.Parent {
		for _, other := range component.Parent.Children {
			below := strings.TrimPrefix(property, component.Path)
			namesake := other.Path + below
			if other == component || t.properties[namesake] == nil || !mapped(t.properties[namesake]) {
				continue
			}
			theirs := t.leavesOf(namesake)
			for _, leaf := range sortedLeaves(theirs) {
				if !mine[leaf] || !speaksOf(leaf.Name, other.Name) || speaksOf(leaf.Name, component.Name) {
					continue
				}
				own := slices.IndexFunc(sortedLeaves(mine), func(l Leaf) bool {
					return speaksOf(l.Name, component.Name) && !theirs[l] && l.Path == leaf.Path && alike(l, leaf)
				})
				if own < 0 {
					continue
				}
				return Traced{Deviation: Deviation{
					Oracle: consistencyName, Path: leaf.Path, Property: property, Place: spillPlace + component.Parent.Path + ".*" + below,
					Text: fmt.Sprintf("what %s has comes to %s, and also where what %s has comes: %s", property, sortedLeaves(mine)[own], namesake, leaf),
				}, Operations: append(t.leading(property, leaf), t.leading(namesake, leaf)...), Seen: 2}, true
			}
		}
	}
	return Traced{}, false
}

// mapped tells whether a property is a map whose keys users choose, or the values of one.
func mapped(p *schema.Property) bool {
	return p.Name == "{}" || len(p.Children) == 1 && p.Children[0].Name == "{}"
}

// leavesOf are the fields to which values of a property went.
func (t *Tracer) leavesOf(property string) map[Leaf]bool {
	all := map[Leaf]bool{}
	for _, p := range t.probes[property] {
		for leaf := range p.leaves {
			all[leaf] = true
		}
	}
	return all
}

// leading is an operation on a property whose value goes to a leaf, with what has to be done before.
func (t *Tracer) leading(property string, leaf Leaf) []*operation.Operation {
	for _, id := range sortedKeys(t.probes[property]) {
		if p := t.probes[property][id]; p.leaves[leaf] {
			return append(slices.Clone(p.way), p.operation)
		}
	}
	return nil
}

// speaksOf tells whether a name has another one in it as a word.
func speaksOf(name, word string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), func(part string) bool {
		return strings.EqualFold(part, word)
	})
}
