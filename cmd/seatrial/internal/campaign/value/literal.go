package value

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/trace"
)

// Clone copies a value of JSON, so that nobody changes another's.
func Clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for key, value := range v {
			m[key] = Clone(value)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = Clone(item)
		}
		return list
	}
	return v
}

// encode is a value as JSON, with the keys of maps in order.
func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// literal is a value of JSON in which whole numbers are int64, as in
// history.Object.
type literal struct {
	value any
	set   bool
}

// UnmarshalJSON reads any value, null included.
func (l *literal) UnmarshalJSON(text []byte) (err error) {
	l.value, err = Decode(text)
	l.set = true
	return err
}

// Decode reads a value of JSON. Whole numbers are int64, others float64, as in
// history.Object.
func Decode(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return number(v)
}

// number makes the numbers in v int64, or float64 if they are no whole ones.
func number(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n, nil
		}
		return v.Float64()
	case map[string]any:
		for key, value := range v {
			if v[key], err = number(value); err != nil {
				return nil, err
			}
		}
	case []any:
		for i, item := range v {
			if v[i], err = number(item); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// numbered is a name for the n-th of several, from 1: given, given 2.
func numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	return name + " " + strconv.Itoa(n)
}

// short is a value in the name of a case.
func short(v any) string {
	text := encode(v)
	if s, ok := v.(string); ok && s != "" && !strings.ContainsAny(s, " \t\n\"") {
		text = s
	}
	const most = 40
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return trace.Printable(text, false)
}
