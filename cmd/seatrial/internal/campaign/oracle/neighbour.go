package oracle

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
	"github.com/seatrial/seatrial/history"
)

// Two items of a list, or two keys of a map, may fall together in what is made of them: their names are cut off, or
// written with other signs, and the last one wins. Or only the first is asked for a part that each may have. No twin
// shows that, which makes the same of them. So an item is held to its neighbours: what it says is somewhere, as what
// they say is.

const (
	// wordLeast is how long a text has to be at least to be looked for, and partsMost how many of an item are.
	wordLeast, partsMost = 4, 8
	// cutTo is how much of their names two items have in common that are one to somebody who cuts names off.
	cutTo = 20
)

// item is one of a list, or what a map has at a key.
type item struct {
	at    string // as paths have it: [1], ["key"]
	name  string // what it is known by; empty for nothing
	keys  []any  // what it is known by together, if that is more than one
	keyed bool   // of a map
	value any
}

// neighbours are values of items that are nowhere, while the same part of another is, or that are not where they were
// any more. They are looked for where an operation adds items, and takes none away.
func (c *Case) neighbours() []Deviation {
	where, before, after := c.items()
	kept, added := newcomers(before, after)
	if len(added) == 0 || len(kept) < len(before) || c.Fails() {
		return nil
	}
	for _, one := range kept {
		if d := c.supplanted(where, one); d != nil {
			return []Deviation{*d}
		}
	}
	each := c.Properties[where].Children[0]
	for i, one := range added {
		for _, other := range slices.Concat(kept, added[:i], added[i+1:]) {
			if !c.sameChoices(each, one.value, other.value) {
				continue
			}
			if d := c.passedOver(where, one, other); d != nil {
				return []Deviation{*d}
			}
		}
	}
	return nil
}

// items are those of the list or map that the last operation is about, before and behind it, and where it is; none if
// it is about something else.
func (c *Case) items() (where string, before, after []item) {
	o := c.Last().Operation
	if len(o.Changes) != 1 || o.Changes[0].Remove {
		return "", nil, nil
	}
	p := c.Properties[o.Property]
	if p == nil || !holdsItems(p) {
		return "", nil, nil
	}
	path := wholePath(o)
	path = path[:min(len(path), len(tokens(o.Property)))]
	return o.Property, c.itemsAt(c.Last().Start[c.Key], p, path), c.itemsAt(c.Last().End[c.Key], p, path)
}

// holdsItems tells whether a property is a list or a map.
func holdsItems(p *schema.Property) bool {
	return len(p.Children) == 1 && (p.Children[0].Name == "[]" || p.Children[0].Name == "{}")
}

// itemsAt are the items of a list or map that a resource has at a path.
func (c *Case) itemsAt(resource history.Object, p *schema.Property, path []any) (all []item) {
	key := ""
	if named := value.Key(p); named != nil {
		key = named.Name
	}
	v, _ := (&operation.Change{Path: path}).At(resource)
	switch v := v.(type) {
	case []any:
		for i, inner := range v {
			all = append(all, item{at: "[" + strconv.Itoa(i) + "]", name: nameOf(inner, key), keys: keysIn(inner, p.Schema.XListMapKeys), value: inner})
		}
	case map[string]any:
		for _, key := range sortedKeys(v) {
			all = append(all, item{at: "[" + strconv.Quote(key) + "]", name: key, keyed: true, value: v[key]})
		}
	}
	return all
}

// newcomers tells those items that were there before from those that were not. One of a list may have moved.
func newcomers(before, after []item) (kept, added []item) {
	for _, one := range after {
		if slices.ContainsFunc(before, func(old item) bool {
			return reflect.DeepEqual(old.value, one.value) && (old.at == one.at || !one.keyed)
		}) {
			kept = append(kept, one)
		} else {
			added = append(added, one)
		}
	}
	return kept, added
}

// supplanted is what an item says that was there before, was somewhere, and is nowhere now; nil for nothing.
func (c *Case) supplanted(where string, one item) *Deviation {
	for _, part := range c.parts(one) {
		was, is := c.seen(c.Last().Start, part.text), c.seen(c.Last().End, part.text)
		if was == nil || is != nil || slices.Contains(passing, was.Resource) || c.twinHas(part.text) {
			continue
		}
		return &Deviation{
			Object: c.keyOf(*was), Path: was.Path, Expected: part.text, Place: "neighbour " + c.general(part.at),
			Text: fmt.Sprintf("%s%s%s is still %q, and that is nowhere since there are others beside: it was %s", where, one.at, part.at, part.text, *was),
		}
	}
	return nil
}

// passedOver is what an item says that is nowhere, while what another says in the same place is somewhere; nil for
// nothing. Of an item of which nothing is anywhere that says only something where its name may be taken for the
// other's: it may have no part.
func (c *Case) passedOver(where string, one, other item) *Deviation {
	parts, others := c.parts(one), map[string]string{}
	for _, part := range c.parts(other) {
		others[part.at] = part.text
	}
	taken := mistakable(one, other)
	used := taken || slices.ContainsFunc(parts, func(p part) bool { return c.seen(c.Last().End, p.text) != nil })
	if !used {
		return nil
	}
	for _, part := range parts {
		theirs := others[part.at]
		if theirs == "" || c.seen(c.Last().End, part.text) != nil || c.twinHas(part.text) {
			continue
		}
		leaf := c.seen(c.Last().End, theirs)
		if leaf == nil {
			continue
		}
		d := &Deviation{
			Object: c.keyOf(*leaf), Path: leaf.Path, Expected: part.text, Place: "neighbour " + c.general(part.at),
			Text: fmt.Sprintf("%q of %s%s%s is nowhere, while %q of %s%s%s is %s", part.text, where, one.at, part.at, theirs, where, other.at, part.at, *leaf),
		}
		if taken {
			d.Found = theirs
		}
		return d
	}
	return nil
}

