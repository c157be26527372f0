package history

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
)

// Change is one difference between two objects. From or To is nil for what is
// not there.
type Change struct {
	// Path is spelled as a [Mask] reads it: with it as a pattern the change does
	// not count.
	Path string `json:"path"`
	From any    `json:"from,omitempty"`
	To   any    `json:"to,omitempty"`
}

// UnmarshalJSON reads a change with the numbers that an [Object] has.
func (c *Change) UnmarshalJSON(text []byte) error {
	var o Object
	if err := o.UnmarshalJSON(text); err != nil {
		return err
	}
	*c = Change{o.Text("path"), o.At("from"), o.At("to")}
	return nil
}

// Diff lists what is different in b, in the order of the paths' keys. Items of
// lists are paired by their keys if they have them, else by position; a list
// whose order matters and changes is one change, from the keys to the keys.
// Nulls are as absent. What is only in one of the two is one change at its root.
func Diff(a, b Object) []Change {
	return diffMaps(nil, "", a, b)
}

func diffMaps(found []Change, path string, a, b map[string]any) []Change {
	keys := slices.Collect(maps.Keys(a))
	for key := range b {
		if _, both := a[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		found = diffValues(found, join(path, key), key, a[key], b[key])
	}
	return found
}

func diffValues(found []Change, path, field string, a, b any) []Change {
	switch a := a.(type) {
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			return diffMaps(found, path, a, b)
		}
	case []any:
		if b, ok := b.([]any); ok {
			return diffLists(found, path, field, a, b)
		}
	}
	if same(a, b) {
		return found
	}
	return append(found, Change{path, a, b})
}

// same compares what is not both a map or both a list.
func same(a, b any) bool {
	switch a := a.(type) {
	case int64:
		if f, ok := b.(float64); ok {
			return float64(a) == f
		}
	case float64:
		if n, ok := b.(int64); ok {
			return float64(n) == a
		}
	}
	return reflect.DeepEqual(a, b)
}

func diffLists(found []Change, path, field string, a, b []any) []Change {
	keysA, ordered := keysOf(field, a)
	keysB, _ := keysOf(field, b)
	// Of no items both are nothing or everything.
	if keysA == nil && len(a) > 0 || keysB == nil && len(b) > 0 {
		for i := range max(len(a), len(b)) {
			found = diffValues(found, item(path, strconv.Itoa(i)), "", at(a, i), at(b, i))
		}
		return found
	}
	var common []string
	for i, key := range keysA {
		j := slices.Index(keysB, key)
		if j >= 0 {
			common = append(common, key)
		}
		found = diffValues(found, item(path, key), "", a[i], at(b, j))
	}
	var order []string
	for j, key := range keysB {
		if slices.Contains(keysA, key) {
			order = append(order, key)
			continue
		}
		found = diffValues(found, item(path, key), "", nil, b[j])
	}
	if ordered && !slices.Equal(common, order) {
		found = append(found, Change{path, texts(common), texts(order)})
	}
	return found
}

func at(list []any, i int) any {
	if i < 0 || i >= len(list) {
		return nil
	}
	return list[i]
}

func texts(list []string) []any {
	values := make([]any, len(list))
	for i, s := range list {
		values[i] = s
	}
	return values
}
