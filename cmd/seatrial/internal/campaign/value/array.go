package value

import (
	"reflect"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

var _ = register(kind{
	name:   "array",
	order:  44,
	is:     func(p *schema.Property) bool { return p.Schema.Type == "array" && len(p.Children) == 1 },
	cases:  arrayCases,
	sample: arraySample,
})

// Added is the name of the case of a list to which an item is added.
const Added = "item added"

// itemsMost is the greatest number of items that a list is filled up to.
const itemsMost = 20

func arrayCases(at *Place) []Case {
	l := limitOf(at.Property.Schema)
	items, _ := at.Value.([]any)
	s := at.sampler()
	item, known := s.of(at.Property.Children[0], len(items))
	if !known {
		return emptied(&l, items, at.Present, []any{})
	}
	if n := len(items); n > 0 {
		item = likeItem(at, items[n-1], item)
	}
	item, other := missing(at.Property, items, item)
	room := l.room(len(items)) && other
	var all []Case
	if room {
		if at.Present {
			all = append(all, Case{Name: Added, Path: []any{len(items)}, Value: item})
			if whole := wholeItem(at, items, item); whole != nil {
				all = append(all, Case{Name: "item added with all that the last one has", Path: []any{len(items)}, Value: whole})
			}
			if like := likeLast(at, items); like != nil {
				all = append(all, Case{Name: "item added as the last one is", Path: []any{len(items)}, Value: like, Instead: Added})
			}
		} else {
			all = append(all, Case{Name: "first item", Value: arraySample(at.sampler(), at.Property, 0)})
		}
	}
	if len(items) > 1 {
		reversed := slices.Clone(items)
		slices.Reverse(reversed)
		all = append(all, Case{Name: "items in the opposite order", Value: Clone(reversed)})
	}
	if len(items) > 0 && room {
		all = append(all, Case{Name: "item added in front", Value: Clone(append([]any{item}, items...))})
	}
	if room {
		all = append(all, sharing(at, items)...)
	}
	all = append(all, alikeItems(at, items, &l)...)
	if int64(len(items)) > l.fewest {
		all = append(all, Case{Name: "first item removed", Class: Removal, Path: []any{0}, Remove: true})
		if len(items) > 1 {
			all = append(all, Case{Name: "last item removed", Class: Removal, Path: []any{len(items) - 1}, Remove: true})
		}
	}
	all = append(all, emptied(&l, items, at.Present, []any{})...)
	words := int64(len(limitOf(at.Property.Children[0].Schema).enum))
	if l.furthest > 0 && l.furthest <= itemsMost && !(l.unique && words > 0 && words < l.furthest) {
		full := filled(s, at.Property, items, int(l.furthest))
		all = append(all, Case{Name: "as many items as it may have", Value: full, own: true})
		over := filled(s, at.Property, full, int(l.furthest)+1)
		all = append(all, Case{Name: "an item too many", Class: Misoperation, Value: over, own: true})
	}
	if len(items) > 0 && l.room(len(items)) {
		all = append(all, Case{Name: "an item twice", Class: Misoperation, Path: []any{len(items)}, Value: Clone(items[0])})
	}
	if l.fewest > 0 && len(items) > 0 {
		all = append(all, Case{Name: "an item too few", Class: Misoperation, Value: Clone(items[:min(len(items), int(l.fewest)-1)])})
	}
	return all
}

// likeItem is an item in the form of the last, if that has one and nothing more is known of items.
func likeItem(at *Place, last, item any) any {
	p := at.Property.Children[0]
	l := limitOf(p.Schema)
	text, is := last.(string)
	if !is || p.Schema.Type != "string" || l.format != "" || len(l.enum) > 0 || at.Tables.entry(p.Kind) != nil {
		return item
	}
	if like := likeNow(at.sampler(), text, &l); like != nil {
		return like.Value
	}
	return item
}

// likeLast is an item as the last one is, but for what it is known by: what a schema wants of fields in the way of
// rules and patterns, that one has. Nil if items are no objects, or are not told apart by a text.
func likeLast(at *Place, items []any) any {
	key := Key(at.Property)
	if len(items) == 0 || key == nil {
		return nil
	}
	last, is := items[len(items)-1].(map[string]any)
	if !is {
		return nil
	}
	item, _ := Clone(last).(map[string]any)
	item[key.Name], _ = at.sampler().of(key, len(items))
	return item
}

// wholeItem is an item with all that the last one says, in other words: what a schema does not ask for, a sample does
// not have. Nil if a sample has it all.
func wholeItem(at *Place, items []any, sample any) any {
	if len(items) == 0 || at.Tables.entry(at.Property.Children[0].Kind) != nil {
		return nil
	}
	last, is := items[len(items)-1].(map[string]any)
	plain, _ := sample.(map[string]any)
	if !is {
		return nil
	}
	whole := otherWords(at.sampler(), at.Property.Children[0], last, len(items))
	if reflect.DeepEqual(whole, last) {
		return nil // it would be one twice
	}
	for field, now := range whole {
		if _, has := plain[field]; !has && (!reflect.DeepEqual(now, last[field]) || !texted(now)) {
			return whole
		}
	}
	return nil
}

// texted tells whether there is a text in a value: as it is, it may be one that only one item may have.
func texted(v any) bool {
	switch v := v.(type) {
	case string:
		return true
	case map[string]any:
		for _, inner := range v {
			if texted(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, texted)
	}
	return false
}

// otherWord is another text or number of a property than it is now, in the same form, or an object with such; nil if it
// is neither, or is one of few.
func otherWord(s *sampler, p *schema.Property, now any, number int) any {
	l := limitOf(p.Schema)
	switch old := now.(type) {
	case map[string]any:
		if s.tables.entry(p.Kind) != nil {
			return nil
		}
		if next := otherWords(s, p, old, number); !reflect.DeepEqual(next, old) {
			return next
		}
		return nil
	case string:
		if len(l.enum) > 0 || schema.Choice(p.Name) {
			return nil
		}
		if like := likeNow(s, old, &l); like != nil && l.format == "" {
			return like.Value
		}
	case int64:
	default:
		return nil
	}
	if other, known := s.of(p, number); known && !reflect.DeepEqual(other, now) && reflect.TypeOf(other) == reflect.TypeOf(now) {
		return other
	}
	return nil
}

// otherWords is an object with other texts and numbers where it can have some.
func otherWords(s *sampler, p *schema.Property, old map[string]any, number int) map[string]any {
	next, _ := Clone(old).(map[string]any)
	for _, field := range p.Children {
		if now, has := old[field.Name]; has {
			if other := otherWord(s, field, now, number); other != nil {
				next[field.Name] = other
			}
		}
	}
	return next
}

// missing is an item that a list does not have, where items are one of few values: the one that is given, if it can be;
// false if the list has them all, and may have none twice.
func missing(p *schema.Property, items []any, item any) (any, bool) {
	enum := limitOf(p.Children[0].Schema).enum
	if len(enum) == 0 || !holdsValue(items, item) {
		return item, true
	}
	for _, other := range enum {
		if !holdsValue(items, other) {
			return Clone(other), true
		}
	}
	l := limitOf(p.Schema)
	return item, !l.unique
}

func holdsValue(items []any, v any) bool {
	return slices.ContainsFunc(items, func(other any) bool { return reflect.DeepEqual(other, v) })
}

// emptied is the case of a list or map with nothing in it, which is something else
// than none.
func emptied(l *limit, items []any, present bool, empty any) []Case {
	switch {
	case l.fewest > 0:
		return nil
	case len(items) > 0:
		return []Case{{Name: "emptied", Class: Removal, Value: empty}}
	case !present:
		return []Case{{Name: "empty", Value: empty}}
	}
	return nil
}

// filled is a list with samples added until there are n items.
func filled(s *sampler, p *schema.Property, items []any, n int) []any {
	list, _ := Clone(items).([]any)
	for len(list) < n {
		item, _ := s.of(p.Children[0], len(list))
		item, _ = missing(p, list, item)
		list = append(list, apart(s, p, list, item))
	}
	return list
}

// apart is an item that those of a list are told from: a table gives each the same name.
func apart(s *sampler, p *schema.Property, list []any, item any) any {
	key := Key(p)
	m, is := item.(map[string]any)
	if key == nil || !is {
		return item
	}
	same := func(other any) bool {
		o, _ := other.(map[string]any)
		return o != nil && o[key.Name] == m[key.Name]
	}
	l := limitOf(key.Schema)
	if name := s.draw.numbered(len(list)); slices.ContainsFunc(list, same) && l.matches(name) {
		m[key.Name] = name
	}
	return item
}

func arraySample(s *sampler, p *schema.Property, number int) any {
	l := limitOf(p.Schema)
	n := max(1, int(min(l.fewest, itemsMost))) + number%2
	if l.furthest >= 0 {
		n = min(n, int(l.furthest))
	}
	if _, known := s.of(p.Children[0], 0); !known {
		return []any{}
	}
	return filled(s, p, []any{}, n)
}
