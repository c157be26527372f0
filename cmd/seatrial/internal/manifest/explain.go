package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	kjson "sigs.k8s.io/json"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/spelling"
)

// explain says where the JSON does not fit the type of target, after a strict
// decoder refused it with err. The decoder decides; this only finds the
// places, all of them, which decoders do not tell.
func explain(raw []byte, target any, source *Source, err error) Problems {
	x := &explainer{source: source}
	if target != nil {
		x.walk(reflect.TypeOf(target), raw, "")
	}
	if len(x.problems) == 0 {
		return Problems{source.problem("", "%s", strings.TrimPrefix(err.Error(), "strict decoding error: "))}
	}
	return x.problems
}

type explainer struct {
	source   *Source
	problems Problems
}

// explainedMax is how many places in one object are named, as many as the
// decoders of Kubernetes name.
const explainedMax = 100

func (x *explainer) add(path, format string, args ...any) {
	if len(x.problems) == explainedMax {
		return
	}
	x.problems = append(x.problems, x.source.problem(path, "%s: %s", path, fmt.Sprintf(format, args...)))
}

var jsonUnmarshaler = reflect.TypeOf((*json.Unmarshaler)(nil)).Elem()

func (x *explainer) walk(t reflect.Type, raw json.RawMessage, path string) {
	raw = bytes.TrimSpace(raw)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if bytes.Equal(raw, []byte("null")) {
		return
	}
	if reflect.PointerTo(t).Implements(jsonUnmarshaler) {
		if err := kjson.UnmarshalCaseSensitivePreserveInts(raw, reflect.New(t).Interface()); err != nil {
			x.add(path, "%s", wrongValue(t, raw, err))
		}
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		x.walkStruct(t, raw, path)
	case reflect.Map:
		x.walkMap(t, raw, path)
	case reflect.Slice:
		x.walkSlice(t, raw, path)
	default:
		if err := kjson.UnmarshalCaseSensitivePreserveInts(raw, reflect.New(t).Interface()); err != nil {
			x.add(path, "%s", wrongValue(t, raw, err))
		}
	}
}

func (x *explainer) walkStruct(t reflect.Type, raw json.RawMessage, path string) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		x.add(path, "expected an object, found %s", shown(raw))
		return
	}
	known := map[string]reflect.Type{}
	collectFields(t, known)
	for _, name := range sortedKeys(fields) {
		at := joinPath(path, name)
		if ft, ok := known[name]; ok {
			x.walk(ft, fields[name], at)
			continue
		}
		hint := ""
		if near := spelling.Nearest(name, sortedKeys(known)); near != "" {
			hint = fmt.Sprintf(", did you mean %s?", near)
		}
		x.add(at, "unknown field%s", hint)
	}
}

func (x *explainer) walkMap(t reflect.Type, raw json.RawMessage, path string) {
	var entries map[string]json.RawMessage
	if json.Unmarshal(raw, &entries) != nil {
		x.add(path, "expected an object, found %s", shown(raw))
		return
	}
	for _, name := range sortedKeys(entries) {
		x.walk(t.Elem(), entries[name], fmt.Sprintf("%s[%s]", path, name))
	}
}

func (x *explainer) walkSlice(t reflect.Type, raw json.RawMessage, path string) {
	if t.Elem().Kind() == reflect.Uint8 {
		if err := json.Unmarshal(raw, reflect.New(t).Interface()); err != nil {
			x.add(path, "expected text in base64, found %s", shown(raw))
		}
		return
	}
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		x.add(path, "expected a list, found %s", shown(raw))
		return
	}
	for i, item := range items {
		x.walk(t.Elem(), item, fmt.Sprintf("%s[%d]", path, i))
	}
}

// collectFields lists the JSON names of a struct's fields, those of embedded
// structs included.
func collectFields(t reflect.Type, into map[string]reflect.Type) {
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		inline := f.Anonymous && name == "" || strings.Contains(options, "inline")
		switch {
		case name == "-":
		case inline && f.Type.Kind() == reflect.Struct:
			collectFields(f.Type, into)
		case name != "":
			into[name] = f.Type
		}
	}
}

// wrongValue says in the terms of the manifest why a value does not fit.
func wrongValue(t reflect.Type, raw json.RawMessage, err error) string {
	switch t {
	case reflect.TypeOf(resource.Quantity{}):
		return fmt.Sprintf("%s is not a quantity (write 500m, 2 or 1Gi): %v", shown(raw), err)
	case reflect.TypeOf(intstr.IntOrString{}):
		return fmt.Sprintf("expected a number or a percentage, found %s", shown(raw))
	case reflect.TypeOf(metav1.Duration{}):
		return fmt.Sprintf("%s is not a duration (write 90s, 5m or 1h): %v", shown(raw), err)
	case reflect.TypeOf(metav1.Time{}), reflect.TypeOf(metav1.MicroTime{}):
		return fmt.Sprintf("%s is not a time (write 2026-01-31T12:00:00Z)", shown(raw))
	}
	switch t.Kind() {
	case reflect.String:
		return fmt.Sprintf("expected text, found %s (put it in quotes)", shown(raw))
	case reflect.Bool:
		return fmt.Sprintf("expected true or false, found %s", shown(raw))
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint32, reflect.Uint64:
		return fmt.Sprintf("expected a whole number of %d bits, found %s", t.Bits(), shown(raw))
	}
	return err.Error()
}

// shown is a JSON value for a message: a scalar as it is, the rest by kind.
func shown(raw json.RawMessage) string {
	const max = 60
	switch {
	case len(raw) == 0:
		return "nothing"
	case raw[0] == '{':
		return "an object"
	case raw[0] == '[':
		return "a list"
	case len(raw) > max:
		return strings.ToValidUTF8(string(raw[:max]), "") + "…"
	}
	return string(raw)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
