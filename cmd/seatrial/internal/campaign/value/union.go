package value

import (
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// alternatives are the branches of a property's oneOf, or anyOf, that name fields.
func alternatives(p *schema.Property) [][]string {
	v := p.Schema.ValueValidation
	if v == nil || p.Schema.XIntOrString {
		return nil
	}
	var all [][]string
	for _, list := range [][]structural.NestedValueValidation{v.OneOf, v.AnyOf} {
		for i := range list {
			if len(list[i].Required) > 0 {
				all = append(all, list[i].Required)
			}
		}
	}
	return all
}

// branchFields are the fields of the number-th branch; nil if there are no branches.
func branchFields(p *schema.Property, number int) []string {
	if all := alternatives(p); len(all) > 0 {
		return all[number%len(all)]
	}
	return nil
}

// branches are the cases of oneOf and anyOf: each branch by itself, none, and two at
// once.
func branches(at *Place) []Case {
	all := alternatives(at.Property)
	if len(all) == 0 {
		return scalarBranches(at)
	}
	rest := map[string]any{}
	if now, ok := at.Value.(map[string]any); ok {
		rest, _ = Clone(now).(map[string]any)
	} else {
		for _, child := range at.Property.Children {
			if child.Required {
				rest[child.Name], _ = at.sampler().of(child, 0)
			}
		}
	}
	for _, fields := range all {
		for _, field := range fields {
			delete(rest, field)
		}
	}
	s := at.sampler()
	var cases []Case
	both := Clone(rest).(map[string]any)
	for i, fields := range all {
		one := Clone(rest).(map[string]any)
		for _, child := range at.Property.Children {
			for _, field := range fields {
				if child.Name == field {
					one[field], _ = s.of(child, 0)
					both[field] = Clone(one[field])
				}
			}
		}
		cases = append(cases, Case{Name: "of its forms: " + strings.Join(all[i], " and "), Value: one})
	}
	cases = append(cases, Case{Name: "none of its forms", Class: Misoperation, Value: rest})
	if len(all) > 1 {
		cases = append(cases, Case{Name: "all of its forms at once", Class: Misoperation, Value: both})
	}
	return cases
}

// scalarBranches are those of a plain property: a value for each branch.
func scalarBranches(at *Place) []Case {
	v := at.Property.Schema.ValueValidation
	if v == nil || at.Property.Schema.XIntOrString || len(at.Property.Children) > 0 {
		return nil
	}
	var cases []Case
	for _, list := range [][]structural.NestedValueValidation{v.OneOf, v.AnyOf} {
		for i := range list {
			s := *at.Property.Schema
			merged := *v
			merged.AllOf = append(append([]structural.NestedValueValidation(nil), v.AllOf...), list[i])
			merged.OneOf, merged.AnyOf = nil, nil
			s.ValueValidation = &merged
			p := *at.Property
			p.Schema, p.Kind = &s, ""
			if value, ok := at.sampler().of(&p, 0); ok {
				cases = append(cases, Case{Name: "of its forms: " + short(value), Value: value})
			}
		}
	}
	return cases
}
