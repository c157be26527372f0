package value

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/history"
)

// Tables hold what is worth trying of the types of Kubernetes: lists of [Entry].
type Tables struct {
	entries []*Entry
	// exact and others are entries by the pattern of their kinds.
	exact map[string]*Entry
}

// Entry is what is worth trying of some types. In a file:
//
//   - kinds: [Replicas, "*.StatefulSetSpec.replicas"]
//     cases:
//   - {name: two more, add: 2}
//   - {name: none, misoperation: true, declared: true, value: 0}
//
// The first entry that names a type counts; a * at the beginning of a name stands for
// any text.
type Entry struct {
	Kinds []string `json:"kinds"`
	// Generic tells that what is tried of every property of its type of schema is tried, too.
	Generic bool  `json:"generic,omitempty"`
	Cases   []Row `json:"cases"`
}

// Row is one case of an entry. One of Value, Add, Merge, Append, Remove and Respelt says
// what becomes of what is there. Texts in it may have $(sentinel), a text of its own that is a
// valid name, and $(namespace), that of the resource. A text that is $(number) as a whole
// is a whole number of its own, and one that is $(seconds) so many; $(certificate) and $(key) are a certificate and its
// key. $(above 17Gi) is that quantity, or more than what is there, $(below 1Gi) less, $(tenfold 37Gi) ten times that,
// and $(or 17Gi) what is there.
type Row struct {
	Name string `json:"name"`
	// Misoperation: see [Misoperation].
	Misoperation bool `json:"misoperation,omitempty"`
	// Declared: it is one only where the schema says that there is such a property. One that leaves all of it open, as
	// those of charts do, has no bounds by which it could be told whether the value is meant.
	Declared bool `json:"declared,omitempty"`
	// Value is set.
	Value literal `json:"value,omitzero"`
	// Add is added to a whole number, 1 if there is none; below 1 there is no such case.
	Add int64 `json:"add,omitempty"`
	// Merge is merged into an object: objects in it by their fields, all else replaces
	// what there is, and null removes it.
	Merge literal `json:"merge,omitzero"`
	// Append is added to a list.
	Append literal `json:"append,omitzero"`
	// Remove removes.
	Remove bool `json:"remove,omitempty"`
	// Respelt writes the quantity that is there in another form; where there is none, there is no such case.
	Respelt bool `json:"respelt,omitempty"`
	// Objects are applied before.
	Objects []history.Object `json:"objects,omitempty"`
}

//go:embed table/*.yaml
var files embed.FS

// BuiltIn are the tables that seatrial has.
var BuiltIn = sync.OnceValue(func() *Tables {
	t := &Tables{}
	names, err := fs.Glob(files, "table/*.yaml")
	for _, name := range names {
		var text []byte
		if text, err = files.ReadFile(name); err == nil {
			err = t.add(name, text)
		}
		if err != nil {
			break
		}
	}
	if err != nil {
		// The files are part of the program, and read by its tests.
		return &Tables{}
	}
	t.index()
	return t
})

// With reads a file of entries, which count before those that t has. file is what
// errors call it. t itself stays as it is.
func (t *Tables) With(file string, text []byte) (*Tables, error) {
	more := &Tables{}
	if err := more.add(file, text); err != nil {
		return nil, err
	}
	more.entries = append(more.entries, t.entries...)
	more.index()
	return more, nil
}

func (t *Tables) add(file string, text []byte) error {
	var entries []*Entry
	if err := yaml.UnmarshalStrict(text, &entries); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for i, e := range entries {
		if err := e.check(); err != nil {
			return fmt.Errorf("%s: entry %d: %w", file, i+1, err)
		}
	}
	t.entries = append(t.entries, entries...)
	return nil
}

func (e *Entry) check() error {
	if len(e.Kinds) == 0 {
		return errors.New("kinds is empty: name the types that the entry is about")
	}
	names := map[string]bool{}
	for _, row := range e.Cases {
		ways := 0
		for _, set := range []bool{row.Value.set, row.Add != 0, row.Merge.set, row.Append.set, row.Remove, row.Respelt} {
			if set {
				ways++
			}
		}
		switch {
		case row.Name == "":
			return fmt.Errorf("%s: a case has no name", e.Kinds[0])
		case row.Declared && !row.Misoperation:
			return fmt.Errorf("%s: case %q: declared says of a misoperation when it is one", e.Kinds[0], row.Name)
		case names[row.Name]:
			return fmt.Errorf("%s: two cases are called %q", e.Kinds[0], row.Name)
		case ways != 1:
			return fmt.Errorf("%s: case %q: want one of value, add, merge, append, remove and respelt", e.Kinds[0], row.Name)
		}
		names[row.Name] = true
	}
	return nil
}

