package oracle_test

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

const (
	runs    = "{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 3}, status: {readyReplicas: 3}}\n"
	stands  = "{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 3}, status: {readyReplicas: 2}}\n"
	ended   = "{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 3}, status: {}}\n"
	pulling = `{kind: Pod, metadata: {name: a-2, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}, status: {phase: Pending, containerStatuses: [{name: web, state: {waiting: {reason: ImagePullBackOff}}}]}}` + "\n"
	says    = "{kind: Thing, metadata: {name: a}, status: {conditions: [{type: Ready, status: 'False', reason: Waiting, message: image missing}]}}\n"
	waits   = "{kind: Thing, metadata: {name: a}, status: {conditions: [{type: Ready, status: 'False', reason: Progressing, message: 0 of 0 pods are ready}]}}\n"
	rests   = "{kind: Thing, metadata: {name: a}, status: {conditions: [{type: Ready, status: 'False', reason: ScaledToZero}]}}\n"
	content = "{kind: Thing, metadata: {name: a}, status: {conditions: [{type: Ready, status: 'True'}]}}\n"
)

// TestHealth: behind a valid operation all runs, as far as it does where the resource was never
// another.
func TestHealth(t *testing.T) {
	cases := []struct {
		name, seed, end, twin string
		rest                  oracle.Rest
		want                  []string
	}{
		{name: "all runs", seed: content + runs, end: content + runs, twin: content + runs, rest: oracle.Rest{Quiet: true}},
		{
			name: "a pod does not start", seed: content + runs, end: content + stands + pulling, twin: content + runs,
			want: []string{"2 of 3 pods of statefulsets.apps default/a are ready: container web: ImagePullBackOff"},
		},
		{name: "it does not start in the twin either: it was asked for", seed: content + runs, end: content + stands + pulling, twin: content + stands + pulling},
		{name: "it never did, also not of the seed", seed: content + stands, end: content + stands, twin: content + runs},
		{
			name: "the resource says so", seed: content, end: says, twin: content, rest: oracle.Rest{Quiet: true},
			want: []string{"condition Ready of things.example.com default/a is False: Waiting image missing"},
		},
		{
			name: "a condition that is True when something is wrong", seed: content, twin: content, rest: oracle.Rest{Quiet: true},
			end:  "{kind: Thing, metadata: {name: a}, status: {conditions: [{type: ReconcileError, status: 'True', message: none}]}}",
			want: []string{"condition ReconcileError of things.example.com default/a is True: none"},
		},
		{
			name: "the operator declines", seed: content, twin: content, rest: oracle.Rest{Quiet: true},
			end: "{kind: Thing, metadata: {name: a}, status: {conditions: [{type: Ready, status: 'False', message: the size cannot be changed}]}}",
		},
		{
			name: "what the API server says to the operator is no refusal of the operator's", seed: content, twin: content, rest: oracle.Rest{Quiet: true},
			end:  `{kind: Thing, metadata: {name: a}, status: {conditions: [{type: Ready, status: 'False', message: 'StatefulSet.apps "a" is invalid: spec: Forbidden: updates to statefulset spec'}]}}`,
			want: []string{`condition Ready of things.example.com default/a is False: StatefulSet.apps "a" is invalid: spec: Forbidden: updates to statefulset spec`},
		},
		{
			name: "what Kubernetes has no way for is", seed: content, twin: content, rest: oracle.Rest{Quiet: true},
			end: `{kind: Thing, metadata: {name: a}, status: {conditions: [{type: Ready, status: 'False', message: 'PersistentVolumeClaim "a" is invalid: spec.resources.requests.storage: Forbidden: field can not be less than status.capacity'}]}}`,
		},
		{
			name: "a connection that is refused is no refusal of the operator's", seed: content, twin: content, rest: oracle.Rest{Quiet: true},
			end:  "{kind: Thing, metadata: {name: a}, status: {conditions: [{type: Ready, status: 'False', message: 'dial: connection refused'}]}}",
			want: []string{"condition Ready of things.example.com default/a is False: dial: connection refused"},
		},
		{
			name: "the resource says so of what does not start in the twin either", seed: content + runs, end: says + stands + pulling, twin: content + stands + pulling,
		},
		{
			name: "it waits for something", seed: content, end: content, twin: content, rest: oracle.Rest{Why: "generation 3 is not observed"},
			want: []string{"it does not come to rest, and does where the resource was never another: generation 3 is not observed"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			k := twins(t, property("spec.size"), c.seed, c.end, c.twin, "")
			k.Last().Rest = c.rest
			hold(t, "health", k, c.want)
			k.Last().Operation = &operation.Operation{Property: "spec.size", Misoperation: true}
			hold(t, "health", k, nil)
		})
	}
}

