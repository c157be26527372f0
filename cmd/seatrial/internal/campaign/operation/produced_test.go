package operation

import "testing"

// TestProduced: where the seed names something that nobody gives, the operator makes it: nothing of the kind is there
// before for another name. What is given is referred to.
func TestProduced(t *testing.T) {
	t.Parallel()
	o := read(t, `
spec: {type: object, properties: {target: {type: string}, issuer: {type: string}, absent: {type: string}, space: {type: string}}}
kinds: {spec.target: SecretName, spec.issuer: SecretName, spec.absent: SecretName, spec.space: NamespaceName}
seed: {target: api-tls, issuer: internal-ca, space: default}
setup:
- {apiVersion: v1, kind: Secret, metadata: {name: internal-ca, namespace: default}, stringData: {word: one}}
`)
	o.Max = 120
	plan, err := Make(o)
	if err != nil {
		t.Fatal(err)
	}
	with, later := map[string]bool{}, map[string]bool{}
	for _, s := range plan.Sequences {
		for _, one := range s.Operations {
			if len(one.With) == 0 {
				with[one.Property] = with[one.Property] || len(one.Objects) > 0
				later[one.Property] = later[one.Property] || one.Lacks
			}
		}
	}
	if !with["spec.space"] {
		t.Error("another namespace is not made")
	}
	for property, want := range map[string]bool{"spec.target": false, "spec.issuer": true, "spec.absent": true} {
		if with[property] != want || later[property] != want {
			t.Errorf("%s: objects come with it: %t, or later: %t; want %t", property, with[property], later[property], want)
		}
	}
}

// TestLikeGiven: another Secret has the keys of the one that the seed refers to: what is a word there is drawn, and
// what has a form is kept.
func TestLikeGiven(t *testing.T) {
	t.Parallel()
	o := read(t, `
spec: {type: object, properties: {access: {type: string}}}
kinds: {spec.access: SecretName}
seed: {access: bucket}
setup:
- {apiVersion: v1, kind: Secret, type: kubernetes.io/basic-auth, metadata: {name: bucket, namespace: default}, data: {access-key: aGVsbG8=, raw: /w==}, stringData: {port: "443", password: swordfish}}
`)
	o.Max = 40
	plan, err := Make(o)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, s := range plan.Sequences {
		for _, one := range s.Operations {
			for _, made := range one.Objects {
				name := made.Text("metadata", "name")
				if made.Text("kind") != "Secret" || name == "bucket" || one.Content {
					continue
				}
				seen++
				data := made["stringData"].(map[string]any)
				if data["access-key"] != name || data["password"] != name || data["port"] != "443" || data["raw"] != nil || made["type"] != "kubernetes.io/basic-auth" {
					t.Errorf("%s: %s has %v", one.Name, name, made)
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no other Secret is tried")
	}
}
