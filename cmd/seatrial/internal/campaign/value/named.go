package value

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/history"
)

// named are the objects that a value refers to by a name that was drawn for it: an item that is added to a list has the
// name of a Secret, or of a namespace, that has to be there for the item to mean something. Where such a reference has
// a key as well, it becomes one that the object has. What a table says of the place itself brings its objects with it.
func (at *Place) named(c *Case) []history.Object {
	if at.Tables == nil || c.Class != Change || len(c.Objects) > 0 {
		return nil
	}
	p := at.Property
	for _, e := range c.Path {
		if p = below(p, e); p == nil {
			return nil
		}
	}
	r := &references{at: at}
	c.Value = r.look(p, c.Value)
	return r.objects
}

// below is the property of a field, an item or a key; nil if the schema does not know it.
func below(p *schema.Property, e any) *schema.Property {
	if name, is := e.(string); is {
		if f := p.Field(name); f != nil {
			return f
		}
		return p.Field("{}")
	}
	return p.Field("[]")
}

// references collects the objects that are referred to in a value.
type references struct {
	at      *Place
	objects []history.Object
}

// look is a value with its references filled.
func (r *references) look(p *schema.Property, v any) any {
	if p == nil {
		return v
	}
	if entry := r.at.Tables.entry(p.Kind); entry != nil {
		if filled, is := r.refers(entry, v); is {
			return filled
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			v[key] = r.look(below(p, key), value)
		}
	case []any:
		for i, item := range v {
			v[i] = r.look(below(p, i), item)
		}
	}
	return v
}

// refers takes a value for the reference that a row of an entry makes, if the name in it was drawn.
func (r *references) refers(entry *Entry, v any) (any, bool) {
	for i := range entry.Cases {
		row := &entry.Cases[i]
		if row.Misoperation || len(row.Objects) == 0 || !row.Value.set {
			continue
		}
		if name := r.bound(row.Value.value, v); name != "" {
			f := filler{sampler: r.at.sampler(), name: name}
			for _, made := range f.objects(row) {
				if !slices.ContainsFunc(r.objects, func(o history.Object) bool { return encode(o) == encode(made) }) {
					r.objects = append(r.objects, made)
				}
			}
			return r.filled(f, row.Value.value, v), true
		}
	}
	return v, false
}

// bound is the text in v that stands where the row has its sentinel; empty if there is none, or it was not drawn here.
func (r *references) bound(row, v any) string {
	switch row := row.(type) {
	case string:
		text, _ := v.(string)
		if row == sentinel && slices.Equal(r.at.Draw.in(text, nil), []string{text}) && len(validation.IsDNS1123Label(text)) == 0 {
			return text
		}
	case map[string]any:
		fields, _ := v.(map[string]any)
		for key, value := range row {
			if value == sentinel {
				return r.bound(value, fields[key])
			}
		}
	}
	return ""
}

// filled is v with what else was drawn in it as the row says it.
func (r *references) filled(f filler, row, v any) any {
	said, _ := row.(map[string]any)
	fields, _ := v.(map[string]any)
	for key, value := range said {
		if text, is := fields[key].(string); is && len(r.at.Draw.in(text, nil)) > 0 {
			fields[key] = f.fill(value)
		}
	}
	return v
}