// TestFailures: reconciles that go on failing are held against an operator, unless they did so with the seed, or do
// where the resource was never another.
func TestFailures(t *testing.T) {
	const want = "reconciles of the operator's controller web go on failing when nothing moves any more, as its metrics say"
	for _, test := range []struct {
		name             string
		seed, last, twin []string
		want             []string
	}{
		{"none", nil, nil, nil, nil},
		{"of a way", nil, []string{"web"}, nil, []string{want}},
		{"of another controller", []string{"db"}, []string{"web"}, []string{"db"}, []string{want}},
		{"of the seed, too", []string{"web"}, []string{"web"}, nil, nil},
		{"of the twin, too", nil, []string{"web"}, []string{"web"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			k := twins(t, property("spec.size"), content+runs, content+runs, content+runs, "")
			k.Steps[0].Rest.Failing, k.Last().Rest.Failing, k.Twin.Rest.Failing = test.seed, test.last, test.twin
			hold(t, "health", k, test.want)
		})
	}
}

// TestUnreachable: what the user says is not to be reached here is not held against the operator, and all else is.
func TestUnreachable(t *testing.T) {
	const dial, exec = "dial tcp: lookup a-0.a on 127.0.0.1:53: no such host", `run command: pods "a-0" is forbidden: unable to upgrade connection`
	failing := func(text string) string {
		return "{kind: Thing, metadata: {name: a}, status: {conditions: [{type: Ready, status: 'False', reason: Failed, message: '" + text + "'}]}}\n"
	}
	for _, test := range []struct {
		name, message, output string
		unreachable           []string
		want                  int
	}{
		{"tcp", dial, dial, []string{"tcp"}, 0},
		{"exec", exec, exec, []string{"tcp", "exec"}, 0},
		{"nothing is declared", dial, dial, nil, 3},
		{"another thing is", dial, dial, []string{"exec"}, 3},
		{"it is about something else", "the size is odd", "the size is odd", []string{"tcp", "exec"}, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			k := twins(t, property("spec.size"), content+runs, failing(test.message)+runs, content+runs, "")
			k.Unreachable, k.Last().Output, k.Last().Rest.Failing = test.unreachable, test.output, []string{"web"}
			got := said("health", k)
			if differs := said("twin", k); len(differs) > 0 {
				got = append(got, "the twin differs")
			}
			if len(got) != test.want {
				t.Errorf("%d findings, want %d: %q", len(got), test.want, got)
			}
		})
	}
}

// TestUnreachableSince: an operator that has failed since the seed for what cannot be reached need not say so again.
func TestUnreachableSince(t *testing.T) {
	k := twins(t, property("spec.size"), content+runs, content+runs, content+runs, "")
	k.Unreachable, k.Steps[0].Output = []string{"tcp"}, "dial tcp 10.0.0.1:80: connection refused"
	k.Steps[0].Rest.Failing, k.Last().Rest.Failing = []string{"web"}, []string{"web"}
	hold(t, "health", k, nil)
	if k.Fails() {
		t.Error("it fails")
	}
	k.Last().Output, k.Last().Rest = "dial tcp 10.0.0.1:80: connection refused", oracle.Rest{Why: "generation 2 is not observed"}
	hold(t, "health", k, nil)
	k.Last().Output, k.Last().Rest.Failing = "", []string{"db"}
	if !k.Fails() {
		t.Error("another controller does not fail")
	}
}

