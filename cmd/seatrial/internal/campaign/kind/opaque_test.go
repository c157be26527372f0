package kind

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/history"
)

// TestOpaque: a spec of which the schema says nothing is what the resources have there, whatever their parts are
// called.
func TestOpaque(t *testing.T) {
	crd, err := schema.Decode(history.Object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "servers.example.com"},
		"spec": map[string]any{
			"group": "example.com", "scope": "Namespaced", "names": map[string]any{"kind": "Server", "plural": "servers"},
			"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true, "schema": map[string]any{"openAPIV3Schema": map[string]any{
				"type": "object", "properties": map[string]any{
					"apiVersion": map[string]any{"type": "string"}, "kind": map[string]any{"type": "string"}, "metadata": map[string]any{"type": "object"},
					"spec":   map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true},
					"status": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true},
				},
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
	seed := history.Object{"spec": map[string]any{
		"replicas": int64(3), "exporter": map[string]any{"enabled": true}, "storage": map[string]any{"sizeMegabytes": int64(64)},
		"resources": map[string]any{"requests": map[string]any{"cpu": "100m"}}, "podTemplate": map[string]any{"disks": int64(2)},
		"timeout": "30", "interval": "5m", "size": "large", "storageSize": "1Gi", "schedule": "nightly", "backup": map[string]any{"schedule": "17 3 * * *"}, "cidr": "",
	}}
	if err := Recognise(d.Root, nil, seed); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	d.Walk(func(p *schema.Property) bool {
		got[p.Path] = p.Kind
		return true
	})
	for path, want := range map[string]string{
		"spec": "", "spec.replicas": "Replicas", "spec.exporter.enabled": "", "spec.resources": core + "ResourceRequirements", "spec.storage.sizeMegabytes": "", "spec.podTemplate": "", "spec.podTemplate.disks": "",
		// A name tells what something is unless what is there says that it is not.
		"spec.timeout": "", "spec.interval": duration, "spec.size": "", "spec.storageSize": "StorageSize", "spec.schedule": "", "spec.backup.schedule": "io.k8s.api.batch.v1.CronJobSpec.schedule", "spec.cidr": addressRange,
	} {
		if kind, there := got[path]; !there || kind != want {
			t.Errorf("%s is %q (%v), want %q", path, kind, there, want)
		}
	}
}
