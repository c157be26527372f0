package operation

import (
	"fmt"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// wide is a schema of n objects with 24 fields each, of all plain types.
func wide(n int) *apiextensionsv1.JSONSchemaProps {
	least := 1.0
	group := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{}}
	for i := range 4 {
		for name, s := range map[string]apiextensionsv1.JSONSchemaProps{
			"on":     {Type: "boolean"},
			"number": {Type: "integer", Minimum: &least},
			"text":   {Type: "string", Pattern: "^[a-z0-9-]*$"},
			"mode":   {Type: "string", Enum: []apiextensionsv1.JSON{{Raw: []byte(`"a"`)}, {Raw: []byte(`"b"`)}}},
			"list":   {Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &apiextensionsv1.JSONSchemaProps{Type: "string"}}},
		} {
			group.Properties[fmt.Sprint(name, i)] = s
		}
	}
	spec := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{}}
	for i := range n {
		spec.Properties[fmt.Sprint("group", i)] = group
	}
	return &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec}}
}

// BenchmarkMake plans for 10,000 properties, with as many operations as there are by default.
func BenchmarkMake(b *testing.B) {
	o := Options{Definition: definition(b, wide(400), nil), Seed: thing(map[string]any{"group0": map[string]any{"number0": int64(3)}})}
	b.ReportMetric(float64(o.Definition.Count()), "properties")
	for b.Loop() {
		plan, err := Make(o)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(plan.Operations()), "operations")
	}
}