// passing are objects that come and go by themselves: that something is in them no more says nothing.
var passing = []string{pods, replicaSets, revisions, jobs, events}

// seen is where a text is in a state, nil for nowhere.
func (c *Case) seen(s history.State, text string) *Leaf {
	leaves := sortedLeaves(c.leavesWith(s, func(in string) bool { return times(in, text) > 0 }))
	lasting := slices.IndexFunc(leaves, func(l Leaf) bool { return !slices.Contains(passing, l.Resource) })
	if len(leaves) == 0 {
		return nil
	}
	return &leaves[max(lasting, 0)]
}

func (c *Case) twinHas(text string) bool { return c.Twin != nil && c.seen(c.Twin.End, text) != nil }

// part is what an item says in one place.
type part struct{ at, text string }

// parts are the texts of an item, and large numbers, that stand nowhere else in the resource, in order. What it is
// known by is none.
func (c *Case) parts(one item) (all []part) {
	whole, err := json.Marshal(c.Last().End[c.Key].At("spec"))
	if err != nil {
		return nil
	}
	var look func(at, name string, v any)
	look = func(at, name string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, key := range sortedKeys(v) {
				look(at+"."+key, key, v[key])
			}
		case []any:
			for i, inner := range v {
				look(at+"["+strconv.Itoa(i)+"]", name, inner)
			}
		case string, int64:
			said, err := json.Marshal(v)
			word := strings.Trim(string(said), `"`)
			if err != nil || len(word) < wordLeast || v == any(one.name) || slices.Contains(identities, strings.ToLower(name)) || times(string(whole), word) != 1 {
				return
			}
			all = append(all, part{at, fmt.Sprint(v)})
		}
	}
	look("", "", one.value)
	return all[:min(len(all), partsMost)]
}

// times is how often a text stands in another one as a whole, whatever its capitals: what is drawn begins as another
// does.
func times(in, text string) (n int) {
	in, text = strings.ToLower(in), strings.ToLower(text)
	inner := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' }
	for at := 0; text != ""; {
		i := strings.Index(in[at:], text)
		if i < 0 {
			return n
		}
		before, _ := utf8.DecodeLastRuneInString(in[:at+i])
		after, _ := utf8.DecodeRuneInString(in[at+i+len(text):])
		if !inner(before) && !inner(after) {
			n++
		}
		at += i + len(text)
	}
	return n
}

// mistakable tells whether two items have names that somebody may take for one: without signs and capitals, or cut off;
// or one of several keys in common.
func mistakable(one, other item) bool {
	for i, key := range one.keys {
		if i < len(other.keys) && plain(key) && reflect.DeepEqual(key, other.keys[i]) {
			return true
		}
	}
	a, b := one.name, other.name
	if a == "" || b == "" {
		return false
	}
	bare := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, s)
	}
	return bare(a) == bare(b) || len(a) > cutTo && len(b) > cutTo && a[:cutTo] == b[:cutTo]
}

// keysIn are the keys of an item that has several, nil for one that it does not have; none for fewer.
func keysIn(v any, keys []string) (all []any) {
	m, _ := v.(map[string]any)
	if len(keys) < 2 {
		return nil
	}
	for _, key := range keys {
		all = append(all, m[key])
	}
	return all
}

// nameOf is what an item of a list is known by: the field that the schema says, or one that is called so; empty for
// nothing.
func nameOf(v any, key string) string {
	m, _ := v.(map[string]any)
	if name, is := m[key].(string); is {
		return name
	}
	for _, field := range sortedKeys(m) {
		if name, is := m[field].(string); is && slices.Contains(identities, strings.ToLower(field)) {
			return name
		}
	}
	return ""
}

// sameChoices tells whether two values of a property are alike in all that is one of few: what is on, and of which kind
// it is. Where they are not, either may have parts that the other has not. Two words that were made up are no choice.
func (c *Case) sameChoices(p *schema.Property, a, b any) bool {
	drawn := func(v any) bool { return slices.Contains(c.Last().Operation.Sentinels, fmt.Sprint(v)) }
	switch {
	case p.Schema.Type == "boolean" || p.Schema.ValueValidation != nil && len(p.Schema.ValueValidation.Enum) > 0:
		return reflect.DeepEqual(a, b)
	case schema.Choice(p.Name):
		return reflect.DeepEqual(a, b) || drawn(a) && drawn(b)
	}
	one, _ := a.(map[string]any)
	other, _ := b.(map[string]any)
	for _, child := range p.Children {
		if child.Name != "[]" && child.Name != "{}" && !c.sameChoices(child, one[child.Name], other[child.Name]) {
			return false
		}
	}
	return true
}
