package value

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

var _ = register(kind{
	name:  "object",
	order: 46,
	is: func(p *schema.Property) bool {
		return len(p.Children) > 0 && (p.Schema.Type == "object" || p.Schema.Type == "")
	},
	cases:  objectCases,
	sample: func(s *sampler, p *schema.Property, number int) any { return objectSample(s, p, number) },
})

func objectCases(at *Place) []Case {
	p := at.Property
	now, _ := at.Value.(map[string]any)
	var all []Case
	if !at.Present {
		all = append(all, Case{Name: "set", Value: objectSample(at.sampler(), p, 0)})
	}
	required := slices.IndexFunc(p.Children, func(c *schema.Property) bool { return c.Required })
	switch {
	case required < 0 && len(now) > 0:
		all = append(all, Case{Name: "emptied", Class: Removal, Value: map[string]any{}})
	case required < 0 && !at.Present:
		all = append(all, Case{Name: "empty", Value: map[string]any{}})
	case required >= 0:
		lacking := objectSample(at.sampler(), p, 0)
		for key, value := range now {
			lacking[key] = Clone(value)
		}
		name := p.Children[required].Name
		delete(lacking, name)
		all = append(all, Case{Name: "without " + name, Class: Misoperation, Value: lacking})
	}
	return all
}

// plain tells that a property is no object, list or map.
func plain(p *schema.Property) bool { return len(p.Children) == 0 && !opaque(p) }

// fewFields is how many fields an object gets that need not have any, so that it
// means something.
const fewFields = 2

// objectSample has the fields that there have to be, and a few plain ones if there are none of these.
func objectSample(s *sampler, p *schema.Property, number int) map[string]any {
	object := required(s, p, number)
	if slices.ContainsFunc(p.Children, func(c *schema.Property) bool { _, there := object[c.Name]; return there && c.Schema.Type != "boolean" }) {
		return object
	}
	for _, child := range p.Children {
		if _, there := object[child.Name]; !there && len(object) < fewFields && plain(child) {
			object[child.Name], _ = s.of(child, number)
		}
	}
	for _, child := range p.Children {
		if len(object) > 0 {
			break
		}
		if v, ok := s.of(child, number); ok {
			object[child.Name] = v
		}
	}
	return object
}

// required is an object with the fields that there have to be, those of the number-th branch
// if there are several, and switched on.
func required(s *sampler, p *schema.Property, number int) map[string]any {
	object := map[string]any{}
	need := branchFields(p, number)
	for _, child := range p.Children {
		if on, is := guard(child); is {
			object[child.Name] = on
		} else if child.Required || slices.Contains(need, child.Name) {
			if v, ok := s.of(child, number); ok {
				object[child.Name] = v
			}
		}
	}
	return object
}
