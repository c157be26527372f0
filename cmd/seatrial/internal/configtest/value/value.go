// Package value makes values of a parameter: other valid ones, by what its value looks like and what the code
// compares it with. A file for each type of value. What the code says is found by package source; here are texts only.
package value

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
)

// Most is how many other values there are at most: the nearest first.
const Most = 3

// kind is a type of values. One that knows a text gives others like it, the nearest first; valid ones.
type kind struct {
	rank   int
	others func(text string) ([]string, bool)
}

var kinds []kind

// anything is the rank of what knows each text.
const anything = 100

// register adds a type from the initialisation of the file that defines it. Of those that know a text, the one of the
// lowest rank is asked.
func register(rank int, others func(text string) ([]string, bool)) {
	kinds = append(kinds, kind{rank, others})
	slices.SortFunc(kinds, func(a, b kind) int { return cmp.Compare(a.rank, b.rank) })
}

// Others are valid values beside those that are known, the old one first, as JSON if those are: such as are like the
// old one, with which programs work, or if there is none, like the new one, which may be wrong: one of another form
// than the old one is like nothing that is valid. Of a parameter that the code compares with constants, those are the
// valid ones; none if there is no other. One constant that is known is a special case of many, a default.
func Others(known []string, constants []string, isJSON bool) []string {
	var out []string
	if len(constants) == 1 && slices.ContainsFunc(known, func(k string) bool { return Bare(k) == constants[0] }) {
		constants = nil
	}
	add := func(text string) {
		if !slices.Contains(known, text) && !slices.Contains(out, text) && len(out) < Most {
			out = append(out, text)
		}
	}
	if len(known) > 1 {
		for _, z := range noZone(Bare(known[0]), Bare(known[1])) {
			add(inQuotes(known[0], z))
		}
	}
	for _, k := range known {
		if len(out) > 0 || anotherKind(Bare(known[0]), Bare(k)) {
			break
		}
		if !isJSON {
			for _, other := range texts(k, constants) {
				add(other)
			}
			continue
		}
		var v any
		if json.Unmarshal([]byte(k), &v) != nil {
			continue
		}
		for _, other := range append(inside(v, known, constants), like(v, constants)...) {
			if text, err := json.Marshal(other); err == nil {
				add(string(text))
			}
		}
	}
	return out
}

// Bare is a text in JSON as it is; anything else is itself.
func Bare(v string) string {
	var text string
	if json.Unmarshal([]byte(v), &text) == nil {
		return text
	}
	return v
}

// Collection tells whether a value is a list or a map, in JSON; nil is none.
func Collection(v *string) bool {
	return v != nil && strings.ContainsAny((*v)[:min(1, len(*v))], "{[") && json.Valid([]byte(*v))
}

// anotherKind tells whether a text is of a type of values, and another one is of another type.
func anotherKind(of, text string) bool {
	rank := func(text string) int {
		for _, k := range kinds {
			if _, is := k.others(text); is {
				return k.rank
			}
		}
		return anything
	}
	return rank(of) != anything && rank(text) != rank(of)
}

// texts are others like a text: of a flag that is given several times, all but the last.
func texts(text string, constants []string) []string {
	if all := strings.Split(text, record.Again); len(all) > 1 {
		return []string{strings.Join(all[:len(all)-1], record.Again)}
	}
	for _, k := range kinds {
		others, is := k.others(text)
		if !is {
			continue
		}
		alike := slices.DeleteFunc(slices.Clone(constants), func(c string) bool { // the others are what something else on that line is compared with
			_, is := k.others(c)
			return !is
		})
		if len(alike) > 0 {
			return alike
		}
		return others
	}
	return constants
}

// like are others like a value of JSON: of a list without the last item, and of a map with another value at each key.
func like(v any, constants []string) []any {
	var out []any
	switch v := v.(type) {
	case float64:
		for _, n := range numbers(v) {
			out = append(out, n)
		}
	case string:
		for _, t := range texts(v, constants) {
			out = append(out, t)
		}
	case []any:
		if len(v) > 1 {
			out = append(out, v[:len(v)-1])
		}
		if len(v) > 0 { // one like the first is enough
			for _, other := range like(v[0], constants) {
				out = append(out, append(slices.Clone(v), other))
			}
		}
	case map[string]any:
		for n := range Most {
			changed := map[string]any{}
			for key, item := range v {
				changed[key] = item
				if others := like(item, constants); n < len(others) {
					changed[key] = others[n]
				}
			}
			if len(v) > 0 {
				out = append(out, changed)
			}
		}
	}
	return out
}
