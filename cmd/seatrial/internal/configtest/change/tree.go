package change

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Steps are the keys of a path, one after another; the place of an item of a list is a number in brackets: a[0].
func (i Identity) Steps() []string {
	if i.Kind != Key {
		return []string{i.Path}
	}
	return steps(i.Path)
}

func steps(path string) []string {
	var out []string
	for path != "" {
		switch {
		case path[0] == '.':
			path = path[1:]
		case strings.HasPrefix(path, `["`):
			prefix, err := strconv.QuotedPrefix(path[1:])
			if err != nil { // no path of ours
				return append(out, path)
			}
			key, _ := strconv.Unquote(prefix)
			out, path = append(out, key), strings.TrimPrefix(path[1+len(prefix):], "]")
		case path[0] == '[':
			end := strings.IndexByte(path, ']') + 1
			if end == 0 {
				end = len(path)
			}
			out, path = append(out, path[:end]), path[end:]
		default:
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			out, path = append(out, path[:end]), path[end:]
		}
	}
	return out
}

// JSON is the value as such, with its secret if it is one.
func (v Value) JSON() json.RawMessage {
	switch v.Type {
	case Null:
		return json.RawMessage("null")
	case Number, Truth, List, Map:
		if text := v.meant(); json.Valid([]byte(text)) {
			return json.RawMessage(text)
		}
	}
	return json.RawMessage(quoted(v.text))
}

// Compose is all that settings say at a place and below it, as JSON; nil if they say nothing there.
func Compose(settings []Setting, in string, at []string) json.RawMessage {
	var root any
	for _, s := range settings {
		if s.Kind != Key || s.In != in {
			continue
		}
		if of := s.Steps(); len(of) >= len(at) && slices.Equal(of[:len(at)], at) {
			root = put(root, of[len(at):], s.Value.JSON())
		}
	}
	if root == nil {
		return nil
	}
	out, err := json.Marshal(root)
	if err != nil { // it is made of what was JSON
		return nil
	}
	return out
}

// put adds a value below a tree of maps and lists.
func put(to any, at []string, value json.RawMessage) any {
	if len(at) == 0 {
		return value
	}
	if number, is := place(at[0]); is {
		list, _ := to.([]any)
		for len(list) <= number {
			list = append(list, nil)
		}
		list[number] = put(list[number], at[1:], value)
		return list
	}
	tree, is := to.(map[string]any)
	if !is {
		tree = map[string]any{}
	}
	tree[at[0]] = put(tree[at[0]], at[1:], value)
	return tree
}

// place is that of an item of a list.
func place(step string) (int, bool) {
	inner, is := strings.CutPrefix(step, "[")
	if !is || !strings.HasSuffix(inner, "]") {
		return 0, false
	}
	n, err := strconv.Atoi(strings.TrimSuffix(inner, "]"))
	return n, err == nil && n >= 0 && n < mostNodes
}
