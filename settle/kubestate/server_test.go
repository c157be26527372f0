package kubestate

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// resources are some that tests ask for; transcripts also may for all built-in kinds.
var resources = map[string]schema.GroupVersionResource{
	"foos":       {Group: "example.com", Version: "v1", Resource: "foos"},
	"configmaps": {Version: "v1", Resource: "configmaps"},
}

// definition is a CRD that has a little of everything.
const definition = `
metadata: {name: foos.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: foos, singular: foo, kind: Foo, listKind: FooList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.ready}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, default: 1, maximum: 5}
              name: {type: string}
              class: {type: string, x-kubernetes-validations: [{rule: "self == oldSelf", message: "class stays"}]}
            x-kubernetes-validations: [{rule: "self.size != 4", message: "four is no size"}]
          status: {type: object, properties: {ready: {type: integer}}}
`

func newTestServer(t testing.TB) *Server {
	t.Helper()
	d := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.Unmarshal([]byte(definition), d); err != nil {
		t.Fatal(err)
	}
	s, err := NewServer(Config{Definitions: []*apiextensionsv1.CustomResourceDefinition{d}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRequests: VERB RESOURCE[/SUBRESOURCE] [NAME] [option=value ...] with the body in
// YAML, and what is answered and written, without what all objects have.
func TestRequests(t *testing.T) {
	server := newTestServer(t)
	datadriven.Walk(t, "testdata/requests", func(t *testing.T, path string) {
		var state State
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			before := state
			r := parse(t, d)
			var answer *Response
			state, answer = server.Do(state, r)
			if again, _ := server.Do(before, r); !slices.Equal(again.objects, state.objects) {
				t.Error("the same request in the same state leads to another")
			}
			return describe(t, answer)
		})
	})
}

func parse(t *testing.T, d *datadriven.TestData) *Request {
	t.Helper()
	r := &Request{Verb: d.Cmd, Namespace: "default", Agent: "user", Options: url.Values{}}
	for i, a := range d.CmdArgs {
		switch {
		case i == 0:
			name, subresource, _ := strings.Cut(a.Key, "/")
			resource, known := resources[name]
			if k := kindNamed(name); k != nil {
				resource, known = k.kind.GroupVersion().WithResource(name), true
				if k.cluster {
					r.Namespace = ""
				}
			}
			if !known {
				d.Fatalf(t, "there is no resource %q", name)
			}
			r.Resource, r.Subresource = resource, subresource
		case len(a.Vals) == 0:
			r.Name = a.Key
		case a.Key == "in":
			r.Namespace = a.Vals[0]
		case a.Key == "patch":
			r.Patch = map[string]string{
				"merge": "application/merge-patch+json", "json": "application/json-patch+json",
				"strategic": "application/strategic-merge-patch+json", "apply": "application/apply-patch+yaml",
			}[a.Vals[0]]
		default:
			r.Options.Set(a.Key, a.Vals[0])
		}
	}
	if d.Input != "" {
		body, err := yaml.YAMLToJSON([]byte(d.Input))
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		r.Body = body
	}
	return r
}

// describe is an answer in a few lines.
func describe(t *testing.T, a *Response) string {
	t.Helper()
	var b strings.Builder
	if a.Status != nil {
		fmt.Fprintf(&b, "%d %s: %s\n", a.Code, a.Status.Reason, typeless(a.Status.Message))
	} else {
		fmt.Fprintf(&b, "%d %s\n", a.Code, brief(t, a.Body))
	}
	for _, e := range a.Events {
		fmt.Fprintf(&b, "%s %s %s\n", e.Type, e.Object.Key(), brief(t, e.Object.JSON()))
	}
	return b.String()
}

// rules are the messages of the rules of the definition. They begin with the type of the value,
// or, since Kubernetes 1.35, with the value.
var rules = regexp.MustCompile(`"[^"]*": (four is no size|class stays)`)

// typeless is what is wrong without that.
func typeless(message string) string { return rules.ReplaceAllString(message, "$1") }

// brief is an object without what says nothing.
func brief(t *testing.T, text []byte) string {
	t.Helper()
	var o map[string]any
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	shorten(o)
	out, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(`"`, "", "5ea7c1a1-0000-4000-8000-0000000000", "uid-").Replace(string(out))
}

func shorten(o map[string]any) {
	delete(o, "apiVersion")
	delete(o, "kind")
	if meta, ok := o["metadata"].(map[string]any); ok {
		delete(meta, "creationTimestamp")
		delete(meta, "managedFields")
		delete(meta, "namespace")
		if version, _ := meta["resourceVersion"].(string); len(version) == 18 {
			// Which creation, and which write of that: the rest is of the key.
			meta["resourceVersion"] = strings.TrimLeft(version[1:6], "0") + "." + strings.TrimLeft(version[6:11], "0") + version[11:12]
		}
	}
	if items, ok := o["items"].([]any); ok {
		for _, item := range items {
			if item, ok := item.(map[string]any); ok {
				shorten(item)
			}
		}
	}
}

// BenchmarkRemembered is a write that was made before, and BenchmarkAsked one that was not.
func BenchmarkRemembered(b *testing.B) { benchmark(b, func(int) int { return 2 }) }

func BenchmarkAsked(b *testing.B) { benchmark(b, func(i int) int { return i }) }

func benchmark(b *testing.B, value func(i int) int) {
	s := newTestServer(b)
	r := &Request{Verb: "create", Resource: resources["foos"], Namespace: "default", Body: []byte(`{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"a"},"spec":{"name":"n"}}`)}
	state, _ := s.Do(State{}, r)
	for i := 0; b.Loop(); i++ {
		_, a := s.Do(state, &Request{
			Verb: "patch", Resource: resources["foos"], Namespace: "default", Name: "a",
			Patch: "application/merge-patch+json", Body: fmt.Appendf(nil, `{"status":{"ready":%d},"spec":{"name":"%d"}}`, value(i), value(i)),
		})
		if a.Code != 200 {
			b.Fatal(string(a.Body))
		}
	}
}

// TestInvalidDefinition: what kube-apiserver would not take is not served.
func TestInvalidDefinition(t *testing.T) {
	d := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "foos.example.com"}}
	d.Spec = apiextensionsv1.CustomResourceDefinitionSpec{
		Group: "example.com", Scope: apiextensionsv1.NamespaceScoped,
		Names:    apiextensionsv1.CustomResourceDefinitionNames{Kind: "Bar", ListKind: "BarList", Plural: "bars", Singular: "bar"},
		Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true}},
	}
	_, err := NewServer(Config{Definitions: []*apiextensionsv1.CustomResourceDefinition{d}})
	for _, want := range []string{"the CustomResourceDefinition foos.example.com is not valid", `must be spec.names.plural+"."+spec.group`, "schema.openAPIV3Schema: Required value"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("there is no %q in: %v", want, err)
		}
	}
}
