// Package specimen writes small clusters at random, with workloads and what may happen
// to them, as manifests. Tests that compare two ways of knowing what a cluster does use
// them: a search with and without reductions, the model and real components.
package specimen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Cluster is the cluster of a seed. Some are refused as input, as a user's may be.
func Cluster(seed uint64) string {
	const stream = 9 // any constant: the seed alone tells clusters apart
	r := &writer{Rand: rand.New(rand.NewPCG(seed, stream))}
	return r.cluster()
}

// writer writes clusters of few nodes and pods at random.
type writer struct {
	*rand.Rand
	out   strings.Builder
	pods  int
	names []string
	nodes []string
	// class is written into each pod template.
	class string
}

// one is one of some texts.
func (r *writer) one(of ...string) string { return of[r.IntN(len(of))] }

// seldom is a text, or nothing in three cases of four.
func (r *writer) seldom(text string) string { return r.one(text, "", "", "") }

func (r *writer) object(format string, args ...any) {
	fmt.Fprintf(&r.out, format+"\n---\n", args...)
}

// node adds one like the others of its kind, or one that is not as new.
func (r *writer) node(room, taint, state string) {
	name := fmt.Sprintf("n%d", len(r.nodes)+1)
	r.nodes = append(r.nodes, name)
	ready := "True"
	if state == "unready" {
		ready = "Unknown"
	}
	r.object(`{apiVersion: v1, kind: Node, metadata: {name: %s, labels: {kubernetes.io/hostname: %s, zone: z%d}}, spec: {%s unschedulable: %v}, status: {allocatable: {cpu: %s, memory: 8Gi, pods: "20", example.com/gpu: "2"}, conditions: [{type: Ready, status: "%s"}]}}`,
		name, name, len(r.nodes)%2, taint, state == "cordoned", room, ready)
}

// template is a pod template's spec.
func (r *writer) template(name, image string) string {
	selector := "labelSelector: {matchLabels: {app: " + name + "}}"
	term := "topologyKey: kubernetes.io/hostname, " + selector
	more := r.class + r.one("", "", "", "", "", "", "", "", "", "", "",
		"topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule, "+selector+"}],",
		"topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, "+selector+"}],",
		"affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 100, podAffinityTerm: {"+term+"}}]}},",
		"affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 100, podAffinityTerm: {"+term+"}}]}},",
		"nodeSelector: {zone: z1},", r.seldom("nodeName: n1,"),
		"affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{"+term+"}]}},")
	more += r.seldom("tolerations: [{operator: Exists}],")
	more += r.seldom("terminationGracePeriodSeconds: 0,")
	more += r.seldom("initContainers: [{name: i, image: i, resources: {requests: {cpu: 400m}}}],")
	requests := r.one("{cpu: 300m}", "{cpu: 300m}", "{cpu: 200m}", "{}", "{cpu: 100m, example.com/gpu: 1}, limits: {example.com/gpu: 1}")
	if strings.HasPrefix(requests, "{cpu: 100m") {
		requests = `{cpu: 100m, example.com/gpu: "1"}, limits: {example.com/gpu: "1"}`
	}
	probe := r.one("", "", "readinessProbe: {httpGet: {path: /, port: 80}},")
	return fmt.Sprintf("{%s containers: [{name: c, image: %s, %s resources: {requests: %s}}]}", more, image, probe, requests)
}

// deployment adds a workload; its pods are in the tier of all.
func (r *writer) deployment(name string, replicas int) string {
	r.pods, r.names = r.pods+replicas, append(r.names, name)
	strategy := r.seldom(r.one("strategy: {type: Recreate},", "strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}},",
		"strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}},", "strategy: {rollingUpdate: {maxSurge: 100%, maxUnavailable: 100%}},"))
	head := fmt.Sprintf("apiVersion: apps/v1, kind: Deployment, metadata: {name: %s}, spec: {replicas: %d, %s %s selector: {matchLabels: {app: %s}}, template: {metadata: {labels: {app: %s, tier: x}}, spec: ",
		name, replicas, strategy, r.seldom("minReadySeconds: 5,"), name, name)
	r.object("{%s%s}}}", head, r.template(name, "v1"))
	return "{" + head + r.template(name, "v2") + "}}}"
}

