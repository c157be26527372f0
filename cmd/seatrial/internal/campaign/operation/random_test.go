package operation

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// TestRandomSchemas holds plans of schemas that nobody wrote to what is said of every plan.
func TestRandomSchemas(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 8))
			kinds := map[string]string{}
			spec := randomObject(r, "spec", 3, kinds)
			spec.Required, spec.OneOf = nil, nil
			whole := &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec}}
			holds(t, Options{Definition: definition(t, whole, kinds), Seed: thing(map[string]any{}), RandomSeed: seed, Max: 60})
		})
	}
}

func js(v any) *apiextensionsv1.JSON {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return &apiextensionsv1.JSON{Raw: text}
}

// randomObject is the schema of an object with fields of all types, to a depth. Some have
// kinds, which need not be true.
func randomObject(r *rand.Rand, path string, depth int, kinds map[string]string) apiextensionsv1.JSONSchemaProps {
	s := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{}}
	var named []string
	for i := range 2 + r.IntN(4) {
		name := fmt.Sprint("f", i)
		s.Properties[name] = randomSchema(r, path+"."+name, depth-1, kinds)
		named = append(named, name)
	}
	if r.IntN(6) == 0 {
		s.Properties["enabled"] = apiextensionsv1.JSONSchemaProps{Type: "boolean", Default: js(false)}
	}
	switch r.IntN(8) {
	case 0, 1:
		s.Required = named[:1]
	case 2:
		s.OneOf = []apiextensionsv1.JSONSchemaProps{{Required: named[:1]}, {Required: named[1:2]}}
	case 3:
		s.XValidations = apiextensionsv1.ValidationRules{{Rule: "!has(self.f0) || has(self.f1)"}}
	}
	return s
}

var someKinds = []string{
	"Replicas", "SecretName", "Port", "io.k8s.api.core.v1.Affinity", "io.k8s.api.core.v1.Container.image",
	"io.k8s.api.core.v1.ResourceRequirements", "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta.labels", "io.k8s.api.core.v1.PodSpec.tolerations",
}

func randomSchema(r *rand.Rand, path string, depth int, kinds map[string]string) apiextensionsv1.JSONSchemaProps {
	n := r.IntN(12)
	if depth <= 0 {
		n %= 8
	}
	if r.IntN(5) == 0 {
		kinds[path] = someKinds[r.IntN(len(someKinds))]
	}
	least, most, short, long := 1.0, 9.0, int64(2), int64(12)
	switch n {
	case 0:
		return apiextensionsv1.JSONSchemaProps{Type: "boolean", Default: js(r.IntN(2) == 0)}
	case 1:
		return apiextensionsv1.JSONSchemaProps{Type: "integer", Minimum: &least, Maximum: &most}
	case 2:
		return apiextensionsv1.JSONSchemaProps{Type: "integer", Nullable: true}
	case 3:
		return apiextensionsv1.JSONSchemaProps{Type: "string", MinLength: &short, MaxLength: &long}
	case 4:
		return apiextensionsv1.JSONSchemaProps{Type: "string", Enum: []apiextensionsv1.JSON{*js("a"), *js("b")}, Default: js("a")}
	case 5:
		return apiextensionsv1.JSONSchemaProps{Type: "string", Pattern: "^[a-z]([a-z0-9]*)$"}
	case 6:
		return apiextensionsv1.JSONSchemaProps{XIntOrString: true}
	case 7:
		return apiextensionsv1.JSONSchemaProps{Type: "number", Minimum: &least}
	case 8:
		items := randomSchema(r, path+"[]", depth-1, kinds)
		s := apiextensionsv1.JSONSchemaProps{Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &items}}
		if r.IntN(3) == 0 {
			s.MinItems, s.MaxItems = &short, &long
		}
		return s
	case 9:
		values := randomSchema(r, path+"{}", depth-1, kinds)
		return apiextensionsv1.JSONSchemaProps{Type: "object", AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Schema: &values}}
	}
	return randomObject(r, path, depth, kinds)
}
