package schema

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/seatrial/seatrial/history"
)

// Infer adds below a property of which the schema does not say all that can be in it what resources have
// there: fields of objects, or the items of a list. Nothing but their types is known, and of those that are objects
// and lists nothing yet.
func (p *Property) Infer(resources []history.Object) {
	if !p.Opaque() || p.Schema.XEmbeddedResource {
		return
	}
	for _, v := range p.Values(resources) {
		switch v := v.(type) {
		case map[string]any:
			if !p.is("object") {
				continue
			}
			for _, key := range slices.Sorted(maps.Keys(v)) {
				if key != "[]" && key != "{}" && p.Field(key) == nil {
					p.infer(key, v[key])
				}
			}
		case []any:
			if len(p.Children) == 0 && len(v) > 0 && p.is("array") {
				p.infer("[]", v[0])
			}
		default:
			p.is(typeOf(v))
		}
	}
}

// infer adds a child that has such a value.
func (p *Property) infer(name string, v any) {
	if t := typeOf(v); t != "" {
		p.add(name, &structural.Structural{
			Generic: structural.Generic{Type: t}, Extensions: structural.Extensions{XPreserveUnknownFields: t == "object" || t == "array"},
		}, false)
		p.Children[len(p.Children)-1].Inferred = true
		slices.SortFunc(p.Children, func(a, b *Property) int { return cmp.Compare(a.Name, b.Name) })
	}
}

// is tells whether a property is of a type; one that may be of any is so from now on.
func (p *Property) is(t string) bool {
	if p.Schema.Type == "" && t != "" && !p.Schema.XIntOrString {
		s := *p.Schema
		s.Type = t
		p.Schema = &s
	}
	return p.Schema.Type == t
}

// typeOf is the type of a value as schemas call it; empty for null.
func typeOf(v any) string {
	switch v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case int64:
		return "integer"
	case float64:
		return "number"
	}
	return ""
}

// Values are those that resources have at a property, in all items and keys, each once.
func (p *Property) Values(resources []history.Object) []any {
	if p.Parent == nil {
		var all []any
		for _, r := range resources {
			all = append(all, map[string]any(r))
		}
		return all
	}
	var found []any
	for _, v := range within(p.Parent.Values(resources), p.Name) {
		if !slices.ContainsFunc(found, func(other any) bool { return reflect.DeepEqual(v, other) }) {
			found = append(found, v)
		}
	}
	return found
}

// within are the values of a field, or of all items or keys.
func within(values []any, name string) []any {
	var next []any
	for _, v := range values {
		switch v := v.(type) {
		case []any:
			if name == "[]" {
				next = append(next, v...)
			}
		case map[string]any:
			if name == "{}" {
				for _, key := range slices.Sorted(maps.Keys(v)) {
					next = append(next, v[key])
				}
			} else if field, there := v[name]; there {
				next = append(next, field)
			}
		}
	}
	return next
}
