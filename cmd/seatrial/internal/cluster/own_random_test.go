package cluster_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
)

// Guards, effects and events that are put together at random.
var (
	ownGuards = []string{
		``, `when: 'pods.exists(p, p.status.phase == "Pending")',`, `when: 'nodes.exists(n, n.spec.unschedulable)',`,
		`when: 'deployments.all(d, d.status.availableReplicas == d.spec.replicas)',`, `when: 'podDisruptionBudgets.all(b, b.status.disruptionsAllowed > 0)',`,
	}
	ownEffects = []string{
		`delete: {where: 'pod.status.phase != "Running"'}`,
		`delete: {where: 'nodes.exists(n, n.metadata.name == pod.spec.nodeName && n.spec.unschedulable)'}`,
		`delete: {kind: Deployment}`,
		`delete: {kind: PodDisruptionBudget}`,
		`evict: {where: pod.status.ready}`,
		`evict: {workload: {name: web}, where: 'pod.spec.nodeName == "n1"'}`,
		`scale: {replicas: 1}`,
		`scale: {where: deployment.spec.replicas < 3, replicas: deployment.spec.replicas + 1}`,
		`patch: {patch: {spec: {template: {metadata: {annotations: {by: rule}}}}}}`,
		`patch: {patch: {spec: {paused: true}}}`,
		`patch: {patch: {spec: {minReadySeconds: 5, strategy: {rollingUpdate: {maxUnavailable: 1}}}}}`,
		`patch: {type: merge, patch: {spec: {replicas: null}}}`,
		`patch: {kind: Node, where: 'pods.exists(p, p.spec.nodeName == node.metadata.name)', patch: {spec: {unschedulable: true}}}`,
		`patch: {kind: Node, nodes: [n2], patch: {spec: {unschedulable: null}}}`,
		`patch: {kind: PodDisruptionBudget, name: web, patch: {spec: {minAvailable: 1}}}`,
		`create: {apiVersion: v1, kind: Pod, metadata: {name: job, labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}`,
		`create: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {minAvailable: 0, selector: {matchLabels: {app: web}}}}`,
		`create: ` + webManifest,
		`delete: {kind: HorizontalPodAutoscaler}`,
		`patch: {kind: HorizontalPodAutoscaler, where: 'horizontalPodAutoscaler.spec.maxReplicas < 3', patch: {spec: {maxReplicas: 3}}}`,
	}
	ownEvents = []string{
		`{type: drain}`, `{type: node-loss}`, `{type: cordon, nodes: [n1]}`, `{type: rollout}`, `{type: rollback}`, `{type: apply, manifest: ` + webManifest + `}`,
		`{type: apply, manifest: ` + strings.Replace(webManifest, "replicas: 1,", "strategy: {type: Recreate}, paused: false,", 1) + `}`, `{type: maintenance}`, `{type: pod-crash}`, `{type: scale, workload: {name: web}, replicas: 3}`,
	}
)

const ownAutoscaler = `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web}, spec: {minReplicas: 1, maxReplicas: 2,
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]}}`

// TestOwnAtRandom: rules beside any events neither end the check in an error nor
// give other verdicts in the model in which pods and nodes are told apart.
// SEATRIAL_OWN_CASES asks for more of them.
func TestOwnAtRandom(t *testing.T) {
	cases := 40
	if more, err := strconv.Atoi(os.Getenv("SEATRIAL_OWN_CASES")); err == nil {
		cases = more
	}
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	var decided atomic.Int64
	t.Cleanup(func() { // behind the parallel subtests
		if n := decided.Load(); n < int64(cases/2) {
			t.Errorf("only %d of %d cases were small enough to decide", n, cases)
		}
	})
	for k := range cases {
		var actors, events []string
		for i := range random.IntN(3) {
			actors = append(actors, fmt.Sprintf(`{name: a%d, %s then: {%s}}`, i, pick(ownGuards), pick(ownEffects)))
		}
		for range 1 + random.IntN(2) {
			event := pick(ownEvents)
			if random.IntN(2) == 0 {
				event = fmt.Sprintf(`{type: custom, %s then: {%s}}`, pick(ownGuards), pick(ownEffects))
			}
			events = append(events, event)
		}
		scenario := fmt.Sprintf("actors: [%s], events: [%s]", strings.Join(actors, ", "), strings.Join(events, ", "))
		replicas, budget := 1+random.IntN(2), pick([]string{"", budgetPart("minAvailable: 1"), budgetPart("maxUnavailable: 50%"), ownAutoscaler})
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			t.Parallel()
			text := ownCluster(replicas, scenario)
			if budget != "" {
				text += "\n---\n" + budget
			}
			o := cluster.Options{MaxStates: 5_000}
			counted, err := checkOwn(t, text, cluster.Whole(o, false))
			if err != nil {
				if s := err.Error(); !strings.Contains(s, "cannot be both set") && !strings.Contains(s, "in the input") {
					t.Errorf("%s: %v", text, err)
				}
				return
			}
			apart, err := checkOwn(t, text, cluster.Whole(o, true))
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if !counted.Bound.Complete || !apart.Bound.Complete {
				return
			}
			decided.Add(1)
			if diff := cmp.Diff(summary(apart), summary(counted)); diff != "" {
				t.Errorf("%s: (-told apart +counted):\n%s", text, diff)
			}
		})
	}
}
