package campaign

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/reproduction"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/history"
)

// A finding is looked for with the types of Kubernetes that the campaign knew: those that are recognised, those that
// were given, and what only an example shows. What its operations change is compared with the seed.
func TestReproducedKinds(t *testing.T) {
	text := map[string]any{"type": "string"}
	crd := history.Object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "webs.example.com"},
		"spec": map[string]any{
			"group": "example.com", "scope": "Namespaced", "names": map[string]any{"kind": "Web", "plural": "webs"},
			"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true, "schema": map[string]any{"openAPIV3Schema": map[string]any{
				"type": "object", "properties": map[string]any{"spec": map[string]any{"type": "object", "properties": map[string]any{
					"tolerations": map[string]any{"type": "array", "items": map[string]any{"type": "object", "properties": map[string]any{
						"key": text, "operator": text, "value": text, "effect": text, "tolerationSeconds": map[string]any{"type": "integer"},
					}}},
					"whom":  map[string]any{"type": "object", "properties": map[string]any{"matchLabels": map[string]any{"type": "object", "additionalProperties": text}}},
					"other": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true},
				}}},
			}}}},
		},
	}
	web := func(spec map[string]any) history.Object {
		return history.Object{"apiVersion": "example.com/v1", "kind": "Web", "metadata": map[string]any{"name": "web", "namespace": "default"}, "spec": spec}
	}
	const selector = "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector"
	written, err := reproduction.New(&input.Input{
		Name: "web", Seed: web(map[string]any{}), Controller: experiment.Controller{Command: []string{"/bin/op"}}, Setup: experiment.Manifests{Objects: []history.Object{crd}},
		Kinds: map[string]string{"spec.whom": selector}, Examples: []history.Object{web(map[string]any{"other": map[string]any{"size": int64(1)}})},
	}, "", reproduction.Found{Oracle: "twin", Cause: "c"}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	r, err := reproduction.Decode(written)
	if err != nil {
		t.Fatal(err)
	}
	in, err := r.Input("finding.json")
	if err != nil {
		t.Fatal(err)
	}
	d, err := define(in)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"spec.tolerations[]": "io.k8s.api.core.v1.Toleration", "spec.whom": selector} {
		if p := d.Find(path); p == nil || p.Kind != want {
			t.Errorf("%s is %v, want %s", path, p, want)
		}
	}
	out := &Outcome{}
	if _, _, err := newTrial(t.Context(), &Options{Input: in}, out, d, nil); err != nil || out.seed.Text("metadata", "name") != "web" {
		t.Errorf("what is changed is compared with %v: %v", out.seed, err)
	}
	if p := d.Spec().Field("other").Field("size"); p == nil || !p.Inferred {
		t.Errorf("spec.other.size is %v, which an example has", p)
	}
}
