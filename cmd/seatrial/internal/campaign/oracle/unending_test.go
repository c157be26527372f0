package oracle_test

import "testing"

// TestUnending: pods that are all there are not under way.
func TestUnending(t *testing.T) {
	status := func(ready, message string) string {
		return "{kind: Thing, metadata: {name: a}, spec: {size: 1}, status: {conditions: [{type: Ready, status: \"" + ready + "\", message: \"" + message + "\"}]}}\n"
	}
	deployment := func(updated string) string {
		return "{kind: Deployment, metadata: {name: a, generation: 2}, spec: {replicas: 2}, status: {observedGeneration: 2, readyReplicas: 2, updatedReplicas: " + updated + "}}\n"
	}
	const under = "pods are being rescheduled"
	for _, c := range []struct {
		name, seed, end, twin string
		unreachable           []string
		want                  []string
	}{
		{
			name: "all are there", end: status("False", under) + deployment("2"),
			want: []string{"condition Ready of things.example.com default/a stays False: pods are being rescheduled; all pods are ready and up to date, and nothing moves any more"},
		},
		{name: "some are of before", end: status("False", under) + deployment("1")},
		{name: "some do not count yet", end: status("False", under) + "{kind: DaemonSet, metadata: {name: a}, spec: {minReadySeconds: 300}, status: {desiredNumberScheduled: 2, numberReady: 2, updatedNumberScheduled: 2, numberAvailable: 1}}"},
		{name: "there are none", end: status("False", under)},
		{name: "it waits for something else", end: status("False", "there is no certificate") + deployment("2")},
		{name: "it says so with the seed", seed: status("False", under) + deployment("2"), end: status("False", under) + deployment("2")},
		{name: "it is ready", end: status("True", under) + deployment("2")},
		{name: "it refuses", end: status("False", "pods are being rescheduled: the size is invalid") + deployment("2")},
		{name: "it talks to its pods", end: status("False", under) + deployment("2"), unreachable: []string{"exec"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			seed := c.seed
			if seed == "" {
				seed = status("True", "done") + deployment("2")
			}
			k := twins(t, property("spec.size"), seed, c.end, c.end, "")
			k.Unreachable = c.unreachable
			hold(t, "health", k, c.want)
		})
	}
}