// TestUnreachedStatus: what an operator did not come to write in the status is not compared, once it has said that it
// cannot reach what it wants.
func TestUnreachedStatus(t *testing.T) {
	of := func(ready string) string {
		return "{kind: Thing, metadata: {name: a}, status: {members: [" + ready + "]}}\n"
	}
	k := twins(t, property("spec.size"), "", of("a-0, a-1"), of("a-0"), "")
	k.Unreachable = []string{"tcp"}
	if len(said("twin", k)) == 0 {
		t.Error("it is not compared before the operator says so")
	}
	k.Steps[0].Output = "dial tcp 10.0.0.1:80: connection refused"
	hold(t, "twin", k, nil)
}

// TestWaits: behind an operation for which the operator wants what it cannot reach, and did not want before, nothing is
// compared, and neither is it where it fails beside a twin that fails.
func TestWaits(t *testing.T) {
	const dial = "ERROR dial tcp 10.0.0.1:80: connection refused"
	const old = "{kind: ConfigMap, metadata: {name: a}}"
	cases := []struct {
		name                   string
		unreachable            []string
		seed, last, twin       string
		failing, failingInTwin []string
		dials, waits, speaks   bool
	}{
		{name: "in another run with the seed, too", unreachable: []string{"tcp"}, last: dial, dials: true, speaks: true},
		{name: "it reaches all", unreachable: []string{"tcp"}, speaks: true},
		{name: "behind the operation only", unreachable: []string{"tcp"}, last: dial, waits: true},
		{name: "nothing was said to be out of reach", last: dial, speaks: true},
		{name: "for the seed, too", unreachable: []string{"tcp"}, seed: dial, last: dial, speaks: true},
		{name: "in the twin, too", unreachable: []string{"tcp"}, last: dial, twin: dial, speaks: true},
		{name: "it fails beside a twin that fails", unreachable: []string{"tcp"}, last: dial, seed: dial, failing: []string{"thing"}, failingInTwin: []string{"thing"}},
		{name: "it fails beside a twin that does not", unreachable: []string{"tcp"}, last: dial, seed: dial, failing: []string{"thing"}, speaks: true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			k := twins(t, property("spec.size"), "", thing+old, thing, "")
			k.Unreachable, k.Dials = c.unreachable, c.dials
			k.Steps[0].Output, k.Last().Output, k.Twin.Output = c.seed, c.last, c.twin
			k.Last().Rest.Failing, k.Twin.Rest.Failing = c.failing, c.failingInTwin
			if k.Waits() != c.waits {
				t.Errorf("it waits: %t", k.Waits())
			}
			if got := len(said("twin", k)) > 0; got != c.speaks {
				t.Errorf("it speaks: %t", got)
			}
		})
	}
}

