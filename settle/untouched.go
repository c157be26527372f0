package settle

import (
	"fmt"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Untouched is what a controller relies on: nobody else changes these fields of objects of
// this kind ("spec.replicas", "status"). Without fields, nobody else creates or deletes such objects
// or changes their spec or status.
func Untouched(kind string, fields ...string) func(*Write) error {
	all := len(fields) == 0
	if all {
		fields = []string{"spec", "status"}
	}
	return func(w *Write) error {
		if w.Kind.Kind != kind || w.Err != nil {
			return nil
		}
		was, is := &unstructured.Unstructured{}, &unstructured.Unstructured{}
		before, after := w.Was(was), w.Is(is)
		if before != after && all {
			return fmt.Errorf("%ss are not its own to %s", kind, w.Verb)
		}
		if before != after {
			return nil
		}
		for _, f := range fields {
			path := strings.Split(f, ".")
			a, _, _ := unstructured.NestedFieldNoCopy(was.Object, path...)
			b, _, _ := unstructured.NestedFieldNoCopy(is.Object, path...)
			if !reflect.DeepEqual(a, b) {
				return fmt.Errorf("%s of a %s is not its own to write: it was %s, and is %s", f, kind, brief(a), brief(b))
			}
		}
		return nil
	}
}

// briefMax bounds a value in a message.
const briefMax = 60

// brief is a value in a few words.
func brief(v any) string {
	if v == nil {
		return "not set"
	}
	text := fmt.Sprint(v)
	if len(text) > briefMax {
		text = text[:briefMax] + "…"
	}
	return text
}
