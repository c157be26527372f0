package value

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Likeness says in what two texts differ that say the same to whoever looks at them, and may not to a program; empty if
// they differ in more, or in nothing.
func Likeness(old, now string) string {
	old, now = Bare(old), Bare(now)
	switch {
	case old == now:
		return ""
	case strings.ContainsAny(old, ",;") && slices.Equal(items(old), items(now)):
		if blank := func(text string) string { return strings.Join(strings.Fields(text), "") }; blank(old) != blank(now) {
			return "only what is between the items differs"
		}
		return "only blanks between items differ"
	case strings.Contains(strings.TrimSuffix(old, "/"), "/") && strings.TrimSuffix(old, "/") == strings.TrimSuffix(now, "/"):
		return "only a slash at the end differs"
	case strings.Contains(strings.TrimSuffix(old, "."), ".") && strings.TrimSuffix(old, ".") == strings.TrimSuffix(now, "."):
		return "only a point at the end differs"
	case sameHour(old, now):
		return "it is the same time of day"
	case Reordered(old, now):
		return "the same items are in another order"
	}
	return ""
}

// Alike tells whether two texts have a likeness.
func Alike(old, now string) bool { return Likeness(old, now) != "" }

// sameHour tells whether two texts are one time of day: 06:00 and 6:00.
func sameHour(old, now string) bool {
	was, a := clockOf(old)
	is, b := clockOf(now)
	return a && b && was.hour == is.hour && was.rest == is.rest
}

// Reordered tells whether two lists, as JSON has them or with signs between, have the same items, and these in another
// order.
func Reordered(old, now string) bool {
	was, is := itemsOf(old), itemsOf(now)
	if len(was) < 2 || slices.Equal(was, is) {
		return false
	}
	slices.Sort(was)
	slices.Sort(is)
	return slices.Equal(was, is)
}

// Order says of a list of objects that is reordered, as JSON, what each item says, and at which place of the old one
// each of the new one was; false if it is none, or has two items that are equal.
func Order(old, now string) (string, bool) {
	if !Reordered(old, now) || !strings.HasPrefix(strings.TrimSpace(old), "[") {
		return "", false
	}
	was, is := itemsOf(old), itemsOf(now)
	var order struct {
		Items [][]string `json:"items"`
		To    []int      `json:"to"`
	}
	for i, item := range was {
		if !strings.HasPrefix(item, "{") || slices.Index(was, item) != i {
			return "", false
		}
		order.Items = append(order.Items, Scalars(item))
	}
	for _, item := range is {
		order.To = append(order.To, slices.Index(was, item))
	}
	text, err := json.Marshal(order)
	return string(text), err == nil
}

// itemsOf are those of a list.
func itemsOf(text string) (out []string) {
	var all []json.RawMessage
	if json.Unmarshal([]byte(text), &all) != nil {
		return items(Bare(text))
	}
	for _, item := range all {
		var compact bytes.Buffer
		_ = json.Compact(&compact, item) // it was read
		out = append(out, compact.String())
	}
	return out
}

// items are those of a list in one text, without blanks around them.
func items(text string) []string {
	out := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' })
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return out
}

// Lists are two lists as JSON has them; of texts that only differ in blanks the second one is what a program has that
// does not take these away. False if one is none.
func Lists(old, now string) (was, is string, are bool) {
	was, one := Listing(old)
	is, other := Listing(now)
	if !one || !other || was == "[]" || is == "[]" {
		return "", "", false
	}
	if was != is {
		return was, is, true
	}
	text, err := json.Marshal(strings.Split(Bare(now), ","))
	return was, string(text), err == nil && Alike(old, now)
}

// Scalars are what a value in JSON has that is no collection, as texts; what is no JSON is itself.
func Scalars(text string) (out []string) {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return []string{text}
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(v[key])
			}
		case nil:
		default:
			out = append(out, fmt.Sprint(v))
		}
	}
	walk(v)
	return out
}
