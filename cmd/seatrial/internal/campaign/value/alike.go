package value

import (
	"reflect"
	"slices"
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

const (
	// labelMost is the longest name of DNS, and so of most objects that are made for items.
	labelMost = 63
	// cutFrom is how long names have to be at least for somebody to cut them.
	cutFrom = 20
	// capitals is how names differ that are one to who does not tell these.
	capitals = "case"
)

// alike are two names, and how they differ.
type alike struct {
	how   string
	names [2]string
}

// alikes are names that the schema tells apart, and that who makes names of objects of them may take for one: these
// have no capitals, fewer signs, and an end.
func alikes(name string, l *limit) (all []alike) {
	if name == "" || len(l.enum) > 0 || l.format != "" { // nothing else is taken
		return nil
	}
	add := func(how, one, other string) bool {
		if one == other || !l.matches(one) || !l.matches(other) || strings.ContainsAny(one, "/:") {
			return false
		}
		all = append(all, alike{how, [2]string{one, other}})
		return true
	}
	_ = add(capitals, name, strings.ToUpper(name)) || add(capitals, name, strings.ToUpper(name[:1])+name[1:])
	for _, sign := range []string{"_", ".", "-"} {
		other := strings.Map(func(c rune) rune {
			if strings.ContainsRune("-_.", c) {
				return rune(sign[0])
			}
			return c
		}, name)
		if add("a sign", name, other) {
			break
		}
	}
	most := labelMost
	if l.longest >= 0 {
		most = min(most, int(l.longest))
	}
	if most >= cutFrom {
		add("their end", long(name, most-1)+"a", long(name, most-1)+"b")
	}
	return all
}

// alikeItems are cases of a list whose items have names, with two more that are alike.
func alikeItems(at *Place, items []any, l *limit) (all []Case) {
	key := Key(at.Property)
	if key == nil || l.furthest >= 0 && l.furthest < int64(len(items)+2) {
		return nil
	}
	of := limitOf(key.Schema)
	s := at.sampler()
	more := filled(s, at.Property, items, len(items)+2)
	for _, two := range alikes(stringSample(s, key, 0), &of) { // not a text that an item has
		list, _ := Clone(more).([]any)
		for i, name := range two.names {
			if key == at.Property.Children[0] {
				list[len(items)+i] = name
			} else if item, is := list[len(items)+i].(map[string]any); is {
				item[key.Name] = name
			}
		}
		all = append(all, Case{Name: "two items whose names differ in " + two.how, Value: list})
	}
	return all
}

// entire is behind the name of a case whose item has all that another one has.
const entire = ", and has all that it has"

// sharing are cases of a list whose items are told apart by several fields together: one more, of which all of these
// but one are as the last item has them. Who tells items apart by fewer takes both for one. It has what an item has to
// have, and if that is refused all that the last one has, in other words; and where no other word is taken, as of the
// name of something that has to be there, what another item has. So it is with one that differs in a sign from an item
// that has some.
func sharing(at *Place, items []any) (all []Case) {
	keys := at.Property.Schema.XListMapKeys
	if len(keys) < 2 || len(items) == 0 {
		return nil
	}
	each := at.Property.Children[0]
	sample, _ := at.sampler().of(each, len(items))
	least, known := sample.(map[string]any)
	last, is := items[len(items)-1].(map[string]any)
	if !is || !known {
		return nil
	}
	add := func(of map[string]any, key string, other any, name, instead string) {
		one := func(item map[string]any) map[string]any {
			item, _ = Clone(item).(map[string]any)
			for _, same := range keys {
				if v, has := of[same]; has {
					item[same] = v
				}
			}
			item[key] = other
			return item
		}
		if slices.ContainsFunc(items, func(item any) bool { return sameKeys(item, one(least), keys) }) {
			return
		}
		path, whole := []any{len(items)}, otherWords(at.sampler(), each, of, len(items))
		all = append(all, Case{Name: name, Path: path, Value: one(least), Instead: instead}, Case{Name: name + entire, Path: path, Value: one(whole), Instead: name})
	}
	for _, key := range keys {
		i := slices.IndexFunc(each.Children, func(f *schema.Property) bool { return f.Name == key })
		if i < 0 {
			continue
		}
		name, instead := "item added that differs from the last one in "+key, ""
		if other := otherKey(at, each.Children[i], last[key], len(items)); other != nil {
			add(last, key, other, name, "")
			instead = name + entire
		}
		if other := ofOthers(items, key, last[key]); other != nil {
			add(last, key, other, name+", which it has from another one", instead)
		}
		if of, other := signed(items, key, each.Children[i]); of != nil {
			add(of, key, other, "item added that differs from another one in a sign of "+key, "")
		}
	}
	return all
}

// sameKeys tells whether two items have the same of what items are told apart by.
func sameKeys(item any, other map[string]any, keys []string) bool {
	one, is := item.(map[string]any)
	return is && !slices.ContainsFunc(keys, func(key string) bool { return !reflect.DeepEqual(one[key], other[key]) })
}

// ofOthers is what the first of some items has that has something else in a field; nil if none has.
func ofOthers(items []any, field string, now any) any {
	for _, item := range items {
		if one, is := item.(map[string]any); is && one[field] != nil && !reflect.DeepEqual(one[field], now) {
			return Clone(one[field])
		}
	}
	return nil
}

// inner are the signs of a name or a path but for the first: what comes of them in the name of an object or of a file
// is often one sign for all.
const inner = "-_./"

// signed is the first of some items that has a text with signs in it in a field, and that text with another sign; nil
// if there is none that the schema takes.
func signed(items []any, field string, p *schema.Property) (of map[string]any, other string) {
	l := limitOf(p.Schema)
	if len(l.enum) > 0 || l.format != "" {
		return nil, ""
	}
	for _, item := range items {
		one, _ := item.(map[string]any)
		text, _ := one[field].(string)
		if len(text) < 2 || !strings.ContainsAny(text[1:], inner) || strings.Contains(text, "://") {
			continue
		}
		at := strings.LastIndexAny(text[1:], inner) + 1
		for _, sign := range inner {
			if other := text[:at] + string(sign) + text[at+1:]; other != text && l.matches(other) {
				return one, other
			}
		}
	}
	return nil, ""
}

// otherKey is another value of a field by which items are told apart; nil if there is none.
func otherKey(at *Place, field *schema.Property, now any, number int) any {
	for _, other := range limitOf(field.Schema).enum {
		if !reflect.DeepEqual(other, now) {
			return Clone(other)
		}
	}
	return otherWord(at.sampler(), field, now, number)
}

// alikeKeys are cases of a map with two more keys that are alike, but for capitals: settings and variables are often
// the same in these.
func alikeKeys(at *Place, now map[string]any, l *limit) (all []Case) {
	if l.allKeys >= 0 && l.allKeys < int64(len(now)+2) {
		return nil
	}
	free := limitOf(&structural.Structural{Generic: structural.Generic{Type: "string"}})
	for _, two := range alikes(at.sampler().text(), &free) {
		if two.how == capitals {
			continue
		}
		s := at.sampler()
		m, _ := Clone(now).(map[string]any)
		if m == nil {
			m = map[string]any{}
		}
		for _, name := range two.names {
			_ = s.text() // what stands there is another text than the name
			m[name], _ = s.of(at.Property.Children[0], len(m))
		}
		all = append(all, Case{Name: "two keys that differ in " + two.how, Value: m})
	}
	return all
}

// Key is what items of a list are told apart by: a field that the schema says, or that is called so, or they
// themselves, of a set of texts; nil for nothing.
func Key(p *schema.Property) *schema.Property {
	item, keys := p.Children[0], p.Schema.XListMapKeys
	switch {
	case len(keys) == 0 && item.Schema.Type == "string" && p.Schema.XListType != nil && *p.Schema.XListType == "set":
		return item
	case len(keys) > 1:
		return nil
	}
	i := slices.IndexFunc(item.Children, func(c *schema.Property) bool {
		return c.Schema.Type == "string" && (len(keys) == 1 && c.Name == keys[0] || len(keys) == 0 && c.Name == "name" && c.Required)
	})
	if i < 0 {
		return nil
	}
	return item.Children[i]
}
