package oracle

import (
	"fmt"
	"reflect"
	"time"
)

// overridden says that the operator has set what the last operation has set to something else, where the resource was
// never another, too: one that writes the whole resource leaves out what is empty to its language, and the default
// comes. What it takes out or switches off may have been asked for once.
func (c *Case) overridden() []Deviation {
	last := c.Last()
	if len(last.Operation.Changes) != 1 || last.Operation.Changes[0].Remove {
		return nil
	}
	ch := last.Operation.Changes[0]
	set, has := ch.At(last.Resource)
	now, _ := ch.At(last.End[c.Key])
	if !has || !plain(set) || hollow(now) || sameInOtherForm(set, now) {
		return nil
	}
	if c.Twin != nil {
		if twin, _ := ch.At(c.Twin.End[c.Key]); !reflect.DeepEqual(twin, now) {
			return nil // they differ, which is said of both
		}
	}
	return []Deviation{{
		Object: c.Key, Path: last.Operation.Property, Expected: set, Found: now, Place: overwrites,
		Text: fmt.Sprintf("%s of %s was applied as %s, and the operator sets it to %s", last.Operation.Property, c.Key, say(set), say(now)),
	}}
}

// plain tells whether a value is neither an object nor a list, nor nothing.
func plain(v any) bool {
	switch v.(type) {
	case map[string]any, []any, nil:
		return false
	}
	return true
}

// sameInOtherForm tells whether two values are the same, the same quantity, or the same time.
func sameInOtherForm(a, b any) bool {
	one, isOne := quantity(a)
	other, isOther := quantity(b)
	if reflect.DeepEqual(a, b) || isOne && isOther && one.Cmp(other) == 0 {
		return true
	}
	from, fromErr := time.ParseDuration(fmt.Sprint(a))
	to, toErr := time.ParseDuration(fmt.Sprint(b))
	return fromErr == nil && toErr == nil && from == to
}
