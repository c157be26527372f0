package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/kind"
	campaignschema "github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/history"
)

// fragments are fields of a server's spec (internal/campaign/schema/testdata/servers.yaml), right
// and wrong ones.
var fragments = []string{
	"image: a", "image: a", "image: a", "image: ''", "image: 1", "replicas: 10", "replicas: -1", "replicas: 2", "least: 4", "least: null", "mode: one", "mode: many", "mode: two",
	"limit: 1", "limit: '1'", "limit: true", "memory: 1Gi", "memory: 1Gb", "labels: {a: short}", "labels: {a: toolong}", "labels: {a: null}", "extra: {a: {b: null}}", "extra: null",
	"object: {apiVersion: v1, kind: Pod, metadata: {name: a, unknown: b}}", "object: {apiVersion: v1, metadata: {name: a}}", "object: {kind: Pod, apiVersion: v1, metadata: {name: a/b}}",
	"tls: {}", "tls: {enabled: true}", "tls: {enabled: true, secretName: a}", "tls: null", "hosts: [192.0.2.1]", "hosts: [192.0.2.1, 192.0.2.1]", "hosts: [nowhere]",
	"ports: [{port: 1}]", "ports: [{port: 1}, {port: 1}]", "ports: [{port: 1, more: 2}, {port: 1, protocol: UDP}]", "ports: [{}]", "ports: [{port: 0, name.full: A}]",
	"storage: {claim: a}", "storage: {claim: a, temporary: true}", "storage: {claim: a, neither: b}", "weight: 0.5", "weight: 0.3", "weight: 0", "note: null", "none: null", "unknown: 1",
}

func yamlObject(t *testing.T, text string) history.Object {
	t.Helper()
	var o history.Object
	raw, err := sigsyaml.YAMLToJSON([]byte(text))
	if err == nil {
		err = o.UnmarshalJSON(raw)
	}
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return o
}

