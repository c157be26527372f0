package value

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// TestReferred: what a seed names where there is a reference, with the key beside the name.
func TestReferred(t *testing.T) {
	leaf := func(name, kind string) *schema.Property { return &schema.Property{Name: name, Kind: kind} }
	spec := &schema.Property{Name: "spec", Children: []*schema.Property{
		leaf("key", "io.k8s.api.core.v1.SecretKeySelector"), {Name: "more", Children: []*schema.Property{leaf("[]", "SecretName")}},
		leaf("secret", "SecretName"), leaf("settings", "ConfigMapName"), leaf("text", ""),
	}}
	at := &Place{Property: &schema.Property{Children: []*schema.Property{spec}}, Namespace: "default", Tables: BuiltIn()}
	var got []string
	for _, o := range Referred(at, map[string]any{"spec": map[string]any{
		"secret": "access", "settings": "tuning", "key": map[string]any{"name": "store", "key": "user"}, "text": "none", "more": []any{"one", "two", "Not a name"},
	}}) {
		data, _ := o["stringData"].(map[string]any)
		got = append(got, strings.TrimSpace(o.Text("kind")+" "+o.Text("metadata", "name")))
		if o.Text("kind") == "Secret" && o.Text("metadata", "name") == "store" && data["user"] != "store" {
			t.Errorf("it has no key user: %v", o)
		}
	}
	want := "Secret store, ConfigMap store, Secret one, Secret two, Secret access, ConfigMap tuning"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("%s, want %s", text, want)
	}
}
