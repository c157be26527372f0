package dump

import (
	"strconv"

	"github.com/seatrial/seatrial/spec/value"
)

// encode is a value as the Informal Trace Format (ITF) has it: numbers, sets and functions are objects with a name that
// begins with #, records are objects, sequences lists; model values are strings.
func encode(v value.Value) any {
	switch v.Kind() {
	case value.Bool:
		return v.Bool("a value")
	case value.Int:
		return map[string]string{"#bigint": strconv.FormatInt(v.Int("a value"), 10)}
	case value.String, value.Model:
		text, _ := v.Text()
		return text
	}
	switch {
	case v.IsSet() && value.Infinite(v), v.IsFunction() && value.Infinite(value.Domain(v)):
		return map[string]string{"#unserializable": value.Format(v)}
	case v.IsSet():
		return map[string]any{"#set": encodeAll(v.Members())}
	case v.IsFunction():
		return encodeFunction(v)
	}
	return map[string]string{"#unserializable": value.Format(v)}
}

func encodeAll(items []value.Value) []any {
	all := make([]any, len(items))
	for i, item := range items {
		all[i] = encode(item)
	}
	return all
}

func encodeFunction(f value.Value) any {
	domain, items := value.Domain(f).Members(), f.Items()
	sequence, record := true, true
	for i, arg := range domain {
		text, named := arg.Text()
		sequence = sequence && arg == value.OfInt(int64(i+1))
		record = record && arg.Kind() == value.String && named && text != "" && text[0] != '#'
	}
	switch {
	case sequence:
		return encodeAll(items)
	case record:
		fields := map[string]any{}
		for i, arg := range domain {
			text, _ := arg.Text()
			fields[text] = encode(items[i])
		}
		return fields
	}
	pairs := make([]any, len(domain))
	for i, arg := range domain {
		pairs[i] = []any{encode(arg), encode(items[i])}
	}
	return map[string]any{"#map": pairs}
}

// state is a state as an object, a field for each variable.
func state(variables []string, values []value.Value) map[string]any {
	fields := map[string]any{}
	for i, name := range variables {
		fields[name] = encode(values[i])
	}
	return fields
}