// TestSchemaAsServer: what the API server takes, stores, and refuses, is what campaigns know
// before they ask it.
func TestSchemaAsServer(t *testing.T) {
	text, err := os.ReadFile("internal/campaign/schema/testdata/servers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	crd := yamlObject(t, string(text))
	typed, err := campaignschema.Decode(crd)
	if err != nil {
		t.Fatal(err)
	}
	d, err := campaignschema.Open(typed, "example.com/v1")
	if err != nil {
		t.Fatal(err)
	}
	target := planeWith(t, "", idle)
	target.config.QPS, target.config.WarningHandler = -1, rest.NoWarnings{}
	client := dynamic.NewForConfigOrDie(target.config)
	define(t, client, crd)
	servers := client.Resource(d.Kind.GroupVersion().WithResource(d.Plural)).Namespace("default")

	r := rand.New(rand.NewPCG(1, 2))
	var before *unstructured.Unstructured
	refused := 0
	for i := range 300 {
		cr := server(t, r)
		var got *unstructured.Unstructured
		var old history.Object
		given := &unstructured.Unstructured{Object: cr}
		if before == nil {
			got, err = servers.Create(t.Context(), given, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		} else {
			old = before.Object
			given = given.DeepCopy()
			given.SetName(before.GetName())
			given.SetResourceVersion(before.GetResourceVersion())
			cr = given.Object
			got, err = servers.Update(t.Context(), given, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
		}
		why := d.Refuses(cr, old)
		if diff := cmp.Diff(sorted(reasons(t, err)), sorted(why)); diff != "" {
			t.Fatalf("%v\nbehind %v\nis refused by the server (-) and the library (+) for\n%s", cr, old, diff)
		}
		if err != nil {
			refused++
			continue
		}
		if diff := cmp.Diff(got.Object["spec"], d.Complete(cr)["spec"]); diff != "" {
			t.Fatalf("%v is stored by the server (-) and the library (+) as\n%s", cr, diff)
		}
		if i%10 == 9 {
			given.SetResourceVersion("")
			given.SetName(fmt.Sprint("a", i))
			if before, err = servers.Create(t.Context(), given, metav1.CreateOptions{}); err != nil {
				before = nil
			}
		}
	}
	if refused < 50 || refused > 250 {
		t.Errorf("%d of 300 were refused: the test says little", refused)
	}
}

// server is a resource with some of the fragments.
func server(t *testing.T, r *rand.Rand) history.Object {
	spec := map[string]any{}
	for _, f := range append([]string{"image: a"}, fragments...) {
		if r.IntN(12) == 0 || len(spec) == 0 {
			for name, value := range yamlObject(t, f) {
				spec[name] = value
			}
		}
	}
	return history.Object{"apiVersion": "example.com/v1", "kind": "Server", "metadata": map[string]any{"name": "a", "namespace": "default"}, "spec": spec}
}

// reasons are those of an answer of the API server, each once.
func reasons(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Details == nil {
		t.Fatal(err)
	}
	var all []string
	for _, c := range status.Status().Details.Causes {
		text := c.Message
		if c.Field != "" && c.Field != "<nil>" {
			text = c.Field + ": " + text
		}
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// define creates a definition and waits until its resources are served.
func define(t *testing.T, client dynamic.Interface, crd history.Object) {
	t.Helper()
	definitions := client.Resource(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"})
	made, err := definitions.Create(t.Context(), &unstructured.Unstructured{Object: crd}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	watch, err := definitions.Watch(t.Context(), metav1.ListOptions{FieldSelector: "metadata.name=" + made.GetName(), ResourceVersion: made.GetResourceVersion()})
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Stop()
	for e := range watch.ResultChan() {
		o, ok := e.Object.(*unstructured.Unstructured)
		if !ok {
			t.Fatalf("the watch says %v", e.Object)
		}
		conditions, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
		for _, c := range conditions {
			if c, ok := c.(map[string]any); ok && c["type"] == "Established" && c["status"] == "True" {
				return
			}
		}
	}
	t.Fatal("the definition is not served")
}

// documents are the OpenAPI documents whose types stand in custom resources.
var documents = []string{"/openapi/v3/api/v1", "/openapi/v3/apis/apps/v1", "/openapi/v3/apis/batch/v1", "/openapi/v3/apis/networking.k8s.io/v1", "/openapi/v3/apis/policy/v1", "/openapi/v3/apis/autoscaling/v2"}

// TestKindsAsServer: each type in the OpenAPI documents of the API server, with four fields or
// more, is recognised as what it is, or as one that has the same fields.
func TestKindsAsServer(t *testing.T) {
	target := planeWith(t, "", idle, func(o *controlplane.Options) { o.Spec.OpenAPI = true })
	client := kubernetes.NewForConfigOrDie(target.config)
	tried := 0
	for _, path := range documents {
		raw, err := client.RESTClient().Get().AbsPath(path).DoRaw(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var document struct {
			Components struct {
				Schemas map[string]openAPI `json:"schemas"`
			} `json:"components"`
		}
		if err := json.Unmarshal(raw, &document); err != nil {
			t.Fatal(err)
		}
		types := document.Components.Schemas
		for _, name := range wanted(types) {
			if s := types[name]; len(s.Properties) >= 4 && len(s.Kinds) == 0 {
				tried++
				if got := recognised(t, s); got != name && !s.same(types[got]) {
					t.Errorf("%s is recognised as %q", name, got)
				}
			}
		}
	}
	if tried < 80 {
		t.Errorf("only %d types were tried", tried)
	}
}

// kinds are those whose types stand in custom resources.
var kinds = []string{"Pod", "Node", "Service", "PersistentVolumeClaim", "PersistentVolume", "StatefulSet", "Deployment", "DaemonSet", "ReplicaSet", "Job", "CronJob", "Ingress", "NetworkPolicy", "PodDisruptionBudget", "HorizontalPodAutoscaler"}

// wanted are the types that kinds are made of, without those that say what there is.
func wanted(types map[string]openAPI) []string {
	var all []string
	var add func(s openAPI)
	add = func(s openAPI) {
		name := strings.TrimPrefix(s.Ref, "#/components/schemas/")
		if s.Ref != "" && !slices.Contains(all, name) && !strings.HasSuffix(name, "Status") && !strings.HasSuffix(name, "Condition") {
			all = append(all, name)
			add(types[name])
		}
		for _, part := range s.AllOf {
			add(part)
		}
		for _, part := range []*openAPI{s.Items, s.Additional} {
			if part != nil {
				add(*part)
			}
		}
		for _, field := range s.Properties {
			add(field)
		}
	}
	for name, s := range types {
		if len(s.Kinds) == 1 && slices.Contains(kinds, s.Kinds[0]["kind"]) && strings.HasSuffix(name, "."+s.Kinds[0]["kind"]) {
			add(s)
		}
	}
	return sorted(all)
}

// openAPI is what is read of a schema.
type openAPI struct {
	Type       string              `json:"type"`
	Ref        string              `json:"$ref"`
	AllOf      []openAPI           `json:"allOf"`
	Items      *openAPI            `json:"items"`
	Additional *openAPI            `json:"additionalProperties"`
	Properties map[string]openAPI  `json:"properties"`
	Kinds      []map[string]string `json:"x-kubernetes-group-version-kind"`
}

func (s openAPI) same(other openAPI) bool {
	return len(s.Properties) > 0 && cmp.Equal(s.crd(), other.crd())
}

// crd is the schema as a CustomResourceDefinition can have it; what it refers to is of any kind.
func (s openAPI) crd() map[string]any {
	ref := s.Ref
	if len(s.AllOf) == 1 {
		ref = s.AllOf[0].Ref
	}
	switch {
	case strings.HasSuffix(ref, ".Quantity"), strings.HasSuffix(ref, ".IntOrString"):
		return map[string]any{"x-kubernetes-int-or-string": true}
	case strings.HasSuffix(ref, ".Time"), strings.HasSuffix(ref, ".MicroTime"):
		return map[string]any{"type": "string"}
	case ref != "":
		return map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}
	case s.Items != nil:
		return map[string]any{"type": "array", "items": s.Items.crd()}
	case s.Additional != nil:
		return map[string]any{"type": "object", "additionalProperties": s.Additional.crd()}
	case len(s.Properties) > 0:
		fields := map[string]any{}
		for name, f := range s.Properties {
			fields[name] = f.crd()
		}
		return map[string]any{"type": "object", "properties": fields}
	}
	return map[string]any{"type": s.Type}
}

// recognised is the kind of a property with a schema.
func recognised(t *testing.T, s openAPI) string {
	t.Helper()
	typed, err := campaignschema.Decode(history.Object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "servers.example.com"},
		"spec": map[string]any{
			"group": "example.com", "scope": "Namespaced", "names": map[string]any{"kind": "Server", "plural": "servers"},
			"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true, "schema": map[string]any{"openAPIV3Schema": map[string]any{
				"type": "object", "properties": map[string]any{"spec": map[string]any{"type": "object", "properties": map[string]any{"it": s.crd()}}},
			}}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	d, err := campaignschema.Open(typed, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := kind.Recognise(d.Spec(), nil); err != nil {
		t.Fatal(err)
	}
	return d.Find("spec.it").Kind
}
