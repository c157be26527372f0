package operation

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Of an operation that tells the operator to pause it is known that it does, also when it is made smaller.
func TestPauses(t *testing.T) {
	t.Parallel()
	s := &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": {Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
		"hibernate": {Type: "boolean"}, "image": {Type: "string"}, "debug": {Type: "boolean"},
		"state": {Type: "string", Enum: []apiextensionsv1.JSON{{Raw: []byte(`"Running"`)}, {Raw: []byte(`"Suspended"`)}}},
	}}}}
	plan, err := Make(Options{Definition: definition(t, s, nil), Seed: thing(map[string]any{"image": "a", "state": "Running"})})
	if err != nil {
		t.Fatal(err)
	}
	some := 0
	for _, q := range plan.Sequences {
		for _, o := range q.Operations {
			if pauses := o.Misoperation && (o.Property == "spec.hibernate" || o.Property == "spec.state" && o.Changes[0].Value == "Suspended"); pauses != o.Pauses {
				t.Errorf("%s: %t", o.Name, o.Pauses)
			} else if pauses {
				some++
			}
		}
	}
	if some == 0 {
		t.Error("nothing is paused")
	}
}

// TestPaused: what is changed during a pause is taken for a misoperation, and known to be none.
func TestPaused(t *testing.T) {
	t.Parallel()
	s := &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": {Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
		"paused": {Type: "boolean"}, "image": {Type: "string"}, "debug": {Type: "boolean"},
	}}}}
	plan, err := Make(Options{Definition: definition(t, s, nil), Seed: thing(map[string]any{"image": "a", "debug": true})})
	if err != nil {
		t.Fatal(err)
	}
	some := 0
	for _, q := range plan.Sequences {
		for i, o := range q.Operations {
			if !o.Paused {
				continue
			}
			some++
			if before := q.Operations[i-1]; !o.Misoperation || o.Property == "spec.paused" || before.Property != "spec.paused" || !before.Pauses {
				t.Errorf("%s, behind %s", o.Name, before.Name)
			}
			if all := bundle(q.Operations[:i+1]); !all.Paused {
				t.Errorf("%s forgets it", all.Name)
			}
		}
	}
	if some == 0 {
		t.Error("nothing is changed during a pause")
	}
}
