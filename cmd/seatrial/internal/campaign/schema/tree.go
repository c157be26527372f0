package schema

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// grow makes the tree of properties.
func (d *Definition) grow() {
	d.Root = &Property{Schema: d.structurals[d.Kind.Version]}
	d.Root.grow()
	d.byPath = map[string]*Property{}
	d.Root.Walk(func(p *Property) bool {
		d.properties = append(d.properties, p)
		d.byPath[p.Path] = p
		p.Scaled = d.Scale != nil && p.Path == d.Scale.Replicas
		return true
	})
}

// grow makes the properties below p.
func (p *Property) grow() {
	s := p.Schema
	var required []string
	if s.ValueValidation != nil {
		required = s.ValueValidation.Required
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		field := s.Properties[name]
		p.add(name, &field, slices.Contains(required, name))
	}
	if s.Items != nil {
		p.add("[]", s.Items, true)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil {
		p.add("{}", s.AdditionalProperties.Structural, true)
	}
}

func (p *Property) add(name string, s *structural.Structural, required bool) {
	path := p.Path + name
	switch {
	case (name == "[]" || name == "{}") && !isField(p, name):
	case !word(name):
		path = p.Path + "[" + strconv.Quote(name) + "]"
	case p.Path != "":
		path = p.Path + "." + name
	}
	child := &Property{Path: path, Name: name, Parent: p, Schema: s, Required: required}
	p.Children = append(p.Children, child)
	child.grow()
}

// isField tells that a name that looks like the items of a list is that of a field.
func isField(p *Property, name string) bool {
	_, ok := p.Schema.Properties[name]
	return ok
}

// word tells whether a field's name needs no brackets in a path.
func word(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '-' && r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// Walk calls visit for p and all below it, parents first and fields in the order of
// their names. Where it says false, what is below is left out.
func (p *Property) Walk(visit func(*Property) bool) {
	if !visit(p) {
		return
	}
	for _, child := range p.Children {
		child.Walk(visit)
	}
}

// Field is the child of a name, [] and {} among them; nil if there is none.
func (p *Property) Field(name string) *Property {
	i, ok := slices.BinarySearchFunc(p.Children, name, func(c *Property, name string) int { return strings.Compare(c.Name, name) })
	if !ok {
		return nil
	}
	return p.Children[i]
}

// Spec is the property spec; nil if the resource has none.
func (d *Definition) Spec() *Property { return d.Root.Field("spec") }

// Desired are the properties that say what is wanted: spec, and what stands beside
// it other than status and what all objects have. Some resources have no spec.
func (d *Definition) Desired() []*Property {
	return slices.DeleteFunc(slices.Clone(d.Root.Children), func(p *Property) bool {
		return slices.Contains([]string{"apiVersion", "kind", "metadata", "status"}, p.Name)
	})
}

// Walk calls visit for all properties, the whole object first; see [Property.Walk].
func (d *Definition) Walk(visit func(*Property) bool) { d.Root.Walk(visit) }

// Count is how many properties there are, the whole object included.
func (d *Definition) Count() int { return len(d.properties) }

// Find is the property of a path, as Property.Path spells it; nil if there is none.
func (d *Definition) Find(path string) *Property { return d.byPath[path] }

// Locate is the property of a place in a resource: strings for fields and keys,
// whole numbers for items, as in operation.Change. It is nil for what the schema does
// not have.
func (d *Definition) Locate(place []any) *Property {
	p := d.Root
	for _, step := range place {
		name := "[]"
		if key, ok := step.(string); ok {
			if name = key; p.Schema.AdditionalProperties != nil {
				name = "{}"
			}
		}
		if p = p.Field(name); p == nil {
			return nil
		}
	}
	return p
}
