package value

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

const (
	// labelMost is the longest name of DNS, and so of most objects that are made for items.
	labelMost = 63
	// cutFrom is how long names have to be at least for somebody to cut them.
	cutFrom = 20
)

// alike are two names, and how they differ.
type alike struct {
	how   string
	names [2]string
}

// alikes are names that the schema tells apart, and that who makes names of objects of them may take for one: these have no
// capitals, fewer signs, and an end.
func alikes(s *sampler, p *schema.Property) (all []alike) {
	l := limitOf(p.Schema)
	if len(l.enum) > 0 || l.format != "" {
		return nil
	}
	name := stringSample(s, p, 0)
	if name == "" { // nothing else is taken
		return nil
	}
	add := func(how, one, other string) bool {
		if one == other || !l.matches(one) || !l.matches(other) || strings.ContainsAny(one, "/:") {
			return false
		}
		all = append(all, alike{how, [2]string{one, other}})
		return true
	}
	_ = add("case", name, strings.ToUpper(name)) || add("case", name, strings.ToUpper(name[:1])+name[1:])
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
	for _, two := range alikes(at.sampler(), key) {
		s := at.sampler()
		list := filled(s, at.Property, items, len(items)+2)
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

// Key is what items of a list are told apart by: a field that the schema says, or that is called so, or they themselves, of a
// set of texts; nil for nothing.
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
