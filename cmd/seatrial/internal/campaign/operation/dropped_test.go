package operation

import (
	"fmt"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// TestDropped: behind what the operator did not do the item in which it is goes, or the part of the spec; where the
// seed has no such part, or it cannot go, nothing is planned.
func TestDropped(t *testing.T) {
	t.Parallel()
	text := apiextensionsv1.JSONSchemaProps{Type: "string"}
	object := func(of map[string]apiextensionsv1.JSONSchemaProps, required ...string) apiextensionsv1.JSONSchemaProps {
		return apiextensionsv1.JSONSchemaProps{Type: "object", Properties: of, Required: required}
	}
	port := object(map[string]apiextensionsv1.JSONSchemaProps{"name": text})
	job := object(map[string]apiextensionsv1.JSONSchemaProps{"name": text, "schedule": text, "ports": {Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &port}}, "pod": object(map[string]apiextensionsv1.JSONSchemaProps{"image": text})})
	whole := object(map[string]apiextensionsv1.JSONSchemaProps{"spec": object(map[string]apiextensionsv1.JSONSchemaProps{
		"jobs":    {Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &job}},
		"backup":  object(map[string]apiextensionsv1.JSONSchemaProps{"schedule": text}),
		"storage": object(map[string]apiextensionsv1.JSONSchemaProps{"class": text}),
		"metrics": object(map[string]apiextensionsv1.JSONSchemaProps{"path": text}),
		"image":   text,
	}, "storage")})
	one := func(name string) map[string]any {
		return map[string]any{"name": name, "schedule": "@daily", "ports": []any{map[string]any{"name": "http"}}, "pod": map[string]any{"image": "a"}}
	}
	seed := thing(map[string]any{
		"jobs": []any{one("a"), one("b"), one("c")}, "backup": map[string]any{"schedule": "@daily"}, "storage": map[string]any{"class": "a"}, "image": "b",
	})
	other := func(o *Operation, property string) *Operation {
		again := *o
		again.Property = property
		return &again
	}
	for _, c := range []struct {
		path []any
		want string
	}{
		{[]any{"spec", "jobs", 1, "schedule"}, "spec.jobs[]: removed [spec jobs 1]"},
		{[]any{"spec", "jobs", 2, "pod", "image"}, "spec.jobs[]: removed [spec jobs 2]"},
		{[]any{"spec", "jobs", 0, "ports", 0, "name"}, "spec.jobs[]: removed [spec jobs 0]"},
		{[]any{"spec", "backup", "schedule"}, "spec.backup: removed [spec backup]"},
		{[]any{"spec", "storage", "class"}, ""},
		{[]any{"spec", "metrics", "path"}, ""},
		{[]any{"spec", "image"}, ""},
		{[]any{"spec", "jobs", 3}, ""}, // which the API server does not take,
	} {
		op := &Operation{Property: "spec.x", Case: "changed", Changes: []Change{{Path: c.path, Value: "never"}}}
		got := ""
		all, err := Dropped(Options{Definition: definition(t, &whole, nil), Seed: seed}, []*Operation{op, op, other(op, "spec.y"), other(op, "spec.z")})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			if len(all) != droppedMost || len(s.Operations) != 2 || !s.Operations[0].Followed || op.Followed {
				t.Errorf("%v: %d sequences, the first of %d operations", c.path, len(all), len(s.Operations))
			}
			got = fmt.Sprintf("%s: %s %v", s.Operations[1].Property, s.Operations[1].Case, s.Operations[1].Changes[0].Path)
		}
		if got != c.want {
			t.Errorf("%v: %q is planned, want %q", c.path, got, c.want)
		}
	}
}
