package kubestate

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

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
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, default: 1, maximum: 5}
              name: {type: string}
            x-kubernetes-validations: [{rule: "self.size != 4", message: "four is no size"}]
          status: {type: object, properties: {ready: {type: integer}}}
`

func load(t testing.TB) *Server {
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

func TestTry(t *testing.T) {
	s := load(t)
	gvr := schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "foos"}
	var st State
	do := func(r *Request) {
		r.Resource, r.Namespace, r.Agent = gvr, "default", "me"
		var a *Response
		st, a = s.Do(st, r)
		t.Logf("%s %s: %d %s", r.Verb, r.Name, a.Code, a.Body)
		for _, e := range a.Events {
			t.Logf("   %s %s %s", e.Type, e.Object.Key(), e.Object.JSON())
		}
	}
	do(&Request{Verb: "create", Body: []byte(`{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"a","finalizers":["x.y/z"]},"spec":{"name":"n","bla":1},"status":{"ready":3}}`)})
	do(&Request{Verb: "create", Body: []byte(`{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"generateName":"a-"},"spec":{"name":"n","size":4}}`)})
	do(&Request{Verb: "create", Body: []byte(`{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"generateName":"a-"},"spec":{"name":"n","size":3}}`)})
	do(&Request{Verb: "get", Name: "a"})
	do(&Request{Verb: "list"})
	do(&Request{Verb: "patch", Name: "a", Patch: "application/merge-patch+json", Body: []byte(`{"spec":{"size":2}}`)})
	do(&Request{Verb: "patch", Name: "b", Patch: "application/apply-patch+yaml", Options: map[string][]string{"fieldManager": {"x"}}, Body: []byte(`{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"b"},"spec":{"size":2}}`)})
	do(&Request{Verb: "delete", Name: "a"})
	do(&Request{Verb: "delete", Name: "b"})
	do(&Request{Verb: "update", Name: "a", Body: []byte(`{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"a"},"spec":{"name":"n"}}`)})
}

func TestBuiltin(t *testing.T) {
	s := load(t)
	var st State
	do := func(r *Request) {
		r.Namespace, r.Agent = "default", "me"
		var a *Response
		st, a = s.Do(st, r)
		t.Logf("%s %s: %d %s", r.Verb, r.Name, a.Code, a.Body)
	}
	cm := schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	do(&Request{Verb: "create", Resource: cm, Body: []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":"b"}}`)})
	do(&Request{Verb: "get", Resource: cm, Name: "a"})
	do(&Request{Verb: "list", Resource: cm})
	do(&Request{Verb: "patch", Resource: cm, Name: "a", Patch: "application/strategic-merge-patch+json", Body: []byte(`{"data":{"x":"y"}}`)})
	do(&Request{Verb: "patch", Resource: cm, Name: "a", Patch: "application/apply-patch+yaml", Options: map[string][]string{"fieldManager": {"x"}}, Body: []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"z"}}`)})
	do(&Request{Verb: "update", Resource: cm, Name: "a", Body: []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":"b"}}`)})
	do(&Request{Verb: "delete", Resource: cm, Name: "a"})
	d := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	do(&Request{Verb: "create", Resource: d, Body: []byte(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},"spec":{"replicas":1,"selector":{"matchLabels":{"a":"b"}}}}`)})
	do(&Request{Verb: "patch", Resource: d, Name: "a", Subresource: "status", Patch: "application/merge-patch+json", Body: []byte(`{"spec":{"replicas":2},"status":{"replicas":1}}`)})
	do(&Request{Verb: "patch", Resource: d, Name: "a", Patch: "application/merge-patch+json", Body: []byte(`{"spec":{"replicas":2},"status":{"replicas":3}}`)})
}

func BenchmarkPatch(b *testing.B) {
	s := load(b)
	gvr := schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "foos"}
	st, _ := s.Do(State{}, &Request{Verb: "create", Resource: gvr, Namespace: "default", Body: []byte(`{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"a","finalizers":["x.y/z"]},"spec":{"name":"n"}}`)})
	for b.Loop() {
		_, a := s.Do(st, &Request{Verb: "patch", Resource: gvr, Namespace: "default", Name: "a", Patch: "application/merge-patch+json", Body: []byte(`{"spec":{"size":2}}`)})
		if a.Code != 200 {
			b.Fatal(string(a.Body))
		}
	}
}
