package specimen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Contest is the cluster of a seed in which controllers meet: little room, priorities,
// autoscalers with a load, a descheduler, appliers, and up to three events. It has no
// pods of its own, so that any control plane can be brought to its start.
func Contest(seed uint64) string {
	const stream = 10 // any constant: the seed alone tells clusters apart
	r := &contest{writer{Rand: rand.New(rand.NewPCG(seed, stream))}}
	return r.text()
}

// contest writes one.
type contest struct{ writer }

func (r *contest) text() string {
	room := r.one("16", "1", "1", "700m")
	for range 1 + r.IntN(3) {
		r.node(r.one(room, room, "600m"), r.seldom(r.seldom("taints: [{key: k, effect: NoSchedule}],")), r.one("", "", "", "", "", "cordoned"))
	}
	ranked := r.IntN(3) == 0
	if ranked {
		for _, class := range []string{"{name: low}, value: 10", "{name: high}, value: 100", "{name: meek}, value: 1000, preemptionPolicy: Never"} {
			r.object("{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: %s}", class)
		}
	}
	var manifests []string
	for k := range 1 + r.IntN(2) {
		manifests = append(manifests, r.workload(string(rune('a'+k)), 1+r.IntN(3), ranked))
	}
	if r.IntN(2) == 0 {
		r.object("{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: p}, spec: {%s, selector: {matchLabels: {%s}}}}",
			r.one("maxUnavailable: 0", "maxUnavailable: 1", "maxUnavailable: 50%", "minAvailable: 1", "minAvailable: 2"), r.one("app: a", "app: a", "tier: x"))
	}
	scaled := r.IntN(2) == 0
	if scaled {
		r.autoscaler()
	}
	if r.IntN(3) == 0 {
		r.policy()
	}
	var events []string
	for range 1 + r.IntN(3) {
		k := r.IntN(len(r.names))
		events = append(events, r.event(r.names[k], manifests[k]))
	}
	loads := ""
	if scaled {
		loads = fmt.Sprintf("load: [{workload: {name: a}, total: {cpu: %dm}}],", 100*(1+r.IntN(6)))
		events = append(events, fmt.Sprintf("{type: load, load: {workload: {name: a}, total: {cpu: %dm}}}", 100*(1+r.IntN(8))))
	}
	appliers := ""
	if r.IntN(5) == 0 {
		appliers = "appliers: [{name: gitops, manifest: " + manifests[0] + "}],"
	}
	r.object("{apiVersion: seatrial.dev/v1alpha1, kind: Scenario, spec: {%s %s %s %s %s events: [%s]}}",
		r.one("inFlight: 2,", "inFlight: 3,", ""), r.seldom("fromEmpty: true,"), r.seldom("strict: true,"), appliers, loads, strings.Join(events, ", "))
	return r.out.String()
}

// workload adds a Deployment, perhaps with a priority, and returns another version.
func (r *contest) workload(name string, replicas int, ranked bool) string {
	r.class = ""
	if ranked {
		r.class = "priorityClassName: " + r.one("low", "high", "meek") + ","
	}
	return r.deployment(name, replicas)
}

// autoscaler adds one of the first workload.
func (r *contest) autoscaler() {
	behavior := r.one("", "", "behavior: {scaleDown: {stabilizationWindowSeconds: 0}},", "behavior: {scaleUp: {policies: [{type: Pods, value: 1, periodSeconds: 15}]}},")
	r.object("{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: h}, spec: {minReplicas: 1, maxReplicas: %d, %s scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: a}, metrics: [{type: Resource, resource: {name: cpu, target: {%s}}}]}}",
		2+r.IntN(3), behavior, r.one("type: Utilization, averageUtilization: 50", "type: AverageValue, averageValue: 200m"))
}

// policy adds a descheduler.
func (r *contest) policy() {
	plugin, args := "RemoveDuplicates", "{}"
	switch r.IntN(4) {
	case 0:
		plugin, args = "RemovePodsViolatingTopologySpreadConstraint", "{constraints: [DoNotSchedule, ScheduleAnyway]}"
	case 1:
		plugin, args = "HighNodeUtilization", "{thresholds: {cpu: 50}}"
	case 2:
		plugin, args = "LowNodeUtilization", "{thresholds: {cpu: 30}, targetThresholds: {cpu: 60}}"
	}
	r.object("{apiVersion: descheduler/v1alpha2, kind: DeschedulerPolicy, profiles: [{name: p, pluginConfig: [{name: DefaultEvictor, args: {nodeFit: %s}}, {name: %s, args: %s}], plugins: {balance: {enabled: [%s]}}}]}",
		r.one("true", "false"), plugin, args, plugin)
}