func (t *Tables) index() {
	t.exact = map[string]*Entry{}
	for _, e := range t.entries {
		for _, name := range e.Kinds {
			if !strings.HasPrefix(name, "*") && t.exact[name] == nil {
				t.exact[name] = e
			}
		}
	}
}

// entry is the one for a type; nil for none.
func (t *Tables) entry(name string) *Entry {
	if t == nil || name == "" {
		return nil
	}
	if e := t.exact[name]; e != nil {
		return e
	}
	for _, e := range t.entries {
		for _, pattern := range e.Kinds {
			if end, any := strings.CutPrefix(pattern, "*"); any && strings.HasSuffix(name, end) {
				return e
			}
		}
	}
	return nil
}

// Known tells that there is an entry for the type of a property, so that what is below it need
// not be tried one by one, and open that some of it is worth it all the same.
func (t *Tables) Known(p *schema.Property) (known, open bool) {
	e := t.entry(p.Kind)
	return e != nil, e != nil && e.Generic
}

// made are the cases of an entry at a place. What a schema does not have of a value is
// left out; a case of which nothing is left is none.
func (e *Entry) made(at *Place) []Case {
	var all []Case
	for i := range e.Cases {
		row := &e.Cases[i]
		c := Case{Name: row.Name}
		if row.Misoperation {
			c.Class = Misoperation
		}
		f := filler{sampler: at.sampler()}
		c.Objects = f.objects(row)
		if row.Remove {
			if !at.Present {
				continue
			}
			c.Class, c.Remove = Removal, true
			all = append(all, c)
			continue
		}
		var ok bool
		c.Path, c.Value, ok = row.apply(at, f)
		if row.Misoperation && (meant(at.Property, c.Value) || row.Declared && at.Property.Inferred) {
			c.Class = Change
		}
		if ok && (!row.Misoperation || keeps(c.Value, f.fill(row.said(at)))) {
			all = append(all, c)
		}
	}
	return all
}

// meant tells whether a number is the least that the schema of the property names itself: what is
// a slip elsewhere, such as no replicas, is something to ask for there, as it is of what the scale subresource sets.
func meant(p *schema.Property, v any) bool {
	l := limitOf(p.Schema)
	return p.Scaled && v == int64(0) && l.holds(0) || l.least != nil && v == l.lowest(1)
}

// said is what a row writes at a place.
func (r *Row) said(at *Place) any {
	switch {
	case r.Append.set && at.Present:
		return r.Append.value
	case r.Append.set:
		return []any{r.Append.value}
	case r.Merge.set:
		return r.Merge.value
	}
	return r.Value.value
}

// keeps tells that all fields of said are in v, which is said or more: what is wrong in a misoperation
// is often how two of its fields go together.
func keeps(v, said any) bool {
	switch said := said.(type) {
	case map[string]any:
		m, _ := v.(map[string]any)
		for key, field := range said {
			if field != nil && !keeps(m[key], field) {
				return false
			}
		}
		return true
	case []any:
		list, _ := v.([]any)
		if len(list) < len(said) {
			return false
		}
		for i, item := range said {
			if !keeps(list[len(list)-len(said)+i], item) {
				return false
			}
		}
		return true
	}
	return said == nil || v != nil
}

// apply is where a row writes, below the place, and what; false if there is nothing that it could
// write there.
func (r *Row) apply(at *Place, f filler) ([]any, any, bool) {
	switch {
	case r.Add != 0:
		now, ok := at.Value.(int64)
		if at.Present && at.Value != nil && !ok {
			return nil, nil, false
		}
		if !at.Present || at.Value == nil {
			now = 1
		}
		return nil, now + r.Add, now+r.Add >= 1
	case r.Respelt:
		other, ok := respelt(at.Value)
		return nil, other, ok
	case r.Append.set:
		items, _ := at.Value.([]any)
		if len(at.Property.Children) != 1 {
			return nil, nil, false
		}
		item, ok := f.fit(at.Property.Children[0], beside(nil, f.fill(r.Append.value)))
		if !at.Present {
			return nil, []any{item}, ok
		}
		return []any{len(items)}, item, ok
	case r.Merge.set:
		patch, ok := f.fit(at.Property, beside(at.Value, f.fill(r.Merge.value)))
		return nil, merged(at.Value, patch), ok
	}
	v, ok := f.fit(at.Property, beside(at.Value, f.fill(r.Value.value)))
	return nil, v, ok
}

