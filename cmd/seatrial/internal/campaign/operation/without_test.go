package operation

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// TestWithout: of any two properties that the seed has beside each other there comes a time when only the one is there,
// and one when only the other is.
func TestWithout(t *testing.T) {
	t.Parallel()
	number := apiextensionsv1.JSONSchemaProps{Type: "integer"}
	keep := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"daily": number, "last": number, "weekly": number}}
	spec := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"keep": keep}}
	whole := &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec}}
	seed := thing(map[string]any{"keep": map[string]any{"daily": int64(7), "last": int64(14), "weekly": int64(4)}})
	plan, err := Make(Options{Definition: definition(t, whole, nil), Seed: seed, Max: 24})
	if err != nil {
		t.Fatal(err)
	}
	without := map[[2]string]bool{}
	names := []string{"daily", "last", "weekly"}
	for _, s := range plan.Sequences {
		now := seed
		for _, op := range s.Operations {
			next, err := op.Apply(now)
			if err != nil || op.Refused != "" {
				continue
			}
			now = next
			for _, one := range names {
				for _, other := range names {
					without[[2]string{one, other}] = without[[2]string{one, other}] || now.At("spec", "keep", one) != nil && now.At("spec", "keep", other) == nil
				}
			}
		}
	}
	for _, one := range names {
		for _, other := range names {
			if one != other && !without[[2]string{one, other}] {
				t.Errorf("%s is never there without %s", one, other)
			}
		}
	}
}
