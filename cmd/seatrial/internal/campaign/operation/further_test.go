package operation

import (
	"fmt"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// TestFurtherItems: what two items of a list have is changed in the last one, too, and what only the first has is not.
func TestFurtherItems(t *testing.T) {
	t.Parallel()
	text := apiextensionsv1.JSONSchemaProps{Type: "string"}
	server := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"host": text, "zone": text}}
	servers := apiextensionsv1.JSONSchemaProps{Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &server}}
	spec := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"servers": servers}}
	whole := &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec}}
	seed := thing(map[string]any{"servers": []any{map[string]any{"host": "a", "zone": "b"}, map[string]any{"host": "c"}}})
	m, err := newMaker(Options{Definition: definition(t, whole, nil), Seed: seed, Max: 100})
	if err != nil {
		t.Fatal(err)
	}
	m.end = m.Max
	m.furtherItems()
	var changed []string
	for _, s := range m.sequences {
		for _, o := range s.Operations {
			changed = append(changed, spelled(o.Changes[0].Path))
		}
	}
	if got, want := fmt.Sprint(changed), "[spec.servers[1].host]"; got != want {
		t.Errorf("changed are %s, want %s", got, want)
	}
}