// sample is the number-th of the values of an entry that should be valid and need nothing else, and that the property's
// schema takes.
func (e *Entry) sample(s *sampler, p *schema.Property, number int) (any, bool) {
	var valid []any
	l := limitOf(p.Schema)
	for i := range e.Cases {
		row := &e.Cases[i]
		at := &Place{Property: p}
		if said := row.said(at); !row.Misoperation && len(row.Objects) == 0 && row.Add == 0 && !row.Remove {
			f := filler{sampler: s, number: number}
			if v, ok := f.fit(p, beside(nil, f.fill(said))); ok && l.takes(v) {
				valid = append(valid, v)
			}
		}
	}
	if len(valid) == 0 {
		return nil, false
	}
	return valid[number%len(valid)], true
}

// filler puts what is drawn into what a table says.
type filler struct {
	*sampler
	// name is what stands for the sentinel; empty for what is drawn.
	name string
	// number is that of the value among several.
	number int
}

// sentinel is how a table writes it.
const sentinel = "$(sentinel)"

// called is what stands for the sentinel.
func (f filler) called() string {
	if f.name != "" {
		return f.name
	}
	return f.draw.Text()
}

// withSentinel puts the sentinel and the namespace into a text.
func (f filler) withSentinel(text string) string {
	return strings.NewReplacer(sentinel, f.called(), "$(namespace)", f.namespace).Replace(text)
}

func (f filler) fill(v any) any {
	switch v := v.(type) {
	case string:
		switch v {
		case "$(number)":
			return f.draw.nth(f.number)
		case "$(seconds)":
			return f.draw.seconds(0)
		case "$(certificate)":
			return certificate()[0]
		case "$(key)":
			return certificate()[1]
		}
		if !strings.Contains(v, "$(") || compared.MatchString(v) {
			return v
		}
		return f.withSentinel(v)
	case map[string]any:
		m := make(map[string]any, len(v))
		for key, value := range v {
			name, _ := f.fill(key).(string)
			m[name] = f.fill(value)
		}
		if m["namespace"] == "" {
			delete(m, "namespace")
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = f.fill(item)
		}
		return list
	}
	return v
}

// fit leaves out of a value what a schema does not have, and tells whether anything
// is left: types in a CRD are often trimmed.
func (f filler) fit(p *schema.Property, v any) (any, bool) {
	switch value := v.(type) {
	case nil:
		return nil, true
	case map[string]any:
		if len(p.Children) == 0 {
			return v, p.Schema.XPreserveUnknownFields || p.Schema.AdditionalProperties != nil
		}
		return f.fitObject(p, value)
	case []any:
		if len(p.Children) != 1 || p.Schema.Type != "array" {
			return v, p.Schema.XPreserveUnknownFields
		}
		list := make([]any, 0, len(value))
		for _, item := range value {
			if item, ok := f.fit(p.Children[0], item); ok {
				list = append(list, item)
			}
		}
		return list, len(list) > 0 || len(value) == 0
	}
	return v, !(p.Schema.Type == "object" || p.Schema.Type == "array")
}

func (f filler) fitObject(p *schema.Property, value map[string]any) (any, bool) {
	m := map[string]any{}
	for _, child := range p.Children {
		if child.Name == "{}" {
			for key, v := range value {
				if v, ok := f.fit(child, v); ok {
					m[key] = v
				}
			}
		} else if v, there := value[child.Name]; there {
			if v, ok := f.fit(child, v); ok {
				m[child.Name] = v
			}
		}
	}
	if p.Schema.XPreserveUnknownFields {
		for key, v := range value {
			if _, done := m[key]; !done {
				m[key] = v
			}
		}
	}
	for _, child := range p.Children {
		if _, there := m[child.Name]; child.Required && !there && child.Schema.Default.Object == nil && len(m) > 0 && child.Name != "{}" {
			if v, ok := f.of(child, 0); ok {
				m[child.Name] = v
			}
		}
	}
	return m, len(m) > 0 || len(value) == 0
}

// merged is a value with a patch merged into it.
func merged(now, patch any) any {
	fields, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	out, _ := Clone(now).(map[string]any)
	if out == nil {
		out = map[string]any{}
	}
	for key, v := range fields {
		if v == nil {
			delete(out, key)
			continue
		}
		out[key] = merged(out[key], v)
	}
	return out
}
