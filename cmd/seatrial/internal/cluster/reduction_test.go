package cluster

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The clusters that are searched with and without reductions: some nodes that are
// alike, a Deployment, and one thing that happens.
var (
	reductionSpecs = map[string]string{
		"plain":  "",
		"spread": "topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: a}}}], ",
		"soft":   "topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: a}}}], ",
		"prompt": "terminationGracePeriodSeconds: 0, ",
	}
	reductionMore = map[string]string{
		"alone":  "",
		"budget": "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: a}\nspec: {maxUnavailable: 1, selector: {matchLabels: {app: a}}}\n---\n",
		"stuck":  "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: a}\nspec: {maxUnavailable: 0, selector: {matchLabels: {app: a}}}\n---\n",
		"scaled": "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: a}\nspec: {minReplicas: 1, maxReplicas: 6, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: a}, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]}\n---\n",
	}
	reductionEvents = map[string]string{
		"drain":   "{type: drain}",
		"loss":    "{type: node-loss}",
		"cordon":  "{type: cordon}",
		"rollout": "{type: rollout, workload: {name: a}}",
		"scale":   "{type: scale, workload: {name: a}, replicas: 2}",
		"crash":   "{type: pod-crash, workload: {name: a}}",
		"load":    "{type: load, load: {workload: {name: a}, total: {cpu: 450m}}}",
		"both":    "{type: drain}, {type: rollout, workload: {name: a}}",
		"twice":   "{type: node-loss, budget: 2}",
	}
	reductionRooms = map[string]string{"ample": "16", "tight": "700m"}
)

func reductionInput(nodes, replicas int, spec, more, event, room string) string {
	var b strings.Builder
	for i := range nodes {
		fmt.Fprintf(&b, "apiVersion: v1\nkind: Node\nmetadata: {name: n%d}\nstatus: {allocatable: {cpu: %q, memory: 64Gi, pods: \"110\"}}\n---\n", i+1, reductionRooms[room])
	}
	fmt.Fprintf(&b, "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {replicas: %d, selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {%scontainers: [{name: c, image: a:1, resources: {requests: {cpu: 300m}}}]}}}\n---\n", replicas, reductionSpecs[spec])
	b.WriteString(reductionMore[more])
	fmt.Fprintf(&b, partEvent, reductionEvents[event])
	return b.String()
}

// largestByDefault is the largest product of nodes and pods that is searched
// outside make conformance.
func largestByDefault(spec, more, event string) int {
	switch {
	case event == "both" || event == "twice" || more == "scaled":
		return 3
	case more == "alone" && spec == "plain":
		return 12
	}
	return 6
}

// TestReductions holds the search with reductions to the search without, at every
// size up to 3 nodes and 6 pods. By default it takes every size of some clusters
// and the smaller sizes of all.
func TestReductions(t *testing.T) {
	all := os.Getenv("SEATRIAL_CONFORMANCE") != ""
	reduced, merged, violated, n := 0, 0, 0, 0
	for _, spec := range slices.Sorted(maps.Keys(reductionSpecs)) {
		for _, more := range slices.Sorted(maps.Keys(reductionMore)) {
			for _, event := range slices.Sorted(maps.Keys(reductionEvents)) {
				for _, room := range slices.Sorted(maps.Keys(reductionRooms)) {
					for nodes := 1; nodes <= 3; nodes++ {
						for replicas := 1; replicas <= 6; replicas++ {
							if n++; event == "load" && more != "scaled" || !all && (n%4 != 0 || nodes*replicas > largestByDefault(spec, more, event)) {
								continue
							}
							name := fmt.Sprint(spec, more, event, room, nodes, replicas)
							text := reductionInput(nodes, replicas, spec, more, event, room)
							with, without := checkPair(t, text, Options{reduced: true}), checkPair(t, text, Options{Full: true})
							if diff := cmp.Diff(verdicts(without), verdicts(with)); diff != "" {
								t.Errorf("%s (-without +with):\n%s\n%s", name, diff, text)
							}
							if n := len(with.Bound.Reductions); n > 0 {
								reduced++
								merged += n / 2
							}
							if without.Verdict == "violated" {
								violated++
							}
						}
					}
				}
			}
		}
	}
	t.Logf("%d reduced, %d of them merged, %d violated", reduced, merged, violated)
	if reduced < 100 || merged < 20 || violated < 20 {
		t.Errorf("only %d were reduced, %d of them merged, %d violated", reduced, merged, violated)
	}
}
