package value

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// sampler makes values that should be valid.
type sampler struct {
	draw   Draw
	tables *Tables
	// drawn counts the sentinels so far.
	drawn int
	// namespace is where objects that are referred to belong.
	namespace string
}

func (at *Place) sampler() *sampler {
	return &sampler{draw: at.Draw, tables: at.Tables, namespace: at.Namespace}
}

// text is the next sentinel.
func (s *sampler) text() string {
	s.drawn++
	return s.draw.numbered(s.drawn - 1)
}

// of is the number-th value of a property, from 0, and whether there is one: nothing is known
// of what is opaque.
func (s *sampler) of(p *schema.Property, number int) (any, bool) {
	if entry := s.tables.entry(p.Kind); entry != nil {
		if v, ok := entry.sample(s, p, number); ok {
			return v, true
		}
	}
	if number == 0 && p.Schema.Example.Object != nil {
		return Clone(p.Schema.Example.Object), true
	}
	k := kindOf(p)
	if k == nil || k.sample == nil {
		if p.Schema.Type == "object" || p.Schema.XPreserveUnknownFields {
			return map[string]any{}, true
		}
		return nil, false
	}
	return k.sample(s, p, number), true
}

// Least is the least that a property may be, for what is put into it: an object with the fields that it
// has to have, an empty list or map. An item of a list of a type of Kubernetes is one that works: a
// container has an image, though its schema does not ask for one.
func Least(at *Place) any {
	p := at.Property
	if entry := at.Tables.entry(p.Kind); entry != nil && p.Name == "[]" {
		if v, ok := entry.sample(at.sampler(), p, 0); ok {
			return v
		}
	}
	switch {
	case p.Schema.Type == "array":
		return []any{}
	case Type(p) == "object":
		return required(at.sampler(), p, 0)
	}
	return map[string]any{}
}
