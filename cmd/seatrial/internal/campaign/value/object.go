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
		all = append(all, ordered(at)...)
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

// ordered are cases of an object that is not there whose whole numbers become less from field to field, or more, above
// those that others have by default: what a rule that compares them wants of a greatest and a least.
func ordered(at *Place) []Case {
	object := objectSample(at.sampler(), at.Property, 0)
	var set []*schema.Property
	above := int64(0)
	for _, child := range at.Property.Children {
		if child.Schema.Type != "integer" {
			continue
		}
		if _, there := object[child.Name]; there {
			set = append(set, child)
		} else if n, is := child.Schema.Default.Object.(int64); is && n <= far {
			above = max(above, n)
		}
	}
	if len(set) == 0 {
		return nil
	}
	down, up := objectSample(at.sampler(), at.Property, 0), object
	for i, child := range set {
		down[child.Name] = integerSample(nil, child, int(above)+len(set)-i)
		up[child.Name] = integerSample(nil, child, int(above)+i+1)
	}
	const first, second = "set with falling numbers", "set with rising numbers"
	return []Case{{Name: first, Value: down, Instead: "set"}, {Name: second, Value: up, Instead: first}}
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
