package schema

import "strings"

// besideMost is how many texts beside a property are looked at.
const besideMost = 4

// Beside are texts beside a property, and names in objects beside it, without all of which it may mean nothing: the
// mode of a certificate of which nobody says what it is called. None of a field of a spec itself, of what is in a list
// or a map, and of what is in a type of Kubernetes.
func (p *Property) Beside() (all []*Property) {
	if p.Parent == nil || strings.Count(p.Path, ".") < 2 || strings.ContainsAny(p.Path, "[]{}") || p.Parent.Kind != "" {
		return nil
	}
	for _, other := range p.Parent.Children {
		switch name := other.Field("name"); {
		case other == p || len(all) == besideMost:
		case other.free():
			all = append(all, other)
		case other.Schema.Type == "object" && name != nil && name.free():
			all = append(all, name)
		}
	}
	return all
}

// free tells whether a property is a text of any words, and none by itself.
func (p *Property) free() bool {
	s := p.Schema
	return s.Type == "string" && s.Default.Object == nil && (s.ValueValidation == nil || len(s.ValueValidation.Enum) == 0)
}
