package value

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
)

// inside are others like a collection that differ from it only where the new value does, the second of those that are
// known: another item is another change, with which a test may fail for other reasons. Nothing where they differ as a
// whole.
func inside(old any, known []string, constants []string) []any {
	var now any
	if len(known) < 2 || json.Unmarshal([]byte(known[1]), &now) != nil {
		return nil
	}
	return insideOf(old, now, constants)
}

func insideOf(old, now any, constants []string) (out []any) {
	below := func(was, is any, put func(any) any) {
		found := insideOf(was, is, constants)
		if found == nil {
			found = like(was, constants)
		}
		for _, other := range found {
			out = append(out, put(other))
		}
	}
	switch old := old.(type) {
	case []any:
		now, is := now.([]any)
		if !is || len(now) != len(old) {
			return nil
		}
		at := differing(len(old), func(i int) bool { return !reflect.DeepEqual(old[i], now[i]) })
		if at < 0 {
			return nil
		}
		below(old[at], now[at], func(other any) any {
			all := slices.Clone(old)
			all[at] = other
			return all
		})
	case map[string]any:
		now, is := now.(map[string]any)
		if !is {
			return nil
		}
		keys := slices.Sorted(maps.Keys(old))
		at := differing(len(keys), func(i int) bool {
			item, is := now[keys[i]]
			return !is || !reflect.DeepEqual(old[keys[i]], item)
		})
		if at < 0 || len(now) != len(old) || now[keys[at]] == nil {
			return nil
		}
		below(old[keys[at]], now[keys[at]], func(other any) any {
			all := maps.Clone(old)
			all[keys[at]] = other
			return all
		})
	}
	return out
}

// differing is the only one of n items that differs; -1 if there are others.
func differing(n int, differs func(int) bool) int {
	found := -1
	for i := range n {
		if differs(i) {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}
