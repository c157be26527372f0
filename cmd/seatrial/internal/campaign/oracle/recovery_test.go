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
	many := func(ready string) string {
		return "{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 1000}, status: {readyReplicas: " + ready + "}}"
	}
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
		{name: "a great many pods are still starting", op: repair, end: many("12"), rest: oracle.Rest{Why: "12 of 1000 pods are ready"}, twinRest: oracle.Rest{Quiet: true}},
		{
			name: "a great many pods do not start", op: repair, end: many("0"), rest: oracle.Rest{Why: "0 of 1000 pods are ready"}, twinRest: oracle.Rest{Quiet: true},
			want: []string{"it does not recover: what could not work is taken back, and still it does not come to rest: 0 of 1000 pods are ready"},
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

// TestOverscaled: pods that an autoscaler leaves there, and that have no room, are none that the operator owes, but for
// those that the twin has, too.
func TestOverscaled(t *testing.T) {
	repair := &operation.Operation{Property: "spec.least", Case: "huge", Repairs: true}
	of := func(replicas, ready string) string {
		return "{kind: Deployment, metadata: {name: a, uid: u}, spec: {replicas: " + replicas + "}, status: {readyReplicas: " + ready + "}}\n" +
			"{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: a-1, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}, spec: {replicas: " + replicas + "}, status: {readyReplicas: " + ready + "}}\n"
	}
	const scaler = "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: a}, spec: {minReplicas: 2, maxReplicas: 100, scaleTargetRef: {kind: Deployment, name: a}}}\n"
	const rest = "it does not recover: what could not work is taken back, and still it does not come to rest: not all pods are ready"
	for _, tc := range []struct {
		name, end, twin string
		want            []string
	}{
		{"left by the autoscaler", of("100", "36") + scaler, of("2", "2") + scaler, nil},
		{"no autoscaler", of("100", "36"), of("2", "2"), []string{rest}},
		{"as many as the twin has", of("2", "1") + scaler, of("2", "2") + scaler, []string{rest}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			k := twins(t, repair, thing+tc.end, thing+tc.end, thing+tc.twin, "")
			k.Last().Rest, k.Twin.Rest = oracle.Rest{Why: "not all pods are ready"}, oracle.Rest{Quiet: true}
			hold(t, "recovery", k, tc.want)
			hold(t, "health", k, nil)
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

// TestRepairOfAnother: an operation was taken back, since the operator declines it, and the repair of the misoperation
// behind it asks for it again. That nothing comes of it is what the operator still says; where it asks for what there
// was before, nothing is excused.
func TestRepairOfAnother(t *testing.T) {
	set := func(size string) string {
		return "{kind: StatefulSet, metadata: {name: a}, spec: {serviceName: s" + size + "}}\n"
	}
	resource := func(size string) history.Object {
		return history.Object{"spec": map[string]any{"size": size}}
	}
	const content, declines = thing, "{kind: Thing, metadata: {name: a}, spec: {size: 1}, status: {message: shrinking is not supported}}\n"
	for _, c := range []struct {
		name, before, after, twin string
		want                      []string
	}{
		{"what there was", "17", "17", "s17", []string{
			`spec.serviceName of statefulsets.apps default/a is "s20", and "s17" where it never went wrong`,
			`status.message of things.example.com default/a is "shrinking is not supported", and not there where it never went wrong`,
		}},
		{"what was declined", "17", "10", "s10", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			wrong := quiet(t, &operation.Operation{Property: "spec.size", Misoperation: true}, content+set("20"), declines+set("20"))
			wrong.Before, wrong.Resource = resource(c.before), resource("0")
			last := quiet(t, &operation.Operation{Property: "spec.size", Repairs: true}, declines+set("20"), declines+set("20"))
			last.Before, last.Resource = resource("0"), resource(c.after)
			k := &oracle.Case{Steps: []*oracle.Step{quiet(t, nil, "", content+set("20")), wrong, last}, Mask: history.DefaultMask(), Key: key}
			k.Twin = quiet(t, nil, "", content+set(c.twin[1:]))
			k.Twice = k.Twin
			hold(t, "recovery", k, c.want)
			hold(t, "twin", k, nil)
		})
	}
}
