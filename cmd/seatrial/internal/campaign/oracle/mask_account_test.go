package oracle_test

import "testing"

// TestAccountSecrets: what a pod has of its service account only is as it was when the pod was made; what its workload
// says counts.
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

// TestAccountToken: so it is of its token.
func TestAccountToken(t *testing.T) {
	const owner = "ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]"
	workload := func(says string) string {
		return "{kind: StatefulSet, metadata: {name: a}, spec: {template: {spec: {" + says + "}}}}\n"
	}
	pod := func(metadata, path string) string {
		return "{kind: Pod, metadata: {name: a-0, " + metadata + "}, spec: {containers: [{name: c, volumeMounts: [{mountPath: " + path + ", name: t}]}]}}\n"
	}
	const bare = "{kind: Pod, metadata: {name: a-0, " + owner + "}, spec: {containers: [{name: c}]}}\n"
	const token = "/var/run/secrets/kubernetes.io/serviceaccount"
	for _, c := range []struct {
		name, end, twin string
		speaks          bool
	}{
		{name: "of the service account", end: workload("") + bare, twin: workload("") + pod(owner, token)},
		{name: "it had one", end: workload("") + pod(owner, token), twin: workload("") + bare},
		{name: "of the workload", end: workload("automountServiceAccountToken: true") + bare, twin: workload("automountServiceAccountToken: true") + pod(owner, token), speaks: true},
		{name: "something else", end: workload("") + bare, twin: workload("") + pod(owner, "/data"), speaks: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := twins(t, property("spec.account.automount"), thing+c.end, thing+c.end, thing+c.twin, "")
			if got := said("twin", k); len(got) > 0 != c.speaks {
				t.Errorf("it says %q, and speaks is %t", got, c.speaks)
			}
		})
	}
}
