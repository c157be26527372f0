package operation

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/seatrial/seatrial/history"
)

// TestNamesakes: what two roles have of one name comes to be set in both, to values of which each can be followed.
func TestNamesakes(t *testing.T) {
	t.Parallel()
	text := apiextensionsv1.JSONSchemaProps{Type: "string"}
	role := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"timeout": text, "zone": text}}
	spec := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"reader": role, "writer": role, "defaults": role}}
	whole := &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec}}
	seed := thing(map[string]any{"reader": map[string]any{}, "writer": map[string]any{}})
	o := Options{Definition: definition(t, whole, nil), Seed: seed, Max: 100}
	m, err := newMaker(o)
	if err != nil {
		t.Fatal(err)
	}
	m.end = o.Max
	m.namesakes()
	both := map[string]bool{}
	now := seed
	for _, op := range m.last().Operations {
		if now, err = op.Apply(now); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"timeout", "zone"} {
			reader, writer := now.Text("spec", "reader", name), now.Text("spec", "writer", name)
			both[name] = both[name] || reader != "" && writer != "" && reader != writer
		}
	}
	if n := len(m.last().Operations); n != 8 || !both["timeout"] || !both["zone"] {
		t.Errorf("%d operations lead to %v, want 8 and both:\n%s", n, now, history.Object(now))
	}
}
