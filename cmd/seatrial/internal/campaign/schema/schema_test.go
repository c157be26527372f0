package schema

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/history"
)

func object(t testing.TB, text string) history.Object {
	t.Helper()
	json, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var o history.Object
	if err := o.UnmarshalJSON(json); err != nil {
		t.Fatal(err)
	}
	return o
}

func definition(t testing.TB, file string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	crd, err := Decode(object(t, string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return crd
}

func open(t testing.TB, file, apiVersion string) *Definition {
	t.Helper()
	d, err := Open(definition(t, file), apiVersion)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// server is a resource of servers.yaml with some fields in its spec.
func server(t testing.TB, spec string) history.Object {
	o := object(t, "{apiVersion: example.com/v1, kind: Server, metadata: {name: a, namespace: default}}")
	o["spec"] = map[string]any(object(t, spec))
	return o
}

func TestOpen(t *testing.T) {
	d := open(t, "servers.yaml", "example.com/v1")
	if d.Kind.String() != "example.com/v1, Kind=Server" || d.Plural != "servers" || !d.Namespaced || !d.Status || d.Converts {
		t.Errorf("the definition is %+v", d)
	}
	if want := (Scale{"spec.replicas", "status.replicas", "status.selector"}); *d.Scale != want {
		t.Errorf("the scale subresource is %+v, not %+v", *d.Scale, want)
	}
	var paths []string
	d.Spec().Walk(func(p *Property) bool {
		paths = append(paths, p.Path)
		if d.Find(p.Path) != p {
			t.Errorf("%s is not found by its path", p.Path)
		}
		return p.Name != "tls" && p.Name != "storage"
	})
	want := "spec spec.extra spec.hosts spec.hosts[] spec.image spec.labels spec.labels{} spec.least spec.limit spec.memory spec.mode spec.none spec.note spec.object" +
		` spec.ports spec.ports[] spec.ports[]["name.full"] spec.ports[].port spec.ports[].protocol spec.replicas spec.storage spec.tls spec.tlsEnabled spec.weight`
	if got := strings.Join(paths, " "); got != want {
		t.Errorf("the properties are\n%s\nnot\n%s", got, want)
	}
	if !d.Find("spec.image").Required || d.Find("spec.mode").Required {
		t.Error("image is required, mode is not")
	}
	if !d.Find("spec.replicas").Scaled || d.Find("spec.least").Scaled {
		t.Error("replicas are what the scale subresource sets, least is not")
	}
	if p := d.Locate([]any{"spec", "ports", 0, "name.full"}); p == nil || p.Name != "name.full" {
		t.Errorf("spec.ports[0][name.full] is of %+v", p)
	}
	if p := d.Locate([]any{"spec", "labels", "a.b/c"}); p == nil || p.Path != "spec.labels{}" {
		t.Errorf("a label is of %+v", p)
	}
	if p := d.Locate([]any{"spec", "nothing", "below"}); p != nil {
		t.Errorf("what is not there is of %s", p.Path)
	}
}

func TestOpaque(t *testing.T) {
	d := open(t, "servers.yaml", "")
	opaque := func() (paths []string) {
		for _, p := range d.Opaque() {
			paths = append(paths, p.Path)
		}
		return paths
	}
	if got := opaque(); !slices.Equal(got, []string{"spec.extra", "spec.object"}) {
		t.Errorf("opaque are %q", got)
	}
	d.Find("spec.object").Kind = "io.k8s.api.core.v1.PodTemplateSpec"
	if got := opaque(); !slices.Equal(got, []string{"spec.extra"}) {
		t.Errorf("what was recognised is opaque: %q", got)
	}
}

func TestGuards(t *testing.T) {
	d := open(t, "servers.yaml", "")
	for path, want := range map[string]string{
		"spec.tls.secretName": "spec.tls.enabled spec.tlsEnabled",
		"spec.tls.enabled":    "spec.tlsEnabled",
		"spec.tls":            "spec.tlsEnabled",
		"spec.tlsEnabled":     "",
		"spec.image":          "",
	} {
		var got []string
		for _, g := range d.Guards(d.Find(path)) {
			got = append(got, g.Property.Path)
			if g.On != true {
				t.Errorf("%s counts when it is off", g.Property.Path)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s is governed by %q, not %q", path, got, want)
		}
	}
}

// TestChooses: a word of an enumeration that is the name of a field beside it chooses that.
func TestChooses(t *testing.T) {
	words := []structural.JSON{{Object: "Ingress"}, {Object: "route"}, {Object: "none"}}
	one := func(name, kind string) *Property {
		return &Property{Name: name, Schema: &structural.Structural{Generic: structural.Generic{Type: kind}}}
	}
	expose, route := one("expose", "object"), one("route", "object")
	by := one("type", "string")
	by.Schema.ValueValidation = &structural.ValueValidation{Enum: words}
	termination := one("termination", "string")
	for parent, children := range map[*Property][]*Property{expose: {by, route, one("ingress", "object"), one("host", "string")}, route: {termination}} {
		for _, child := range children {
			child.Parent = parent
			parent.Children = append(parent.Children, child)
		}
	}
	for _, c := range []struct {
		p    *Property
		want []Guard
	}{
		{expose.Children[1], []Guard{{by, "route"}}}, {expose.Children[2], []Guard{{by, "Ingress"}}}, {termination, []Guard{{by, "route"}}},
		{expose.Children[3], nil}, {by, nil},
	} {
		if got := (*Definition)(nil).Guards(c.p); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s is governed by %v, not %v", c.p.Name, got, c.want)
		}
	}
}

func TestOpenWrong(t *testing.T) {
	for name, c := range map[string]struct {
		change     func(crd *apiextensionsv1.CustomResourceDefinition)
		apiVersion string
		want       string
	}{
		"another group":   {apiVersion: "example.org/v1", want: "the CustomResourceDefinition servers.example.com is of the group example.com, the resource's apiVersion is example.org/v1"},
		"another version": {apiVersion: "example.com/v2", want: "the CustomResourceDefinition servers.example.com does not serve the version v2: the resource can be of example.com/v1"},
		"its name":        {func(crd *apiextensionsv1.CustomResourceDefinition) { crd.Name = "server" }, "", `is not valid: metadata.name: Invalid value: "server": must be spec.names.plural+"."+spec.group`},
		"no schema":       {func(crd *apiextensionsv1.CustomResourceDefinition) { crd.Spec.Versions[0].Schema = nil }, "", "spec.versions[0].schema.openAPIV3Schema: Required value"},
		"not structural": {func(crd *apiextensionsv1.CustomResourceDefinition) {
			spec := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
			spec.Type = ""
			crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"] = spec
		}, "", "properties[spec].type: Required value: must not be empty for specified object fields"},
		"a wrong rule": {func(crd *apiextensionsv1.CustomResourceDefinition) {
			crd.Spec.Versions[0].Schema.OpenAPIV3Schema.XValidations = apiextensionsv1.ValidationRules{{Rule: "self.nothing == 1"}}
		}, "", "undefined field 'nothing'"},
		"no versions": {func(crd *apiextensionsv1.CustomResourceDefinition) { crd.Spec.Versions = nil }, "", "must have exactly one version marked as storage version"},
	} {
		crd := definition(t, "servers.yaml")
		if c.change != nil {
			c.change(crd)
		}
		if _, err := Open(crd, c.apiVersion); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, not %s", name, err, c.want)
		}
	}
}

func TestDecodeWrong(t *testing.T) {
	for text, want := range map[string]string{
		"{kind: Pod, apiVersion: v1}": `it is a "Pod", not a CustomResourceDefinition`,
		"{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1beta1}":                 "which no Kubernetes since 1.22 serves",
		"{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v2}":                      `its apiVersion is "apiextensions.k8s.io/v2"`,
		"{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, spec: {versions: 1}}": "it is no CustomResourceDefinition: json: cannot unmarshal number",
	} {
		if _, err := Decode(object(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %s", text, err, want)
		}
	}
}

func TestComplete(t *testing.T) {
	d := open(t, "servers.yaml", "")
	given := server(t, "{image: a, unknown: 1, note: null, none: null, least: null, tls: {}, extra: {a: {b: null}}, ports: [{port: 1, more: 2}], labels: null}")
	before := copied(given)
	got := d.Complete(given)["spec"]
	want := server(t, "{image: a, replicas: 3, least: 0, note: null, none: null, tls: {enabled: false}, extra: {a: {b: null}}, ports: [{port: 1, protocol: TCP}]}")["spec"]
	if !reflect.DeepEqual(got, want) {
		t.Errorf("it becomes %v, not %v", got, want)
	}
	if !reflect.DeepEqual(given, before) {
		t.Errorf("what was given is changed to %v", given)
	}
	if got := d.Pruned(given); !slices.Equal(got, []string{"spec.ports[0].more", "spec.unknown"}) {
		t.Errorf("pruned are %q", got)
	}
}

// versions is a definition with two versions, of which the second is stored.
const versions = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: pairs.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Pair, plural: pairs}
  versions:
    - name: v1
      served: true
      storage: false
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {both: {type: string}, old: {type: string}, late: {type: string}}}}}}
    - name: v2
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {both: {type: string, default: here}, new: {type: string}, late: {type: string, default: second}}}}}}
    - name: v3
      served: false
      storage: false
      schema: {openAPIV3Schema: {type: object}}
