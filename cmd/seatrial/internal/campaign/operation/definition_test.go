package operation

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/history"
)

// definition is that of things.example.com with a schema. Properties get kinds by their paths.
func definition(t testing.TB, s *apiextensionsv1.JSONSchemaProps, kinds map[string]string) *schema.Definition {
	t.Helper()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.Name = "things.example.com"
	crd.Spec = apiextensionsv1.CustomResourceDefinitionSpec{
		Group: "example.com", Scope: apiextensionsv1.NamespaceScoped,
		Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "things", Singular: "thing", Kind: "Thing", ListKind: "ThingList"},
		Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
			Name: "v1", Served: true, Storage: true, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: s},
		}},
	}
	return opened(t, crd, kinds)
}

func opened(t testing.TB, crd *apiextensionsv1.CustomResourceDefinition, kinds map[string]string) *schema.Definition {
	t.Helper()
	d, err := schema.Open(crd, "")
	if err != nil {
		t.Fatal(err)
	}
	for path, kind := range kinds {
		d.Find(path).Kind = kind
	}
	return d
}

// thing is a resource of that definition with a spec.
func thing(spec map[string]any) history.Object {
	if spec == nil { // an empty object is read as none
		spec = map[string]any{}
	}
	return history.Object{
		"apiVersion": "example.com/v1", "kind": "Thing", "spec": spec,
		"metadata": map[string]any{"name": "one", "namespace": "default"},
	}
}