// TestMisoperation: what cannot work may be taken, but it must not end what runs.
func TestMisoperation(t *testing.T) {
	warning := history.Event{Type: history.Create, Key: history.Key{Resource: "events", Name: "e"}, Object: history.Object{
		"type": "Warning", "involvedObject": map[string]any{"name": "a"},
	}}
	const one = "{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 1}, status: {readyReplicas: 1}}\n"
	const none = "{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 1}, status: {}}\n"
	cases := []struct {
		name, seed, end string
		events          []history.Event
		want            []string
		answer          oracle.Answer
	}{
		{name: "old pods stay, and the resource says so", seed: content + runs, end: says + stands, answer: oracle.Prevented},
		{name: "old pods stay, and nobody says so", seed: content + runs, end: content + stands, answer: oracle.Let},
		{name: "nothing ran before", seed: content + ended, end: content + ended, answer: oracle.Let},
		{
			name: "all pods are gone", seed: content + runs, end: content + ended + pulling, answer: oracle.Let,
			want: []string{"no pod of statefulsets.apps default/a is ready any more, and 3 of 3 were: what cannot work was taken, and has ended what ran: container web: ImagePullBackOff"},
		},
		{
			name: "the workload is gone", seed: content + runs, end: content, answer: oracle.Let,
			want: []string{"statefulsets.apps default/a, of which 3 of 3 pods were ready, is not there any more: what cannot work was taken, and has ended what ran"},
		},
		{name: "the workload is another, which runs", seed: content + runs, end: content + "{kind: StatefulSet, metadata: {name: b}, spec: {replicas: 1}, status: {readyReplicas: 1}}", answer: oracle.Let},
		{
			name: "the workload is another, which does not run", seed: content + runs, end: content + "{kind: StatefulSet, metadata: {name: b}, spec: {replicas: 1}, status: {}}", answer: oracle.Let,
			want: []string{"statefulsets.apps default/a, of which 3 of 3 pods were ready, is not there any more: what cannot work was taken, and has ended what ran"},
		},
		{
			name: "none is asked for", seed: content + runs, end: content + "{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 0}}", answer: oracle.Let,
			want: []string{"statefulsets.apps default/a is to have no pod any more, and 3 were ready: a slip was taken for what is meant, and has ended what ran"},
		},
		{
			name: "none is asked for, and the operator says that none is ready", seed: content + runs, end: waits + "{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 0}}", answer: oracle.Prevented,
			want: []string{"statefulsets.apps default/a is to have no pod any more, and 3 were ready: a slip was taken for what is meant, and has ended what ran"},
		},
		{name: "none is asked for, and the operator says that it is meant", seed: content + runs, end: rests + "{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 0}}", answer: oracle.Prevented},
		{
			name: "none is asked for, and the phase says so", seed: content + runs, answer: oracle.Let,
			end: "{kind: Thing, metadata: {name: a}, status: {phase: Stopped}}\n" + "{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 0}}",
		},
		{name: "no node is selected any more", seed: content + "{kind: DaemonSet, metadata: {name: a}, status: {desiredNumberScheduled: 3, numberReady: 3}}", end: content + "{kind: DaemonSet, metadata: {name: a}, status: {desiredNumberScheduled: 0}}", answer: oracle.Let},
		{
			name: "no pod of a DaemonSet starts", seed: content + "{kind: DaemonSet, metadata: {name: a}, status: {desiredNumberScheduled: 3, numberReady: 3}}", end: content + "{kind: DaemonSet, metadata: {name: a}, status: {desiredNumberScheduled: 3}}", answer: oracle.Let,
			want: []string{"no pod of daemonsets.apps default/a is ready any more, and 3 of 3 were: what cannot work was taken, and has ended what ran"},
		},
		{name: "Kubernetes takes the only one away", seed: content + one, end: content + none, answer: oracle.Let},
		{
			name: "so it does with that of a Deployment that is made anew", answer: oracle.Let,
			seed: content + "{kind: Deployment, metadata: {name: a}, spec: {replicas: 1, strategy: {type: Recreate}}, status: {readyReplicas: 1}}", end: content + "{kind: Deployment, metadata: {name: a}, spec: {replicas: 1, strategy: {type: Recreate}}, status: {}}",
		},
		{
			name: "and with that of one that may have no other beside it", answer: oracle.Let,
			seed: content + "{kind: Deployment, metadata: {name: a}, spec: {replicas: 1, strategy: {rollingUpdate: {maxSurge: 0}}}, status: {readyReplicas: 1}}", end: content + "{kind: Deployment, metadata: {name: a}, spec: {replicas: 1, strategy: {rollingUpdate: {maxSurge: 0}}}, status: {}}",
		},
		{
			name: "the operator has all made anew at once", answer: oracle.Let,
			seed: content + "{kind: Deployment, metadata: {name: a}, spec: {replicas: 3, strategy: {type: Recreate}}, status: {readyReplicas: 3}}", end: content + "{kind: Deployment, metadata: {name: a}, spec: {replicas: 3, strategy: {type: Recreate}}, status: {}}",
			want: []string{"no pod of deployments.apps default/a is ready any more, and 3 of 3 were: what cannot work was taken, and has ended what ran"},
		},
		{
			name: "the user does", answer: oracle.Let,
			seed: "{kind: Thing, metadata: {name: a}, spec: {strategy: Recreate}}\n{kind: Deployment, metadata: {name: a}, spec: {replicas: 3, strategy: {type: Recreate}}, status: {readyReplicas: 3}}", end: "{kind: Thing, metadata: {name: a}, spec: {strategy: Recreate}}\n{kind: Deployment, metadata: {name: a}, spec: {replicas: 3, strategy: {type: Recreate}}, status: {}}",
		},
		{name: "it does, and the operator says so", seed: content + one, end: content + none, events: []history.Event{warning}, answer: oracle.Prevented},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			k := caseOf(t, &operation.Operation{Property: "spec.image", Misoperation: true}, c.seed, c.end)
			k.Last().Events = c.events
			hold(t, "misoperation", k, c.want)
			k.Last().Operation.Pauses = true
			hold(t, "misoperation", k, nil)
			k.Last().Operation.Pauses, k.Last().Operation.Paused = false, true
			hold(t, "misoperation", k, nil)
			k.Last().Operation.Paused, k.Last().Operation.Stays = false, true
			hold(t, "misoperation", k, nil)
			if got := k.Answer(); got != c.answer {
				t.Errorf("it is %s, want %s", got, c.answer)
			}
		})
	}
}

