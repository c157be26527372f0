package operation

import "testing"

// TestProduced: where the seed names something that nobody gives, the operator makes it: nothing of the kind is there before for another name. What is given is referred to.
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
