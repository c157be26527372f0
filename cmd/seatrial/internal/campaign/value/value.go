// Package value says what is worth trying of a property of a custom resource: a file
// for each type of schema, which registers itself, and tables for the types of
// Kubernetes (table/*.yaml), to which users add their own.
//
// All is pure: the same property, place and draw give the same cases.
package value

import (
	"cmp"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/history"
)

// Class is what is expected of a case.
type Class int

// The classes.
const (
	// Change: another value that should work.
	Change Class = iota
	// Removal: what is there goes, or some of it.
	Removal
	// Misoperation: the API server or the operator should refuse it, or it cannot
	// work.
	Misoperation
)

// Case is one thing to try of a property: a value to set, or something to remove.
type Case struct {
	// Name is what is tried, in a few words: maximum, item added, image that does not
	// exist. Names of one property's cases differ.
	Name  string
	Class Class
	// Path is where, below the property's own place; empty for the property itself. Its
	// elements are those of operation.Change.
	Path []any
	// Value is what is set; not used if Remove is set.
	Value  any
	Remove bool
	// Objects have to be there for the value to mean something.
	Objects []history.Object
	// Sentinels are the parts of Value that were drawn, as text.
	Sentinels []string
	// Instead is the name of the case that it stands for where the API server does not take that one; empty for none.
	Instead string
	// own tells that it comes from what the schema itself says of this very property: a
	// bound, an enumeration. It is tried of types of Kubernetes, too.
	own bool
}

// Place is a property in a resource.
type Place struct {
	Property *schema.Property
	// Value is what is there, as the API server stores it; Present tells that
	// something is, if only null.
	Value   any
	Present bool
	// Given are values that somebody gave for the property: in examples, or as values
	// to try.
	Given []any
	// Namespace is where objects that are referred to belong; empty if that is not
	// known.
	Namespace string
	Draw      Draw
	// Tables are those of the types of Kubernetes.
	Tables *Tables
}

// kind is one type of schema. The first that a property is of, in the order of Order,
// makes its cases.
type kind struct {
	name  string
	order int
	is    func(p *schema.Property) bool
	// cases are what is to be tried; nil if there is nothing.
	cases func(at *Place) []Case
	// sample is the number-th value that should be valid, of as many as there are; they begin again
	// then. It is of the least size that is valid.
	sample func(s *sampler, p *schema.Property, number int) any
}

var kinds []kind

func register(k kind) bool {
	kinds = append(kinds, k)
	slices.SortFunc(kinds, func(a, b kind) int { return cmp.Compare(a.order, b.order) })
	return true
}

func kindOf(p *schema.Property) *kind {
	for i := range kinds {
		if kinds[i].is(p) {
			return &kinds[i]
		}
	}
	return nil
}

// Type is the name of the property's type of schema: boolean, enum, map; empty if the
// schema says nothing of what is in it.
func Type(p *schema.Property) string {
	if k := kindOf(p); k != nil {
		return k.name
	}
	return ""
}

// Cases lists what to try of a property where it stands, the plainest first. What
// would be valid by its type can be refused for a rule that goes over several properties; what
// changes nothing may be among them.
func Cases(at *Place) []Case {
	var all []Case
	for i, given := range at.Given {
		all = append(all, Case{Name: numbered("given", i+1), Value: Clone(given)})
	}
	entry := at.Tables.entry(at.Property.Kind)
	generic := entry == nil || entry.Generic
	if entry != nil {
		made := entry.made(at)
		all, generic = append(all, made...), generic || !fits(at.Property, made)
	}
	if k := kindOf(at.Property); k != nil {
		for _, c := range k.cases(at) {
			if generic || c.own {
				all = append(all, c)
			}
		}
	}
	all = append(all, branches(at)...)
	all = append(all, removal(at)...)
	draw := at.Draw
	if at.Property.Schema.Type == "integer" {
		l := limitOf(at.Property.Schema)
		draw.Number = cmp.Or(l.own(draw.Number), draw.Number)
	}
	for i := range all {
		all[i].Objects = append(all[i].Objects, at.named(&all[i])...)
		all[i].Sentinels = draw.in(all[i].Value, all[i].Path)
	}
	return distinct(hollowLast(all))
}

// fits tells whether a property takes any of the values that should be valid for its type of Kubernetes: its pattern
// may want them in another form.
func fits(p *schema.Property, made []Case) bool {
	l := limitOf(p.Schema)
	return slices.ContainsFunc(made, func(c Case) bool {
		text, is := c.Value.(string)
		return c.Class == Change && (!is || len(c.Path) > 0 || l.matches(text))
	})
}

// hollowLast puts what only empties behind what removes, which tells more.
func hollowLast(all []Case) []Case {
	slices.SortStableFunc(all, func(a, b Case) int { return cmp.Compare(a.hollow(), b.hollow()) })
	return all
}

func (c *Case) hollow() int {
	if c.Class == Removal && !c.Remove {
		return 1
	}
	return 0
}

// removal is the case that everything has.
func removal(at *Place) []Case {
	p := at.Property
	if !at.Present || p.Required && p.Schema.Default.Object == nil || p.Name == "[]" || p.Name == "{}" {
		return nil
	}
	all := []Case{{Name: "removed", Class: Removal, Remove: true}}
	if p.Schema.Nullable && at.Value != nil {
		all = append(all, Case{Name: "null", Class: Removal})
	}
	return all
}

// distinct leaves out cases with a name or a value that another had before.
func distinct(all []Case) []Case {
	names, values := map[string]bool{}, map[string]bool{}
	return slices.DeleteFunc(all, func(c Case) bool {
		value := encode([]any{c.Path, c.Value, c.Remove})
		seen := names[c.Name] || values[value]
		names[c.Name], values[value] = true, true
		return seen
	})
}
