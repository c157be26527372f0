package oracle_test

import "testing"

// TestAccountSecrets: what a pod has of its service account only is as it was when the pod was made; what its workload says counts.
func TestAccountSecrets(t *testing.T) {
	const bare = "{kind: StatefulSet, metadata: {name: a}, spec: {template: {spec: {}}}}\n"
	const names = "{kind: StatefulSet, metadata: {name: a}, spec: {template: {spec: {imagePullSecrets: [{name: s}]}}}}\n"
	const owner = "ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]"
	pod := func(metadata, spec string) string {
		return "{kind: Pod, metadata: {name: a-0, " + metadata + "}, spec: {" + spec + "}}\n"
	}
	for _, c := range []struct {
		name, end, twin string
		speaks          bool
	}{
		{name: "of the service account", end: bare + pod(owner, ""), twin: bare + pod(owner, "imagePullSecrets: [{name: s}]")},
		{name: "of the workload", end: names + pod(owner, ""), twin: names + pod(owner, "imagePullSecrets: [{name: s}]"), speaks: true},
		{name: "of nobody's pod", end: pod("labels: {}", ""), twin: pod("labels: {}", "imagePullSecrets: [{name: s}]"), speaks: true},
		{name: "something else", end: bare + pod(owner, "hostNetwork: true"), twin: bare + pod(owner, ""), speaks: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := twins(t, property("spec.image"), thing+c.end, thing+c.end, thing+c.twin, "")
			if got := said("twin", k); len(got) > 0 != c.speaks {
				t.Errorf("it says %q, and speaks is %t", got, c.speaks)
			}
		})
	}
}
