package oracle

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// wholeLeast is how long a value has to be to be looked for in a text of others.
const wholeLeast = 4

// hidden are the changes of texts that differ in each run, as one with a password does, and in which a value of the
// custom resource stands only where it was never another, or one that it does not have any more only where it was: what
// is drawn beside it does not do that.
func (v *view) hidden(noise unsteady, known []history.Difference) (out []history.Difference) {
	now, gone := v.c.values()
	if len(now)+len(gone) == 0 {
		return nil
	}
	all := *v
	all.mask = v.masking(v.c.Given)
	tells := func(d *history.Difference, ch history.Change) bool {
		if _, is := ch.From.(string); !is {
			return false
		}
		if _, is := ch.To.(string); !is {
			return false
		}
		has := func(side any, value string) bool { return holds(d.Resource, ch.Path, side, []string{value}) }
		return slices.ContainsFunc(now, func(s string) bool { return has(ch.From, s) && !has(ch.To, s) }) ||
			slices.ContainsFunc(gone, func(s string) bool { return has(ch.To, s) && !has(ch.From, s) })
	}
	for _, d := range all.differences() {
		if d.Type != history.Update || d.Key == v.c.Key || d.Resource == pods || noise.objects[d.Key] {
			continue
		}
		d.Changes = slices.DeleteFunc(slices.Clone(d.Changes), func(ch history.Change) bool {
			return !tells(&d, ch) || slices.ContainsFunc(known, func(k history.Difference) bool {
				return k.Key == d.Key && slices.ContainsFunc(k.Changes, func(other history.Change) bool { return other.Path == ch.Path && !noise.has(&k, ch.Path) })
			})
		})
		if len(d.Changes) > 0 {
			out = append(out, d)
		}
	}
	return out
}

// values are those that operations have set and the custom resource has, and those that stand nowhere else and it does
// not have any more.
func (c *Case) values() (now, gone []string) {
	text, err := json.Marshal(c.Last().End[c.Key].At("spec"))
	if err != nil {
		return nil, nil
	}
	for _, s := range c.sentinels() {
		if in(string(text), []string{s}) {
			now = append(now, s)
		} else if strings.Trim(s, decimals) != "" { // a number may be another's
			gone = append(gone, s)
		}
	}
	for _, o := range c.asked(0) {
		for _, ch := range o.Changes {
			now = append(now, long(ch.Value)...)
		}
	}
	if o := c.Last().Operation; o != nil {
		for _, ch := range o.Changes {
			now = append(now, long(ch.Value)...)
		}
	}
	return now, gone
}

// long are the texts and numbers of a value that are found again among others.
func long(v any) (all []string) {
	for _, part := range scalars(v) {
		if text := fmt.Sprint(part); len(text) >= wholeLeast {
			all = append(all, text)
		}
	}
	return all
}
