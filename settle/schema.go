package settle

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// FieldsOf are the fields of the spec of a resource that the schema of its CRD names, with the
// other values that it may have in each: all of an enum, both of a boolean, the bounds and the
// neighbours of a number, and none where it has one and the schema does not require it.
// They are for Config.Vary: all of them, or those that one wants.
func FieldsOf(d *apiextensionsv1.CustomResourceDefinition, base client.Object) ([]Field, error) {
	text, err := json.Marshal(base)
	if err != nil {
		return nil, err
	}
	var is map[string]any
	if err := json.Unmarshal(text, &is); err != nil {
		return nil, err
	}
	for _, v := range d.Spec.Versions {
		named := base.GetObjectKind().GroupVersionKind().Version
		if named != v.Name && (named != "" || !v.Storage) || v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
			continue
		}
		spec := v.Schema.OpenAPIV3Schema.Properties["spec"]
		return fieldsUnder([]string{"spec"}, &spec, is), nil
	}
	return nil, nil
}

func fieldsUnder(path []string, schema *apiextensionsv1.JSONSchemaProps, is map[string]any) (fields []Field) {
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		p, here := schema.Properties[name], append(slices.Clone(path), name)
		has, found, _ := unstructured.NestedFieldNoCopy(is, here...)
		f := Field{Path: strings.Join(here, ".")}
		for _, v := range valuesOf(&p, has) {
			if !equalJSON(v, has) {
				f.Values = append(f.Values, v)
			}
		}
		if found && !slices.Contains(schema.Required, name) {
			f.Values = append(f.Values, nil)
		}
		if len(f.Values) > 0 {
			fields = append(fields, f)
		}
		if p.Type == "object" && found {
			fields = append(fields, fieldsUnder(here, &p, is)...)
		}
	}
	return fields
}

// valuesOf are the values worth trying of a field that has one, or nil.
func valuesOf(p *apiextensionsv1.JSONSchemaProps, has any) (values []any) {
	if len(p.Enum) > 0 {
		for _, e := range p.Enum {
			var v any
			if json.Unmarshal(e.Raw, &v) == nil {
				values = append(values, v)
			}
		}
		return values
	}
	switch p.Type {
	case "boolean":
		return []any{true, false}
	case "integer", "number":
		n, _ := has.(float64)
		for _, v := range []float64{n - 1, n + 1} {
			if (p.Minimum == nil || v >= *p.Minimum) && (p.Maximum == nil || v <= *p.Maximum) && v >= 0 {
				values = append(values, v)
			}
		}
		for _, bound := range []*float64{p.Minimum, p.Maximum} {
			if bound != nil && !slices.Contains(values, any(*bound)) {
				values = append(values, *bound)
			}
		}
	case "string":
		if s, ok := has.(string); ok {
			values = append(values, s+"x")
		}
	}
	return values
}

func equalJSON(a, b any) bool {
	x, err := json.Marshal(a)
	y, other := json.Marshal(b)
	return err == nil && other == nil && string(x) == string(y)
}
