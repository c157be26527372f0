package schema

import (
	"os"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/history"
)

// Whatever a definition says, it is opened or an error, and what comes of it can be
// used.
func FuzzOpen(f *testing.F) {
	whole, err := os.ReadFile("testdata/servers.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(whole))
	f.Add(versions)
	f.Add("{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {versions: [{name: v1, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]}}")
	f.Fuzz(func(t *testing.T, text string) {
		json, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			return
		}
		var o history.Object
		if o.UnmarshalJSON(json) != nil {
			return
		}
		crd, err := Decode(o)
		if err != nil {
			return
		}
		d, err := Open(crd, "")
		if err != nil {
			return
		}
		d.Walk(func(p *Property) bool {
			if d.Find(p.Path) == nil {
				t.Errorf("%s is not found", p.Path)
			}
			d.Guards(p)
			return true
		})
		cr := history.Object{"apiVersion": d.Kind.GroupVersion().String(), "kind": d.Kind.Kind, "metadata": map[string]any{"name": "a"}, "spec": map[string]any{"a": nil, "b": []any{int64(1)}}}
		d.Refuses(cr, nil)
		d.Refuses(d.Complete(cr), cr)
		d.Pruned(cr)
	})
}
