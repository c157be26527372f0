package operation

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
)

// property is one that a plan is about.
type property struct {
	*schema.Property
	// number is its place in the schema, from 1; sentinels have it.
	number int
	// chain is from below the root to the property.
	chain []*schema.Property
	// rank says how much it is tried.
	rank rank
	// closed tells that it is, or is in, a type of Kubernetes of which nothing but what its
	// table has is tried.
	closed bool
	// left says why it is left out; empty if it is not.
	left string
	// given are values of users.
	given []any
	// drawn counts the operations that had a draw.
	drawn int
	// tried are the names of cases that are planned, in their order; refused are those that were not taken, with why.
	tried   []string
	refused map[string]string
}

// rank says how much of a property is tried.
type rank int

const (
	// own: a property of the operator's own, or a type of Kubernetes as a whole.
	own rank = iota
	// part: a part of a type of Kubernetes that has a table itself.
	part
	// detail: any other part.
	detail
)

func (p *property) has(name string) bool { return slices.Contains(p.tried, name) }

// depth is how many fields lead to the property.
func (p *property) depth() int {
	n := 0
	for _, s := range p.chain {
		if s.Name != "[]" && s.Name != "{}" {
			n++
		}
	}
	return n
}

// properties lists those of a schema in its order.
func properties(o *Options) ([]*property, error) {
	focus, err := patterns(o.Focus)
	if err != nil {
		return nil, fmt.Errorf("focus: %w", err)
	}
	ignore, err := patterns(o.Ignore)
	if err != nil {
		return nil, fmt.Errorf("ignore: %w", err)
	}
	used := map[string]bool{}
	var all []*property
	var walk func(s *schema.Property, above *property)
	walk = func(s *schema.Property, above *property) {
		p := &property{Property: s, number: len(all) + 1, refused: map[string]string{}}
		known, open := o.Tables.Known(s)
		if above != nil {
			p.chain = slices.Clone(above.chain)
			p.closed = above.closed
			if in, _ := o.Tables.Known(above.Property); in || above.rank != own {
				p.rank = detail
				if known && !above.closed {
					p.rank = part
				}
			}
		}
		p.closed = p.closed || known && !open
		p.chain = append(p.chain, s)
		p.left = leftOut(s, focus, ignore, used)
		all = append(all, p)
		for _, child := range s.Children {
			walk(child, p)
		}
	}
	for _, child := range o.Definition.Desired() {
		walk(child, nil)
	}
	for _, p := range append(focus, ignore...) {
		if !used[p.text] {
			return nil, fmt.Errorf("no property of the schema is at %s", p.text)
		}
	}
	return all, give(all, o)
}

// ignored is why what users do not want is left out.
const ignored = "ignored"

func patterns(texts []string) ([]pattern, error) {
	var all []pattern
	for _, text := range texts {
		p, err := parsePattern(text)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// leftOut says why a property is left out, and notes which patterns were of use.
func leftOut(s *schema.Property, focus, ignore []pattern, used map[string]bool) string {
	path, why := names(s), ""
	in := len(focus) == 0
	for _, p := range focus {
		if p.matches(path) {
			in = true
			used[p.text] = true
		}
	}
	if !in {
		why = "not in focus"
	}
	for _, p := range ignore {
		if p.matches(path) {
			why = ignored
			used[p.text] = true
		}
	}
	return why
}

// examplesMost is how many values of examples are tried of one property.
const examplesMost = 3

// give hands what users gave to the properties.
func give(all []*property, o *Options) error {
	known := map[string]*property{}
	for _, p := range all {
		known[p.Path] = p
		for _, v := range p.Values(o.Examples) {
			if len(p.given) < examplesMost {
				p.given = append(p.given, v)
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(o.Values)) {
		p := known[path]
		if p == nil {
			return fmt.Errorf("values: no property of the schema is at %s", path)
		}
		var own []any
		for _, v := range o.Values[path] {
			plain, err := asObject(v)
			if err != nil {
				return fmt.Errorf("values: %s: %w", path, err)
			}
			own = append(own, plain)
		}
		p.given = append(own, p.given...)
	}
	return nil
}

// asObject is a value with numbers as an object has them, whoever read it.
func asObject(v any) (any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return value.Decode(text)
}

// place is where a property is in a resource: in the item of a list, and in the key of a map, that has the most of what
// leads to it, the first of several; where there is none, in the first, or in one that would be new.
func (p *property) place(resource any) []any { return p.placed(resource, most) }

// placed is where a property is in a resource, in those of the items of lists and values of maps that are chosen by
// what leads to it from there.
func (p *property) placed(resource any, choose func(values []any, chain []*schema.Property) int) []any {
	var path []any
	for i, s := range p.chain {
		now, _ := at(resource, path)
		rest := p.chain[i+1:]
		switch s.Name {
		case "[]":
			items, _ := now.([]any)
			path = append(path, choose(items, rest))
		case "{}":
			key := value.Draw{Property: p.number}.Text()
			m, _ := now.(map[string]any)
			if keys := slices.Sorted(maps.Keys(m)); len(keys) > 0 {
				inner := make([]any, len(keys))
				for i, k := range keys {
					inner[i] = m[k]
				}
				key = keys[choose(inner, rest)]
			}
			path = append(path, key)
		default:
			path = append(path, s.Name)
		}
	}
	return path
}

// most is which of some values has the most of a chain of properties, the first of several; 0 for none.
func most(values []any, chain []*schema.Property) int {
	found, deepest := 0, -1
	for i, v := range values {
		if n := reaches(v, chain); n > deepest {
			found, deepest = i, n
		}
	}
	return found
}

// reaches is how many properties of a chain a value has.
func reaches(v any, chain []*schema.Property) int {
	if len(chain) == 0 {
		return 0
	}
	deepest := 0
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if chain[0].Name == "[]" && item != nil {
				deepest = max(deepest, 1+reaches(item, chain[1:]))
			}
		}
	case map[string]any:
		if inner := v[chain[0].Name]; inner != nil {
			return 1 + reaches(inner, chain[1:])
		}
		for _, inner := range v {
			if chain[0].Name == "{}" && inner != nil {
				deepest = max(deepest, 1+reaches(inner, chain[1:]))
			}
		}
	}
	return deepest
}
