package operation

import (
	"fmt"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// TestPairs has any two values of two properties of an object come together, in fewer
// operations than there are pairs.
func TestPairs(t *testing.T) {
	t.Parallel()
	names := []string{"a", "b", "c", "d", "e"}
	spec := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{}}
	for _, name := range names {
		spec.Properties[name] = apiextensionsv1.JSONSchemaProps{Type: "string", Enum: []apiextensionsv1.JSON{*js("x"), *js("y"), *js("z")}}
	}
	whole := &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec}}
	plan, err := Make(Options{Definition: definition(t, whole, nil), Seed: thing(map[string]any{}), Max: 400})
	if err != nil {
		t.Fatal(err)
	}
	together, bundles := map[string]bool{}, 0
	for _, s := range plan.Sequences {
		now := thing(map[string]any{})
		for _, op := range s.Operations {
			next, err := op.Apply(now)
			if err != nil {
				t.Fatal(err)
			}
			if len(op.Changes) > 1 {
				bundles++
				for i, one := range names {
					for _, other := range names[i+1:] {
						together[fmt.Sprint(one, next.At("spec", one), other, next.At("spec", other))] = true
					}
				}
			}
			if op.Refused == "" {
				now = next
			}
		}
	}
	const pairs = 10 * 3 * 3
	missing := 0
	for i, one := range names {
		for _, other := range names[i+1:] {
			for _, v := range []string{"x", "y", "z"} {
				for _, w := range []string{"x", "y", "z"} {
					if !together[fmt.Sprint(one, v, other, w)] {
						missing++
					}
				}
			}
		}
	}
	// Where all but one of the values were there already, one change brings them together.
	if missing > 3 || bundles > pairs/3 {
		t.Errorf("%d of %d pairs are missing, with %d operations of more than one change", missing, pairs, bundles)
	}
}