// event is one of any type, about a workload with another manifest.
func (r *writer) event(name, manifest string) string {
	about := fmt.Sprintf("workload: {name: %s}", name)
	after := r.seldom("after: rest,")
	some := r.seldom("nodes: [n1],")
	return "{" + after + r.seldom("budget: 2,") + r.one(
		some+"type: drain", some+"type: drain", some+"type: cordon", "type: uncordon",
		some+"type: node-loss", "type: node-loss, returns: "+r.one("never", "always"),
		"type: rollout, "+about, "type: rollout, "+about+", manifest: "+manifest, "type: rollback, "+about,
		fmt.Sprintf("type: scale, %s, replicas: %d", about, r.IntN(4)), "type: pod-crash", "type: readiness-flap",
		"type: never-ready, nodes: ["+r.one(r.nodes...)+"], "+about, "type: never-ready, nodes: ["+strings.Join(r.nodes, ", ")+"], "+about,
		"type: never-ready, "+about, "type: apply, manifest: "+manifest, some+"type: maintenance",
		fmt.Sprintf("type: load, load: {%s, total: {cpu: %dm}}", about, 100*(1+r.IntN(8))),
	) + "}"
}

// given adds pods of a workload that the input shows on nodes.
func (r *writer) given(name string, replicas int) {
	for i := range replicas + r.IntN(2) {
		state := r.one("Running", "Running", "Running", "Pending")
		deleted := r.seldom(`deletionTimestamp: "2024-01-01T00:00:00Z", deletionGracePeriodSeconds: 30,`)
		r.object("{apiVersion: v1, kind: Pod, metadata: {name: %s-%d, %s labels: {app: %s, tier: x}}, spec: {nodeName: %s, containers: [{name: c, image: v1, resources: {requests: {cpu: 300m}}}]}, status: {phase: %s}}",
			name, i, deleted, name, r.one(r.nodes...), state)
	}
}

// text is the whole input.
func (r *writer) cluster() string {
	rooms := []string{"16", "16", "700m", "1"}
	room, other := r.one(rooms...), r.one(rooms...)
	taint := r.seldom("taints: [{key: k, effect: " + r.one("NoSchedule", "NoExecute", "PreferNoSchedule") + "}],")
	for range 2 + r.IntN(4) {
		r.node(r.one(room, room, room, other), "", r.one("", "", "", "", "", "", "", "", "", "", "cordoned", "unready"))
	}
	if r.IntN(3) == 0 {
		r.node(other, taint, "")
	}
	var manifests []string
	for k := range 1 + r.IntN(2) {
		replicas := 1 + r.IntN(3-k)
		name := string(rune('a' + k))
		manifests = append(manifests, r.deployment(name, replicas))
		if r.IntN(5) == 0 {
			r.given(name, replicas)
		}
	}
	for range r.IntN(2) + r.IntN(2) {
		r.object("{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: p%d}, spec: {%s, %s selector: {matchLabels: {%s}}}}", r.out.Len(),
			r.one("maxUnavailable: 0", "maxUnavailable: 1", "maxUnavailable: 50%", "minAvailable: 1", "minAvailable: 50%"),
			r.seldom("unhealthyPodEvictionPolicy: AlwaysAllow,"), r.one("app: a", "tier: x"))
	}
	if r.IntN(3) == 0 {
		r.object("{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: {%s}, ports: [{port: 80}]}}", r.one("app: a", "tier: x"))
	}
	if r.IntN(4) == 0 {
		r.object("{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: h}, spec: {minReplicas: 1, maxReplicas: %d, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: a}, metrics: [%s]}}", 2+r.IntN(2),
			r.one("{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}", "{type: External, external: {metric: {name: q}, target: {type: Value, value: 10}}}"))
	}
	var events, properties []string
	for range 1 + r.IntN(2) {
		k := r.IntN(len(r.names))
		events = append(events, r.event(r.names[k], manifests[k]))
	}
	if r.IntN(3) == 0 {
		for _, p := range []string{"pods-run", "drain-completes", "rollout-completes", "no-endless-eviction", "pdb-respected", "failed-pods-bounded", "hpa-can-act", "replicas-settle"} {
			properties = append(properties, "{rule: "+p+"}")
		}
		properties = append(properties, "{rule: spread-holds, soft: "+r.one("true", "false")+"}")
	} else {
		for _, p := range []string{"pods-run", "drain-completes", "rollout-completes", "no-endless-eviction"} {
			properties = append(properties, "{rule: "+p+"}")
		}
	}
	for _, k := range []string{"1", "2"} {
		properties = append(properties, "{rule: available, atLeast: "+k+"}", "{rule: available, atLeast: "+k+", when: rest}")
	}
	if r.IntN(3) == 0 {
		properties = nil
	}
	r.object("{apiVersion: seatrial.dev/v1alpha1, kind: Scenario, spec: {%s %s %s events: [%s], properties: [%s]}}",
		r.seldom("inFlight: 2,"), r.seldom("fromEmpty: true,"), r.seldom("strict: true,"), strings.Join(events, ", "), strings.Join(properties, ", "))
	return r.out.String()
}
