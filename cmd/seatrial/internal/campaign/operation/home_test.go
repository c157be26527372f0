package operation

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// TestHome: what a resource refers to is made in its namespace; that of one which has none is what it names.
func TestHome(t *testing.T) {
	text := apiextensionsv1.JSONSchemaProps{Type: "string"}
	object := func(of map[string]apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
		return apiextensionsv1.JSONSchemaProps{Type: "object", Properties: of}
	}
	whole := object(map[string]apiextensionsv1.JSONSchemaProps{"spec": object(map[string]apiextensionsv1.JSONSchemaProps{"targetNamespace": text, "secretName": text})})
	kinds := map[string]string{"spec.targetNamespace": "NamespaceName", "spec.secretName": "SecretName"}
	for namespace, want := range map[string]string{"default": "default", "": "team"} {
		seed := thing(map[string]any{"targetNamespace": "team", "secretName": "a"})
		seed["metadata"].(map[string]any)["namespace"] = namespace
		m, err := newMaker(Options{Definition: definition(t, &whole, kinds), Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.home(m.seed); got != want {
			t.Errorf("in namespace %q: %q, want %q", namespace, got, want)
		}
	}
}