// TestSlip: a number that is set to 0, and of which it is not known that it may be, must not end everything silently.
func TestSlip(t *testing.T) {
	const other = "{kind: StatefulSet, metadata: {name: b}, spec: {replicas: 3}, status: {readyReplicas: 3}}\n"
	const zero = "{kind: StatefulSet, metadata: {name: a}, spec: {replicas: 0}}\n"
	gone := []string{"statefulsets.apps default/a, of which 3 of 3 pods were ready, is not there any more: what cannot work was taken, and has ended what ran"}
	none := []string{"statefulsets.apps default/a is to have no pod any more, and 3 were ready: a slip was taken for what is meant, and has ended what ran"}
	cases := []struct {
		name, seed, end string
		slip, mis       []string
	}{
		{name: "no pods", seed: content + runs, end: content + zero, slip: none, mis: none},
		{name: "the workload is gone", seed: content + runs, end: content, slip: gone, mis: gone},
		{name: "the operator says that it is meant", seed: content + runs, end: rests + zero},
		{name: "no pods, and others run on", seed: content + runs + other, end: content + zero + other, mis: none},
		{name: "the workload is gone, and others run on", seed: content + runs + other, end: content + other},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			set := []operation.Change{{Path: []any{"spec", "size"}, Value: int64(0)}}
			hold(t, "misoperation", caseOf(t, &operation.Operation{Property: "spec.size", Slip: true, Changes: set}, c.seed, c.end), c.slip)
			hold(t, "misoperation", caseOf(t, &operation.Operation{Property: "spec.size", Misoperation: true, Changes: set}, c.seed, c.end), c.mis)
		})
	}
}

// TestAnswer: what becomes of operations, for counts.
func TestAnswer(t *testing.T) {
	c := caseOf(t, property("spec.size"), content, content)
	if got := c.Answer(); got != oracle.Accepted {
		t.Error(got)
	}
	c.Last().Refused = "no"
	if got := c.Answer(); got != oracle.Refused {
		t.Error(got)
	}
	c.Last().Operation.Misoperation = true
	if got := c.Answer(); got != oracle.Prevented {
		t.Error(got)
	}
	declined := caseOf(t, property("spec.size"), content, "{kind: Thing, metadata: {name: a}, status: {message: the size cannot be changed}}")
	if got := declined.Answer(); got != oracle.Declined {
		t.Error(got)
	}
}
