package value

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Null is what JSON's null is in a specification.
var Null = OfModel("null")

// OfJSON returns the value that a decoded JSON document is: objects are records, arrays sequences, null the model value
// null. Numbers that are no whole ones are their text.
func OfJSON(document any) Value {
	switch d := document.(type) {
	case bool:
		return OfBool(d)
	case string:
		return OfString(d)
	case int64:
		return OfInt(d)
	case int:
		return OfInt(int64(d))
	case float64:
		if whole := int64(d); float64(whole) == d {
			return OfInt(whole)
		}
		return OfString(fmt.Sprint(d))
	case json.Number:
		if whole, err := d.Int64(); err == nil {
			return OfInt(whole)
		}
		return OfString(d.String())
	case []any:
		items := make([]Value, len(d))
		for i, item := range d {
			items[i] = OfJSON(item)
		}
		return OfTuple(items)
	case map[string]any:
		names := slices.Sorted(maps.Keys(d))
		shape, items := NewShape(names), make([]Value, len(names))
		for i, name := range names {
			items[shape.Place(i)] = OfJSON(d[name])
		}
		return shape.Record(items)
	}
	return Null
}

// JSON returns a value as JSON: sequences and sets are arrays, other functions objects whose names are what their
// arguments are written as, model values strings.
func JSON(v Value) string {
	var b strings.Builder
	writeJSON(&b, v)
	return b.String()
}

func writeJSON(b *strings.Builder, v Value) {
	switch v.Kind() {
	case Bool:
		b.WriteString(strconv.FormatBool(v.Bool("a value")))
		return
	case Int:
		b.WriteString(strconv.FormatInt(v.Int("a value"), 10))
		return
	}
	text, named := v.Text()
	switch {
	case v == Null:
		b.WriteString("null")
	case named:
		b.Write(quoted(text))
	case v.IsSet():
		v.wantSet("JSON")
		WriteJSONArray(b, v.Members())
	case v.IsSequence():
		WriteJSONArray(b, v.Items())
	case v.IsFunction():
		b.WriteString(JSONObject(v))
	default:
		Fail("%s cannot be written as JSON", Describe(v))
	}
}

// WriteJSONArray writes values as an array.
func WriteJSONArray(b *strings.Builder, items []Value) {
	b.WriteByte('[')
	for i, item := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		writeJSON(b, item)
	}
	b.WriteByte(']')
}

// JSONObject returns a function as an object, whatever its arguments are.
func JSONObject(f Value) string {
	var b strings.Builder
	b.WriteByte('{')
	items := f.Items()
	for i, arg := range Domain(f).Members() {
		if i > 0 {
			b.WriteByte(',')
		}
		text, named := arg.Text()
		if !named {
			text = Format(arg)
		}
		b.Write(quoted(text))
		b.WriteByte(':')
		writeJSON(&b, items[i])
	}
	b.WriteByte('}')
	return b.String()
}

// quoted is a text as JSON writes it.
func quoted(text string) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a string can be written
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}
