package oracle

import (
	"reflect"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/history"
)

func init() {
	mask(Mask{
		Name:   "schema-defaults",
		Reason: "what the custom resource's spec has by default, as its schema says, against nothing: the API server fills it in where an operator writes the part that it is in; what comes of it is compared",
		change: func(v *view, d *history.Difference, ch history.Change) bool {
			if d.Key != v.c.Key || !strings.HasPrefix(ch.Path, "spec") {
				return false
			}
			p := v.c.Properties[position.ReplaceAllString(ch.Path, "[]")]
			if p == nil || v.asksFor(p) {
				return false
			}
			return blank(ch.From) && byDefault(p, ch.To) || blank(ch.To) && byDefault(p, ch.From)
		},
	})
}

// asksFor tells whether the user has the part in the resource that a property is in, or that it is itself, and it is
// gone where one ends: what becomes of that is no default alone.
func (v *view) asksFor(p *schema.Property) bool {
	part := p
	if len(p.Children) == 0 {
		part = p.Parent
	}
	if part == nil || strings.ContainsAny(part.Path, "[{") || strings.Count(part.Path, ".") == 0 {
		return false
	}
	gone := func(f *form) bool { return f.state[v.c.Key].At(tokens(part.Path)...) == nil }
	return v.c.Last().Resource.At(tokens(part.Path)...) != nil && (gone(v.want) || gone(v.got))
}

// blank tells whether a value says nothing: false and 0 do.
func blank(v any) bool {
	switch v.(type) {
	case bool, int64, float64:
		return false
	}
	return empty(v)
}

// byDefault tells whether a value is what the schema has by default, or all that is in it is.
func byDefault(p *schema.Property, v any) bool {
	if p == nil || p.Schema == nil {
		return false
	}
	if d := p.Schema.Default.Object; d != nil && (reflect.DeepEqual(d, v) || plain(d) && rendered(d, v)) {
		return true
	}
	fields, is := v.(map[string]any)
	if !is || len(fields) == 0 {
		return false
	}
	for name, inner := range fields {
		if !blank(inner) && !byDefault(p.Field(name), inner) {
			return false
		}
	}
	return true
}
