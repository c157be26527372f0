package choose

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// Values are what each of some changes is to be: a text as the protocol has it, or nil for nothing.
type Values []*string

// Before are the old values. What is unchanged is not given.
func Before(changes []Change) Values {
	out := make(Values, len(changes))
	for i, c := range changes {
		if !c.Unchanged {
			out[i] = c.Old
		}
	}
	return out
}

// With is the same with the new values of some changes, or with the only one of what is unchanged.
func (v Values) With(changes []Change, in []int) Values {
	out := slices.Clone(v)
	for _, i := range in {
		out[i] = changes[i].New
	}
	return out
}

// Inject is how values come to a process: at the loaders, and as variables that are set, or are not.
func Inject(changes []Change, values Values) (inject map[parameter.ID]string, environment map[string]string, unset []string) {
	inject, environment = map[parameter.ID]string{}, map[string]string{}
	documents := map[parameter.ID]any{}
	values = together(changes, values)
	for i, c := range changes {
		if c.Class == nil || c.Unknown != "" || c.Unchanged && values[i] == nil {
			continue
		}
		for _, id := range c.aliases() {
			if values[i] != nil && !c.Unchanged {
				inject[record.AliasOf(id)] = value.Bare(*values[i])
			}
		}
		for _, id := range c.IDs {
			switch now := values[i]; {
			case id.Kind() == parameter.Env && now == nil:
				unset = append(unset, id.Name())
			case id.Kind() == parameter.Env:
				environment[id.Name()] = *now
			case now == nil:
			case id.Kind() == parameter.Field:
				of, place := c.Type, c.Place
				if other, is := c.Also[id]; is {
					of = other
					place = strings.TrimPrefix(string(id), string(of)+".")
				}
				documents[of] = merge(documents[of], strings.Split(place, "."), json.RawMessage(*now))
				if text := c.spelt(now); text != "" {
					documents[of+record.Spelt] = merge(documents[of+record.Spelt], strings.Split(place, "."), json.RawMessage(text))
				}
			default:
				inject[id] = *now
			}
		}
	}
	for root, d := range documents {
		if text, err := json.Marshal(d); err == nil {
			inject[root] = string(text)
		}
	}
	return inject, environment, unset
}

// spelt is a text in JSON: how one of both values is written, if that matters; empty if it does not.
func (c Change) spelt(value *string) string {
	for _, of := range []struct {
		value *string
		from  *change.Value
	}{{c.Old, c.Change.Old}, {c.New, c.Change.New}} {
		if value != of.value || of.from == nil || of.from.Spelt() == "" || len(c.Parts) > 1 || len(c.Within) > 0 || string(of.from.JSON()) != *value {
			continue
		}
		out, _ := json.Marshal(of.from.Spelt()) // no text is refused
		return string(out)
	}
	return ""
}

func merge(to any, at []string, value json.RawMessage) any {
	if len(at) == 0 {
		return value
	}
	tree, is := to.(map[string]any)
	if !is {
		tree = map[string]any{}
	}
	tree[at[0]] = merge(tree[at[0]], at[1:], value)
	return tree
}
