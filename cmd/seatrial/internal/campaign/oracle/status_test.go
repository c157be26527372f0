package oracle_test

import (
	"fmt"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
)

// TestStatus: what the status says to be well has to be so, where pods cannot become ready.
func TestStatus(t *testing.T) {
	const (
		resource = "{kind: Thing, metadata: {name: a, generation: %d}, spec: {image: %s}, status: %s}\n"
		workload = "{kind: StatefulSet, metadata: {name: a, uid: s}, spec: {replicas: %d}, status: {readyReplicas: %d}}\n"
		stuck    = "{kind: Pod, metadata: {name: a-0, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}, status: {phase: Pending, containerStatuses: [{name: a, state: {waiting: {reason: ImagePullBackOff}}}]}}\n"
		slow     = "{kind: Pod, metadata: {name: a-0, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}, status: {phase: Pending}}\n"
		why      = "no pod of statefulsets.apps default/a is ready: container a: ImagePullBackOff"
	)
	for _, c := range []struct {
		name, status  string
		wants, counts int
		pod           string
		want          []string
	}{
		{"it says so", "{readyReplicas: 0, conditions: [{type: Ready, status: 'False'}]}", 2, 0, stuck, nil},
		{"a condition says that all is well", "{conditions: [{type: Ready, status: 'True'}]}", 2, 0, stuck,
			[]string{"condition Ready of things.example.com default/a is True, and " + why}},
		{"a condition that is about something else", "{conditions: [{type: Reconciled, status: 'True'}, {type: StorageReady, status: 'True'}, {type: NotReady, status: 'True'}]}", 2, 0, stuck, nil},
		{"a condition of its kind", "{conditions: [{type: ThingReady, status: 'True'}]}", 2, 0, stuck,
			[]string{"condition ThingReady of things.example.com default/a is True, and " + why}},
		{"a count of something else", "{availableBackups: 2}", 2, 1, stuck, nil},
		{"a condition about the resource as it was", "{conditions: [{type: Ready, status: 'True', observedGeneration: 1}]}", 2, 0, stuck, nil},
		{"a status about the resource as it was", "{observedGeneration: 1, conditions: [{type: Ready, status: 'True'}]}", 2, 0, stuck, nil},
		{"a condition by which the operator declines", "{conditions: [{type: Ready, status: 'True'}, {type: Valid, status: 'False', message: 'the image is not valid'}]}", 2, 0, stuck, nil},
		{"how far it is", "{phase: Running}", 2, 0, stuck, []string{"status.phase of things.example.com default/a is Running, and " + why}},
		{"that it is on its way", "{phase: Updating}", 2, 0, stuck, nil},
		{"a count", "{readyReplicas: 2}", 2, 1, stuck, []string{"status.readyReplicas of things.example.com default/a is 2, and 1 of 2 pods are ready"}},
		{"a count that is right", "{readyReplicas: 1}", 2, 1, stuck, nil},
		{"a count of what was asked for", "{replicas: 2}", 2, 0, stuck, nil},
		{"some are ready", "{phase: Running, conditions: [{type: Ready, status: 'True'}]}", 2, 1, stuck, nil},
		{"all are ready", "{readyReplicas: 3}", 2, 2, "", nil},
		{"pods that may become ready yet", "{phase: Running}", 2, 0, slow, nil},
		{"none is asked for", "{phase: Running}", 0, 0, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			seed := fmt.Sprintf(resource, 1, "web:1", "{readyReplicas: 2, availableBackups: 2, phase: Running}") + fmt.Sprintf(workload, 2, 2)
			end := fmt.Sprintf(resource, 2, "none:1", c.status) + fmt.Sprintf(workload, c.wants, c.counts) + c.pod
			wrong := property("spec.image")
			wrong.Misoperation = true
			k := caseOf(t, wrong, seed, end)
			hold(t, "status", k, c.want)
			k.Last().Rest.Failing = []string{"thing"} // it has not come to the status
			hold(t, "status", k, nil)
			k.Last().Rest = oracle.Rest{Why: "writes went on for 1m0s"}
			hold(t, "status", k, nil)
			k.Last().Rest = oracle.Rest{Still: true, Why: "deployments.apps default/a: 1 of 2 pods are ready"} // as it is where a pod never will be
			hold(t, "status", k, c.want)
		})
	}
}

// TestStatusBeforePods: what the status said of the seed before any pod was ready is not about pods.
func TestStatusBeforePods(t *testing.T) {
	const (
		resource = "{kind: Thing, metadata: {name: a, generation: 1}, spec: {image: web}, status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}}\n"
		early    = "{kind: Thing, metadata: {name: a, generation: 1}, spec: {image: web}, status: {phase: Pending}}\n"
		workload = "{kind: StatefulSet, metadata: {name: a, uid: s}, spec: {replicas: 2}, status: {readyReplicas: %d}}\n"
		stuck    = "{kind: Pod, metadata: {name: a-0, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: a, controller: true}]}, status: {phase: Pending, containerStatuses: [{name: a, state: {waiting: {reason: ImagePullBackOff}}}]}}\n"
	)
	both := []string{
		"condition Ready of things.example.com default/a is True, and no pod of statefulsets.apps default/a is ready: container a: ImagePullBackOff",
		"status.phase of things.example.com default/a is Running, and no pod of statefulsets.apps default/a is ready: container a: ImagePullBackOff",
	}
	one, none := fmt.Sprintf(workload, 1), fmt.Sprintf(workload, 0)
	for _, c := range []struct {
		name   string
		writes [][2]string
		want   []string
	}{
		{"when a pod is ready", [][2]string{{early, early}, {none, one}, {early, resource}}, both},
		{"before that", [][2]string{{early, resource}, {none, one}}, nil},
		{"where none is", [][2]string{{early, resource}, {none, none}}, both},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := caseOf(t, property("spec.image"), resource+fmt.Sprintf(workload, 2), resource+none+stuck)
			for _, w := range c.writes {
				k.Steps[0].Events = append(k.Steps[0].Events, write(t, w[0], w[1]))
			}
			hold(t, "status", k, c.want)
		})
	}
}
