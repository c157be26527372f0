package oracle

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// What two items of a list are given may be kept in one place by mistake: a slice that both append to, a variable of a
// loop. Whether that shows may hang on something that is about neither of them, as how many settings all have in
// common. No twin shows it, which makes the same of that.

// crossed is what an item says, as before, and was somewhere, and is nowhere since the last operation, which is about
// something else; where it was is now what another item says in the same place.
func (c *Case) crossed() []Deviation {
	last := c.Last()
	if c.Fails() {
		return nil
	}
	var before, after history.State
	for _, where := range sortedKeys(c.Properties) {
		p := c.Properties[where]
		if !holdsItems(p) || strings.ContainsAny(where, "[{") {
			continue
		}
		var path []any
		for _, name := range tokens(where) {
			path = append(path, name)
		}
		old, now := c.itemsAt(last.Start[c.Key], p, path), c.itemsAt(last.End[c.Key], p, path)
		kept, _ := newcomers(old, now)
		if len(kept) < 2 {
			continue
		}
		if before == nil {
			before, after = c.changedObjects()
		}
		if len(before) == 0 {
			return nil
		}
		for _, one := range kept {
			for _, other := range kept {
				if one.at == other.at {
					continue
				}
				if d := c.crossing(where, one, other, before, after); d != nil {
					return []Deviation{*d}
				}
			}
		}
	}
	return nil
}

// changedObjects are the objects that the last step has changed, before and behind it.
func (c *Case) changedObjects() (before, after history.State) {
	before, after = history.State{}, history.State{}
	for key, o := range c.Last().Start {
		now, there := c.Last().End[key]
		if key != c.Key && there && !slices.Contains(passing, key.Resource) && !reflect.DeepEqual(o, now) {
			before[key], after[key] = o, now
		}
	}
	return before, after
}

// lasts tells whether a text is in what does not pass: an old ReplicaSet, or a revision of a StatefulSet, has what was
// before.
func (c *Case) lasts(s history.State, text string) bool {
	leaf := c.seen(s, text)
	return leaf != nil && !slices.Contains(passing, leaf.Resource)
}

// crossing is where an item was, in what was written, and another one is now; nil for nowhere.
func (c *Case) crossing(where string, one, other item, before, after history.State) *Deviation {
	others := map[string]string{}
	for _, part := range c.parts(other) {
		others[part.at] = part.text
	}
	for _, part := range c.parts(one) {
		theirs := others[part.at]
		if theirs == "" || theirs == part.text {
			continue
		}
		had := func(s history.State, text string) map[Leaf]any {
			return c.leavesWith(s, func(in string) bool { return times(in, text) > 0 })
		}
		was := had(before, part.text)
		if len(was) == 0 || len(had(after, part.text)) > 0 || c.lasts(c.Last().End, part.text) || c.Twin != nil && c.lasts(c.Twin.End, part.text) {
			continue
		}
		theirsWas, theirsIs := had(before, theirs), had(after, theirs)
		for _, leaf := range sortedLeaves(was) {
			if theirsWas[leaf] != nil || theirsIs[leaf] == nil {
				continue
			}
			return &Deviation{
				Object: c.keyOf(leaf), Path: leaf.Path, Expected: part.text, Found: theirs, Place: "crossed " + c.general(part.at),
				Text: fmt.Sprintf("%q of %s%s%s is where %q of %s%s%s was, and still should be: %s", theirs, where, other.at, part.at, part.text, where, one.at, part.at, leaf),
			}
		}
	}
	return nil
}
