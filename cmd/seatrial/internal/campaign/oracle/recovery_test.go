package oracle_test

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// TestRecovery: what could not work is taken back, and then all is as if it had never been.
func TestRecovery(t *testing.T) {
	const good, bad = "{kind: StatefulSet, metadata: {name: a}, spec: {serviceName: good}}", "{kind: StatefulSet, metadata: {name: a}, spec: {serviceName: bad}}"
	repair := &operation.Operation{Property: "spec.size", Case: "huge", Repairs: true}
	cases := []struct {
		name     string
		op       *operation.Operation
		end      string
		rest     oracle.Rest
		twinRest oracle.Rest
		want     []string
	}{
		{name: "it recovers", op: repair, end: good, rest: oracle.Rest{Quiet: true}, twinRest: oracle.Rest{Quiet: true}},
		{
			name: "something of it stays", op: repair, end: bad, rest: oracle.Rest{Quiet: true}, twinRest: oracle.Rest{Quiet: true},
			want: []string{`spec.serviceName of statefulsets.apps default/a is "bad", and "good" where it never went wrong`},
		},
		{
			name: "it never comes to rest", op: repair, end: bad, rest: oracle.Rest{Why: "statefulsets.apps default/a: 0 of 3 pods are ready"}, twinRest: oracle.Rest{Quiet: true},
			want: []string{"it does not recover: what could not work is taken back, and still it does not come to rest: statefulsets.apps default/a: 0 of 3 pods are ready"},
		},
		{
			name: "it goes in a circle", op: repair, end: bad, rest: oracle.Rest{Cycle: &history.Cycle{}}, twinRest: oracle.Rest{Quiet: true},
			want: []string{"it does not recover: what could not work is taken back, and still it does not come to rest: writes go on"},
		},
		{name: "the twin does not come to rest either", op: repair, end: good, rest: oracle.Rest{Why: "x"}, twinRest: oracle.Rest{Why: "x"}},
		{name: "no repair: the twin's matter", op: property("spec.size"), end: bad, rest: oracle.Rest{Quiet: true}, twinRest: oracle.Rest{Quiet: true}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			k := twins(t, c.op, thing+bad, thing+c.end, thing+good, "")
			k.Last().Rest, k.Twin.Rest = c.rest, c.twinRest
			hold(t, "recovery", k, c.want)
			if c.op.Repairs {
				hold(t, "twin", k, nil)
			}
		})
	}
}

// TestForcedRollback: where a StatefulSet says again what is right, and Kubernetes waits for the broken pod, the
// operator has recovered; where the StatefulSet is still wrong, it has not.
func TestForcedRollback(t *testing.T) {
	const pod = "{kind: Pod, metadata: {name: a-0, labels: {controller-revision-hash: a-1}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}}\n"
	set := func(name, policy, ready string) string {
		return "{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 1, serviceName: " + name + ", podManagementPolicy: " + policy + "}, status: {updateRevision: a-2, readyReplicas: " + ready + "}}\n"
	}
	const rest = "it does not recover: what could not work is taken back, and still it does not come to rest: 0 of 1 pods are ready"
	cases := []struct {
		name, end, policy string
		want, health      []string
	}{
		{name: "Kubernetes waits", end: "good", policy: "OrderedReady"},
		{
			name: "the operator waits", end: "bad", policy: "OrderedReady",
			want: []string{`spec.serviceName of statefulsets.apps default/a is "bad", and "good" where it never went wrong`},
		},
		{
			name: "Kubernetes would not wait", end: "good", policy: "Parallel", want: []string{rest},
			health: []string{"0 of 1 pods of statefulsets.apps default/a are ready"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			k := twins(t, &operation.Operation{Property: "spec.image", Repairs: true}, "", thing+set(c.end, c.policy, "0")+pod, thing+set("good", c.policy, "1"), "")
			k.Last().Rest = oracle.Rest{Why: "0 of 1 pods are ready"}
			hold(t, "recovery", k, c.want)
			k.Last().Operation = property("spec.image")
			hold(t, "health", k, c.health)
		})
	}
}
