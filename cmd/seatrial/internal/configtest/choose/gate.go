package choose

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// gates are the feature gates that a change is about, each a change by itself: a flag has many in one text,
// --feature-gates=A=true,B=false. None if it is of no gate that is known.
func (l *linker) gates(c change.Change) []Change {
	if steps := c.Steps(); c.Kind == change.Key && len(steps) > 1 && strings.EqualFold(steps[len(steps)-2], "featureGates") {
		if out, is := l.gate(c, steps[len(steps)-1]); is {
			return []Change{out}
		}
		return nil
	}
	if c.Kind != change.Flag {
		return nil
	}
	before, is := gatesOf(c.Old)
	after, also := gatesOf(c.New)
	if !is || !also {
		return nil
	}
	names := maps.Clone(before)
	maps.Copy(names, after)
	var out []Change
	known := false
	for _, name := range slices.Sorted(maps.Keys(names)) {
		old, had := before[name]
		now, has := after[name]
		if had == has && old == now {
			continue
		}
		one := change.Change{Identity: c.Identity, Location: c.Location}
		one.Path = fmt.Sprintf("%s %s", c.Path, name)
		for _, v := range []struct {
			to   **change.Value
			text string
			is   bool
		}{{&one.Old, old, had}, {&one.New, now, has}} {
			if v.is {
				value := change.TextOf(v.text)
				*v.to = &value
			}
		}
		to, is := l.gate(one, name)
		out, known = append(out, to), known || is
	}
	if !known {
		return nil
	}
	return out
}

// gate is a change of one gate; false if no code is known that asks for it.
func (l *linker) gate(c change.Change, name string) (Change, bool) {
	out := Change{Change: c}
	l.named(&out, parameter.New(parameter.Feature, name))
	if out.Class == nil {
		out.Old, out.New = revealed(c.Old), revealed(c.New)
	}
	return out, out.Class != nil
}

// gatesOf are the gates that the values of a flag name; false if they are others. No flag has none.
func gatesOf(v *change.Value) (map[string]string, bool) {
	out := map[string]string{}
	if v == nil {
		return out, true
	}
	for _, text := range v.All() {
		for one := range strings.SplitSeq(text, ",") {
			name, value, has := strings.Cut(strings.TrimSpace(one), "=")
			if one = strings.TrimSpace(one); one == "" {
				continue
			}
			if !has || strings.ContainsAny(name, " /:.") {
				return nil, false
			}
			out[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	return out, true
}
