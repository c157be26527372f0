package oracle

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/history"
)

// further tells whether the last step has only changed what is behind the first item of its property, a list: items
// came that were not there before. None of these counts that may have no part, since a switch in it is off, it lacks a
// list or an object that the first has, or something else of the resource chooses among the items by name.
func (t *Tracer) further(c *Case) bool {
	last := c.Last()
	path := last.Operation.Changes[0].Path
	if n := len(path) - 1; n > 0 {
		if _, item := path[n].(int); item {
			path = path[:n]
		}
	}
	at := operation.Change{Path: path}
	had, _ := at.At(last.Start[c.Key])
	has, _ := at.At(last.End[c.Key])
	before, _ := had.([]any)
	now, _ := has.([]any)
	if len(before) == 0 || len(now) < 2 || !reflect.DeepEqual(before[0], now[0]) {
		return false
	}
	known := func(item any) bool {
		return slices.ContainsFunc(before, func(old any) bool { return reflect.DeepEqual(item, old) })
	}
	added := slices.DeleteFunc(slices.Clone(now[1:]), func(item any) bool {
		m, _ := item.(map[string]any)
		return known(item) || lesser(m, before[0]) || t.off(last.Operation.Property+"[]", m, nil, "", false)
	})
	return len(added) > 0 && !chosenByName(last.End[c.Key], path, now)
}

// lesser tells whether an item lacks a list or an object that another one has: without what it is about it may well be
// nothing, as a rule without anybody to let in.
func lesser(item map[string]any, other any) bool {
	whole, _ := other.(map[string]any)
	for field, v := range whole {
		if _, has := item[field]; !has && item != nil && !plain(v) && !empty(v) {
			return true
		}
	}
	return false
}

// identities are what fields of items are called by which others speak of one.
var identities = []string{"name", "id", "key"}

// chosenByName tells whether any text of a resource beside a list is the name of one of its items.
func chosenByName(resource history.Object, path []any, items []any) bool {
	names := map[string]bool{}
	for _, item := range items {
		switch item := item.(type) {
		case string:
			names[item] = true
		case map[string]any:
			for field, v := range item {
				if text, is := v.(string); is && slices.Contains(identities, strings.ToLower(field)) {
					names[text] = true
				}
			}
		}
	}
	found := false
	var look func(at []any, v any)
	look = func(at []any, v any) {
		switch v := v.(type) {
		case map[string]any:
			for field, inner := range v {
				look(append(slices.Clone(at), field), inner)
			}
		case []any:
			if reflect.DeepEqual(at, path) {
				return
			}
			for i, inner := range v {
				look(append(slices.Clone(at), i), inner)
			}
		case string:
			found = found || names[v]
		}
	}
	look([]any{"spec"}, resource.At("spec"))
	return found
}

// deaf says of a list that values of its first item go somewhere, and nothing comes of those behind it; mu is held.
func (t *Tracer) deaf(list string) (Traced, bool) {
	behind, first := t.behindFirst(list)
	if len(behind) < valuesMin {
		return t.deafBehind(list)
	}
	return Traced{Deviation: Deviation{
		Oracle: deadName, Property: list, Place: "further items",
		Text: fmt.Sprintf("nothing comes of items of %s behind the first: %d times others were added, and they are nowhere, nor did the operator write anything; values of %s go to %s",
			list, len(behind), first.operation.Property, sortedLeaves(first.leaves)[0]),
	}, Operations: t.shown(list, behind, first), Seen: len(behind)}, true
}

// deafBehind says of a part of the items of a list that its values go somewhere from the first, and from others they do
// not; mu is held.
func (t *Tracer) deafBehind(property string) (Traced, bool) {
	var behind []*probe
	var first *probe
	for _, id := range sortedKeys(t.probes[property]) {
		switch p := t.probes[property][id]; {
		case p.behind && (p.wrote || len(p.leaves) > 0):
			return Traced{}, false
		case p.behind && !p.idle && !p.alone && len(p.operation.Sentinels) > 0:
			behind = append(behind, p)
		case !p.behind && len(p.leaves) > 0 && first == nil:
			first = p
		}
	}
	if len(behind) == 0 || first == nil {
		return Traced{}, false
	}
	return Traced{Deviation: Deviation{
		Oracle: deadName, Property: property, Place: "part of further items",
		Text: fmt.Sprintf("nothing comes of %s of an item behind the first: another value is nowhere, nor did the operator write anything, while what the first item says goes to %s", property, sortedLeaves(first.leaves)[0]),
	}, Operations: t.shown(property, behind, first), Seen: len(behind)}, true
}

// behindTheFirst tells whether the last step changes a part of an item behind the first of a list that was there
// before, and of which another part is somewhere.
func (c *Case) behindTheFirst() bool {
	path := c.Last().Operation.Changes[0].Path
	for i := len(path) - 2; i >= 0; i-- {
		n, is := path[i].(int)
		if !is {
			continue
		}
		at := operation.Change{Path: path[:i+1]}
		now, has := at.At(c.Last().End[c.Key])
		_, had := at.At(c.Last().Start[c.Key])
		set := c.Last().Operation.Sentinels
		return n > 0 && has && had && slices.ContainsFunc(c.parts(item{value: now}), func(p part) bool {
			return !slices.Contains(set, p.text) && c.seen(c.Last().End, p.text) != nil
		})
	}
	return false
}

// behindFirst are the operations that add items behind the first of a list, one for each value, if nothing came of any;
// and one of which a value was seen that is of the first item. Nil if there is none of either.
func (t *Tracer) behindFirst(list string) (behind []*probe, first *probe) {
	known := map[string]bool{}
	for _, id := range sortedKeys(t.probes[list]) {
		p := t.probes[list][id]
		if !p.further {
			continue
		}
		if p.wrote || len(p.leaves) > 0 {
			return nil, nil
		}
		if change := fmt.Sprint(p.operation.Changes[0]); !p.idle && len(p.operation.Sentinels) > 0 && !known[change] {
			known[change] = true
			behind = append(behind, p)
		}
	}
	if len(behind) == 0 {
		return nil, nil
	}
	if first = t.traced(list); first == nil {
		return nil, nil
	}
	return behind, first
}

// traced is an operation on a list or a part of it, beside those behind its first item, whose values were seen; nil for
// none.
func (t *Tracer) traced(list string) *probe {
	for _, property := range sortedKeys(t.probes) {
		if property != list && !partOf(property, list) {
			continue
		}
		for _, id := range sortedKeys(t.probes[property]) {
			if p := t.probes[property][id]; !p.further && len(p.leaves) > 0 {
				return p
			}
		}
	}
	return nil
}

// tokens are the names in the path of a property, with [] and {} as names of their own.
func tokens(property string) []string {
	return strings.Split(strings.NewReplacer("[]", ".[]", "{}", ".{}").Replace(property), ".")
}

// wholePath is the path of an operation's property, also where the operation has set what that is in.
func wholePath(o *operation.Operation) []any {
	path := slices.Clone(o.Changes[0].Path)
	for _, name := range tokens(o.Property)[min(len(path), len(tokens(o.Property))):] {
		switch name {
		case "[]":
			path = append(path, 0)
		case "{}":
			return path // of which keys nothing is known
		default:
			path = append(path, name)
		}
	}
	return path
}
