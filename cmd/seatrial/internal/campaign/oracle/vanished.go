package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// vanished says of a last operation that sets a number, or a percentage, to another one, neither of them nothing, that
// an object is gone whose field of the same name had the one before, where the resource was never another, too: who
// asks for the number of a percentage gets 0, and takes it for none.
func (c *Case) vanished() []Deviation {
	last := c.Last()
	if len(last.Operation.Changes) != 1 || last.Operation.Changes[0].Remove {
		return nil
	}
	ch := last.Operation.Changes[0]
	name, _ := ch.Path[len(ch.Path)-1].(string)
	was, _ := ch.At(last.Start[c.Key])
	set, _ := ch.At(last.End[c.Key])
	if name == "" || !some(was) || !some(set) {
		return nil
	}
	for _, key := range last.Start.Keys() {
		if _, there := last.End[key]; there || key == c.Key || !c.own(key) || slices.Contains(passing, key.Resource) || c.newcomer(key.Resource, func(history.Key) bool { return true }) {
			continue
		}
		if c.Twin != nil && c.Twin.End[key] != nil {
			continue
		}
		had := ""
		walk("", map[string]any(last.Start[key]), func(path string, v any) {
			if v == was && strings.HasPrefix(path, "spec") && strings.HasSuffix(path, "."+name) {
				had = path
			}
		})
		if had == "" {
			continue
		}
		return []Deviation{{
			Object: key, Property: last.Operation.Property, Place: "vanished", Expected: set,
			Text: fmt.Sprintf("%s is %v, and %s is gone, of which %s was %v before", last.Operation.Property, set, key, had, was),
		}}
	}
	return nil
}

// some tells whether a value is a number of something, or a percentage of it, and not none of it.
func some(v any) bool {
	switch v := v.(type) {
	case int64:
		return v > 0
	case string:
		n, is := strings.CutSuffix(v, "%")
		return is && strings.Trim(n, "0123456789") == "" && strings.Trim(n, "0") != ""
	}
	return false
}
