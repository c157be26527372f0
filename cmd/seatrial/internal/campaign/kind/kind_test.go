package kind

import (
	"os"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/history"
)

// spec is the property spec of a resource with such a schema.
func spec(t testing.TB, text string) *schema.Definition {
	t.Helper()
	json, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var properties history.Object
	if err := properties.UnmarshalJSON(json); err != nil {
		t.Fatal(err)
	}
	crd, err := schema.Decode(history.Object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "servers.example.com"},
		"spec": map[string]any{
			"group": "example.com", "scope": "Namespaced", "names": map[string]any{"kind": "Server", "plural": "servers"},
			"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true, "schema": map[string]any{"openAPIV3Schema": map[string]any{
				"type": "object", "properties": map[string]any{"spec": map[string]any{"type": "object", "properties": map[string]any(properties)}},
			}}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	d, err := schema.Open(crd, "")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Each case of testdata/kinds.yaml is a schema and what is recognised in it: a line for each
// property with a kind, and no others.
func TestRecognise(t *testing.T) {
	text, err := os.ReadFile("testdata/kinds.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "\n---\n") {
		var c struct {
			Name   string            `json:"name"`
			Schema map[string]any    `json:"schema"`
			Given  map[string]string `json:"given"`
			Kinds  map[string]string `json:"kinds"`
		}
		if err := yaml.UnmarshalStrict([]byte(part), &c); err != nil {
			t.Fatalf("%v in\n%s", err, part)
		}
		t.Run(c.Name, func(t *testing.T) {
			schemaText, err := yaml.Marshal(c.Schema)
			if err != nil {
				t.Fatal(err)
			}
			d := spec(t, string(schemaText))
			if err := Recognise(d.Spec(), c.Given); err != nil {
				t.Fatal(err)
			}
			d.Spec().Walk(func(p *schema.Property) bool {
				path := strings.TrimPrefix(p.Path, "spec.")
				if want := expand(c.Kinds[path]); p.Kind != want {
					t.Errorf("%s is %q, not %q", path, p.Kind, want)
				}
				delete(c.Kinds, path)
				return true
			})
			for path := range c.Kinds {
				t.Errorf("there is no %s", path)
			}
		})
	}
}

// expand writes a kind out: core, apps, and so on stand for packages.
func expand(kind string) string {
	for short, long := range map[string]string{
		"core.": core, "apps.": "io.k8s.api.apps.v1.", "batch.": "io.k8s.api.batch.v1.", "meta.": "io.k8s.apimachinery.pkg.apis.meta.v1.", "resource.": "io.k8s.apimachinery.pkg.api.resource.",
	} {
		if rest, ok := strings.CutPrefix(kind, short); ok {
			return long + rest
		}
	}
	return kind
}

func TestGivenWrong(t *testing.T) {
	d := spec(t, "{a: {type: string}}")
	err := Recognise(d.Spec(), map[string]string{"spec.b": "Replicas"})
	if err == nil || !strings.Contains(err.Error(), "the kind Replicas is given for spec.b, which is no property") {
		t.Errorf("a kind for a property that is not there: %v", err)
	}
}

func TestWords(t *testing.T) {
	for name, want := range map[string]string{
		"podSecurityContext": "pod security context", "enableTLS": "enable tls", "TLSConfig": "tls config", "clusterIPs": "cluster ips", "existingConfigMap": "existing configmap",
		"a_b-c": "a b c", "a": "a", "": "", "port80": "port80",
	} {
		if got := strings.Join(words(name), " "); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
}

func TestModel(t *testing.T) {
	m := kubernetes()
	pod := m.types[core+"PodSpec"]
	if f := pod.field("affinity"); f == nil || f.shape != shapeObject || f.typ.name != core+"Affinity" {
		t.Errorf("the affinity of a pod is %+v", f)
	}
	if f := m.types[core+"Volume"].field("secret"); f == nil { // which is inlined
		t.Error("a volume has no secret")
	}
	if !slices.Equal([]shape{"{}quantity", "[]object", "int-or-string", "{}string"}, []shape{
		m.types[core+"ResourceRequirements"].field("limits").shape, pod.field("tolerations").shape, m.types[core+"ServicePort"].field("targetPort").shape, pod.field("nodeSelector").shape,
	}) {
		t.Error("the shapes of fields are others")
	}
	for _, name := range speaking {
		if m.types[name] == nil {
			t.Errorf("there is no %s", name)
		}
	}
	for name, fields := range newer {
		for _, f := range fields {
			if m.types[name] == nil || m.types[name].field(f) == nil {
				t.Errorf("there is no %s.%s", name, f)
			}
		}
	}
	for _, c := range conventions {
		if owner, field := c.kind[:max(0, strings.LastIndexByte(c.kind, '.'))], c.kind[strings.LastIndexByte(c.kind, '.')+1:]; owner != "" && scalars[shapeQuantity] != c.kind && scalars[shapeDuration] != c.kind {
			if m.types[owner] == nil || m.types[owner].field(field) == nil {
				t.Errorf("there is no %s", c.kind)
			}
		}
	}
}

func TestNamed(t *testing.T) {
	for name, want := range map[string]string{
		"none": "", "Replicas": "", quantity: "", duration: "", core + "Affinity": "", core + "Container.image": "",
		"PodTemplateSpec":        "there is no type PodTemplateSpec (is it io.k8s.api.core.v1.PodTemplateSpec?)",
		core + "Afinity":         "there is no type io.k8s.api.core.v1.Afinity (is it io.k8s.api.core.v1.Affinity?)",
		core + "Container.imago": "there is no type io.k8s.api.core.v1.Container.imago (is it io.k8s.api.core.v1.Container.image?)",
		"Foo":                    "there is no type Foo: write it as",
	} {
		if err := Named(name); (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