`

// What is stored as another version keeps the fields that both have, and gets the defaults of that.
func TestVersions(t *testing.T) {
	crd, err := Decode(object(t, versions))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ apiVersion, version, given, want string }{
		{"", "v2", "{spec: {both: a, new: b, old: c}}", "{spec: {both: a, new: b, late: second}}"},
		{"example.com/v1", "v1", "{spec: {both: a, new: b, old: c}}", "{spec: {both: a, late: second}}"},
		{"example.com/v1", "v1", "{spec: {}}", "{spec: {both: here, late: second}}"},
	} {
		d, err := Open(crd, c.apiVersion)
		if err != nil {
			t.Fatal(err)
		}
		if d.Kind.Version != c.version || d.Stored != "v2" || !slices.Equal(d.Served, []string{"v1", "v2"}) || d.Namespaced {
			t.Errorf("of %q it opens %+v", c.apiVersion, d)
		}
		given := object(t, c.given)
		given["apiVersion"], given["kind"] = "example.com/"+c.version, "Pair"
		if got, want := d.Complete(given)["spec"], object(t, c.want)["spec"]; !reflect.DeepEqual(got, want) {
			t.Errorf("%s of %s becomes %v, not %v", c.given, c.version, got, want)
		}
	}
	if _, err := Open(crd, "example.com/v3"); err == nil || !strings.Contains(err.Error(), "does not serve the version v3: the resource can be of example.com/v1, example.com/v2") {
		t.Errorf("a version that is not served: %v", err)
	}
	for i := range crd.Spec.Versions {
		crd.Spec.Versions[i].Served = false
	}
	if _, err := Open(crd, "example.com/v1"); err == nil || !strings.Contains(err.Error(), "pairs.example.com serves no version: set served: true") {
		t.Errorf("no version is served: %v", err)
	}
}

func TestRefuses(t *testing.T) {
	d := open(t, "servers.yaml", "")
	for _, c := range []struct{ spec, old, want string }{
		{"{image: a}", "", ""},
		{"{image: a}", "{image: b}", ""},
		{"{least: 0}", "", "spec.image: Required value"},
		{"{image: 1}", "", `spec.image: Invalid value: "integer": spec.image in body must be of type string: "integer"`},
		{"{image: a, replicas: 10}", "", "spec.replicas: Invalid value: 10: spec.replicas in body should be less than or equal to 9"},
		{"{image: a, replicas: -1}", "", ".spec.replicas: Invalid value: -1: should be a non-negative integer"},
		{"{image: a, least: 4}", "", `spec: Invalid value: replicas are fewer than least`},
		{"{image: a, tls: {enabled: true}}", "", `spec: Invalid value: tls needs a secretName`},
		{"{image: a, mode: two}", "", `spec.mode: Unsupported value: "two": supported values: "one", "many"`},
		{"{image: a, mode: one}", "{image: a, mode: many}", `spec.mode: Invalid value: "one": mode cannot be changed`},
		{"{image: a, mode: one}", "{image: a}", ""},
		{"{image: a, hosts: [192.0.2.1, 192.0.2.1]}", "", `spec.hosts[1]: Duplicate value: "192.0.2.1"`},
		{"{image: a, ports: [{port: 1}, {port: 1, protocol: TCP}]}", "", `spec.ports[1]: Duplicate value: {"port":1,"protocol":"TCP"}`},
		{"{image: a, ports: [{port: 1}, {port: 1, protocol: UDP}]}", "", ""},
		{"{image: a, object: {apiVersion: v1, metadata: {name: b}}}", "", "spec.object.kind: Required value"},
		{"{image: a, object: {apiVersion: v1, kind: Pod, metadata: {name: b/c}}}", "", `spec.object.metadata.name: Invalid value: "b/c"`},
		{"{image: a, storage: {}}", "", `Invalid value: "": "spec.storage" must validate one and only one schema (oneOf)`},
		{"{image: a, memory: 1Gb}", "", `spec.memory: Invalid value: "1Gb": spec.memory in body should match`},
		{"{image: a, memory: 1}", "", ""},
		{"{image: a, limit: true}", "", "spec.limit: Invalid value"},
		{"{image: a, labels: {a: toolong}}", "", "spec.labels.a: Too long: may not be more than 5 bytes"},
		// What was wrong before may stay so.
		{"{image: a, tls: {secretName: none}}", "", "spec.tls: Invalid value: none is no Secret"},
		{"{image: b, tls: {secretName: none}}", "{image: a, tls: {secretName: none}}", ""},
		{"{image: b, labels: {a: toolong}}", "{image: a, labels: {a: toolong}}", ""},
	} {
		var old history.Object
		if c.old != "" {
			old = server(t, c.old)
		}
		got := d.Refuses(server(t, c.spec), old)
		if c.want == "" && len(got) > 0 || c.want != "" && !strings.Contains(strings.Join(got, "\n"), c.want) {
			t.Errorf("%s behind %s: %q, not %q", c.spec, c.old, got, c.want)
		}
	}
	wrong := server(t, "{image: a}")
	wrong["metadata"] = map[string]any{"name": int64(1)}
	if got := d.Refuses(wrong, nil); len(got) != 1 || !strings.Contains(got[0], "cannot unmarshal number") {
		t.Errorf("a name that is a number: %q", got)
	}
	if got := d.Refuses(history.Object{}, nil); len(got) == 0 {
		t.Error("nothing at all is taken")
	}
}
