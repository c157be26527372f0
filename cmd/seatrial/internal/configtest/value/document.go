package value

import "encoding/json"

func init() {
	sorted(sort{5, "collection", func(p *asked) bool {
		switch p.value.(type) {
		case []any, map[string]any:
			return true
		}
		return false
	}, func(p *asked) {
		for _, other := range like(p.value, p.Constants) {
			p.document(Valid, other, "with another item")
		}
		p.document(Unsure, none(p.value), "with nothing for each item")
		p.document(Unsure, without(p.value), "without items")
		p.bare(Invalid, quoted("some"), "no collection")
	}})
}

func (p *asked) document(kind Kind, v any, says string) {
	if text, err := json.Marshal(v); err == nil {
		p.raw(kind, string(text), says)
	}
}

// none is a value of the same form in which all numbers are 0 and all texts are empty.
func none(v any) any {
	switch v := v.(type) {
	case float64:
		return 0
	case string:
		return ""
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = none(item)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, item := range v {
			out[key] = none(item)
		}
		return out
	}
	return v
}

// without is a collection that has nothing in it.
func without(v any) any {
	if _, is := v.([]any); is {
		return []any{}
	}
	return map[string]any{}
}
