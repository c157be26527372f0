package value

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// TestReferred: what a seed names where there is a reference, with the key and the namespace beside the name.
func TestReferred(t *testing.T) {
	leaf := func(name, kind string) *schema.Property {
		return &schema.Property{Name: name, Kind: kind, Path: "spec." + name}
	}
	const core = "io.k8s.api.core.v1."
	volume := leaf("[]", core+"Volume")
	volume.Children = []*schema.Property{{Name: "secret", Children: []*schema.Property{leaf("secretName", "SecretName")}}}
	spec := &schema.Property{Name: "spec", Children: []*schema.Property{
		leaf("key", core+"SecretKeySelector"), {Name: "more", Children: []*schema.Property{leaf("[]", "SecretName")}},
		leaf("other", core+"LocalObjectReference"), leaf("secret", "SecretName"), leaf("settings", "ConfigMapName"), leaf("store", core+"SecretReference"), leaf("text", ""),
		leaf("tlsSecret", core+"LocalObjectReference"), {Name: "volumes", Children: []*schema.Property{volume}},
	}}
	at := &Place{Property: &schema.Property{Children: []*schema.Property{spec}}, Namespace: "default", Tables: BuiltIn()}
	for _, c := range []struct {
		name, want string
		said       map[string]any
	}{
		{"names", "Secret default/access, ConfigMap default/tuning", map[string]any{"secret": "access", "settings": "tuning", "text": "none"}},
		{"items", "Secret default/one, Secret default/two", map[string]any{"more": []any{"one", "two", "Not a name"}}},
		{"a key", "Secret default/access user", map[string]any{"key": map[string]any{"name": "access", "key": "user"}}},
		{"another namespace", "Secret vault/access", map[string]any{"store": map[string]any{"name": "access", "namespace": "vault"}}},
		{"of either kind", "Secret default/access + ConfigMap default/access", map[string]any{"other": map[string]any{"name": "access"}}},
		{"of the kind that its name speaks of", "Secret default/access", map[string]any{"tlsSecret": map[string]any{"name": "access"}}},
		{"the name of a volume is none", "Secret default/access", map[string]any{"volumes": []any{map[string]any{"name": "data", "secret": map[string]any{"secretName": "access"}}, map[string]any{"name": "tmp"}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, some := range Referred(at, map[string]any{"spec": c.said}) {
				var together []string
				for _, o := range some {
					text := fmt.Sprintf("%s %s/%s", o.Text("kind"), o.Text("metadata", "namespace"), o.Text("metadata", "name"))
					data, _ := o["stringData"].(map[string]any)
					if data["user"] == filling {
						text += " user"
					}
					if data["username"] == o.Text("metadata", "name") {
						t.Errorf("%s says its own name", text)
					}
					together = append(together, text)
				}
				got = append(got, strings.Join(together, " + "))
			}
			if text := strings.Join(got, ", "); text != c.want {
				t.Errorf("%s, want %s", text, c.want)
			}
		})
	}
	at.Namespace = ""
	if got := Referred(at, map[string]any{"spec": map[string]any{"secret": "access"}}); len(got) > 0 {
		t.Errorf("of no namespace: %v", got)
	}
}
