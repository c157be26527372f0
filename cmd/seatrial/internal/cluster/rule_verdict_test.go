package cluster_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/finding"
)

// node, deployment and budget are objects in one line each.
func node(name string) string {
	return fmt.Sprintf(`{apiVersion: v1, kind: Node, metadata: {name: %s, labels: {kubernetes.io/hostname: %[1]s}}, status: {allocatable: {cpu: "1", memory: 8Gi, pods: "110"}}}`, name)
}

// deployment is one of pods that request cpu; spec and pod are further fields.
func deployment(replicas int, cpu, spec, pod string) string {
	return fmt.Sprintf(`{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: %d, %s selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {%s containers: [{name: c, image: "web:1", readinessProbe: {httpGet: {path: /, port: 80}}, resources: {requests: {cpu: %s, memory: 64Mi}}}]}}}}`, replicas, spec, pod, cpu)
}

func budget(field string) string {
	return fmt.Sprintf(`{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {%s, selector: {matchLabels: {app: web}}}}`, field)
}

func scenarioOf(spec string) string {
	return fmt.Sprintf(`{apiVersion: seatrial.dev/v1alpha1, kind: Scenario, spec: {%s}}`, spec)
}

const (
	spreadOver = `topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: %s, nodeTaintsPolicy: Honor, labelSelector: {matchLabels: {app: web}}}],`
	autoscaler = `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web}, spec: {minReplicas: 2, maxReplicas: 6, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]}}`
	apart      = `affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}]}},`
	pools      = `nodePools: [{name: a, min: 1, template: {status: {allocatable: {cpu: "1", memory: 8Gi, pods: "110"}}}}, {name: b, min: 1, template: {status: {allocatable: {cpu: "1", memory: 8Gi, pods: "110"}}}}],`
)

// A verdictCase is a cluster and what a check says of it.
type verdictCase struct {
	name    string
	objects []string
	want    string // holds, or the rule that is violated; empty for a property of one's own
}

// What a rule excuses and what it does not, one line of each pair apart.
var ruleVerdicts = []verdictCase{
	{"two promises about one workload are judged apart", []string{
		node("n1"), deployment(2, "100m", "", ""),
		scenarioOf(`fromEmpty: true, properties: [{rule: available, atLeast: 2}, {rule: available, atLeast: 1}]`),
	}, "holds"},
	{"a promise is broken once it was kept", []string{
		node("n1"), deployment(2, "100m", "", ""),
		scenarioOf(`events: [{type: pod-crash}], properties: [{rule: available, atLeast: 2}, {rule: available, atLeast: 1}]`),
	}, "SEA1004"},
	{"a Deployment that does not exist yet promises nothing", []string{
		node("n1"), deployment(1, "100m", "", ""),
		scenarioOf(`events: [{type: create, manifest: ` + strings.ReplaceAll(deployment(1, "100m", "", ""), "web", "late") + `}], properties: [{rule: available, atLeast: 1, when: rest, workload: {name: late}}]`),
	}, "holds"},
	{"a maximum that a user sets is no overshoot", []string{
		node("n1"), deployment(2, "100m", "", ""), autoscaler,
		scenarioOf(`events: [{type: scale, replicas: 6, workload: {name: web}}], properties: [{rule: no-overshoot}]`),
	}, "holds"},
	{"a drain of one of two equal pools meets the pods there: a", []string{
		deployment(1, "100m", "", ""), budget("minAvailable: 1"),
		scenarioOf(pools + `events: [{type: drain, nodes: [a]}]`),
	}, "SEA1002"},
	{"a drain of one of two equal pools meets the pods there: b", []string{
		deployment(1, "100m", "", ""), budget("minAvailable: 1"),
		scenarioOf(pools + `events: [{type: drain, nodes: [b]}]`),
	}, "SEA1002"},
	{"drain-completes of the node that the pod is pinned to", []string{
		node("n1"), node("n2"), deployment(1, "100m", "", "nodeSelector: {kubernetes.io/hostname: n1},"), budget("minAvailable: 1"),
		scenarioOf(`events: [{type: drain}], properties: [{rule: drain-completes, node: n1}]`),
	}, "SEA1002"},
	{"drain-completes of another node", []string{
		node("n1"), node("n2"), deployment(1, "100m", "", "nodeSelector: {kubernetes.io/hostname: n1},"), budget("minAvailable: 1"),
		scenarioOf(`events: [{type: drain}], properties: [{rule: drain-completes, node: n2}]`),
	}, "holds"},
	{"a drain of pods that tolerate everything", []string{
		node("n1"), node("n2"), deployment(1, "100m", "", "tolerations: [{operator: Exists}], nodeSelector: {kubernetes.io/hostname: n1},"),
		scenarioOf(`events: [{type: drain}]`),
	}, "SEA1002"},
	{"a budget whose status lags behind a rollout is a race, not a configuration", []string{
		node("n1"), node("n2"), deployment(2, "100m", "strategy: {rollingUpdate: {maxUnavailable: 1}},", apart), budget("minAvailable: 1"),
		scenarioOf(`events: [{type: rollout}, {type: drain}]`),
	}, "holds"},
	{"a rollout without room for its surge never ends", []string{
		node("n1"), deployment(1, "800m", "", ""),
		scenarioOf(`events: [{type: rollout}]`),
	}, "SEA1003"},
	{"a rollout during which more replicas are asked for than fit", []string{
		node("n1"), node("n2"), deployment(1, "800m", "", ""),
		scenarioOf(`events: [{type: rollout}, {type: scale, replicas: 3, workload: {name: web}}]`),
	}, "holds"},
	{"a second rollout is held to the same as the first", []string{
		node("n1"), node("n2"), deployment(2, "100m", "", apart),
		scenarioOf(`events: [{type: rollout, budget: 2}]`),
	}, "SEA1003"},
	{"pods that crash-loop on one node are declared never to be Ready", []string{
		node("n1"), node("n2"), deployment(2, "100m", "", ""),
		scenarioOf(`events: [{type: rollout}, {type: never-ready, nodes: [n1], workload: {name: web}}]`),
	}, "holds"},
	{"soft constraints are not judged", []string{
		node("n1"), node("n2"), deployment(2, "100m", "", fmt.Sprintf(spreadOver, "ScheduleAnyway")),
		scenarioOf(`events: [{type: rollout}]`),
	}, "holds"},
	{"soft constraints are judged if asked for", []string{
		node("n1"), node("n2"), deployment(2, "100m", "", fmt.Sprintf(spreadOver, "ScheduleAnyway")),
		scenarioOf(`events: [{type: rollout}], properties: [{rule: spread-holds, soft: true}]`),
	}, "SEA1007"},
	{"a spread that a scale-down leaves is judged", []string{
		node("n1"), node("n2"), deployment(4, "100m", "", fmt.Sprintf(spreadOver, "DoNotSchedule")),
		scenarioOf(`events: [{type: scale, replicas: 2, workload: {name: web}}]`),
	}, "SEA1007"},
	{"a spread after a drain is excused", []string{
		node("n1"), node("n2"), deployment(2, "100m", "", fmt.Sprintf(spreadOver, "DoNotSchedule")),
		scenarioOf(`events: [{type: maintenance}], properties: [{rule: spread-holds}]`),
	}, "holds"},
	{"an apply that raises a budget makes a drain endless", []string{
		node("n1"), node("n2"), deployment(2, "100m", "", apart), budget("minAvailable: 0"),
		scenarioOf(`inFlight: 2, events: [{type: drain}, {type: apply, manifest: ` + budget("minAvailable: 2") + `}]`),
	}, "SEA1002"},
	{"an apply that lowers a budget lets a drain end", []string{
		node("n1"), node("n2"), deployment(2, "100m", "", ""), budget("maxUnavailable: 1"),
		scenarioOf(`inFlight: 2, events: [{type: drain}, {type: apply, manifest: ` + budget("maxUnavailable: 2") + `}]`),
	}, "holds"},
	{"a second budget over the same pods is created", []string{
		node("n1"), node("n2"), deployment(2, "100m", "", ""), budget("maxUnavailable: 1"),
		scenarioOf(`inFlight: 2, events: [{type: drain}, {type: create, manifest: ` + strings.Replace(budget("maxUnavailable: 1"), "name: web", "name: second", 1) + `}]`),
	}, "SEA1002"},
	{"no voluntary disruption breaks a budget that is raised meanwhile", []string{
		node("n1"), node("n2"), deployment(3, "100m", "", ""), budget("minAvailable: 1"),
		scenarioOf(`inFlight: 2, events: [{type: drain}, {type: apply, manifest: ` + budget("minAvailable: 2") + `}], properties: [{rule: pdb-respected}]`),
	}, "holds"},
	{"a minimum that is raised promises no more than it reaches", []string{
		node("n1"), deployment(2, "100m", "", ""), autoscaler,
		scenarioOf(`events: [{type: apply, manifest: ` + strings.Replace(autoscaler, "minReplicas: 2", "minReplicas: 4", 1) + `}], properties: [{rule: available, when: always}]`),
	}, "holds"},
	{"a minimum that is raised promises what it reaches", []string{
		node("n1"), deployment(2, "100m", "", ""), autoscaler,
		scenarioOf(`events: [{type: pod-crash, after: rest}, {type: apply, manifest: ` + strings.Replace(autoscaler, "minReplicas: 2", "minReplicas: 3", 1) + `}], properties: [{rule: available, when: always}]`),
	}, "SEA1004"},
	{"a minimum at rest is that of the present spec", []string{
		node("n1"), deployment(2, "100m", "", ""), autoscaler,
		scenarioOf(`events: [{type: apply, manifest: ` + strings.Replace(autoscaler, "minReplicas: 2", "minReplicas: 1", 1) + `}, {type: load, load: {workload: {name: web}, perPod: {cpu: 10m}}}], properties: [{rule: available, when: rest}]`),
	}, "holds"},
	{"a maximum that is lowered is no overshoot", []string{
		node("n1"), deployment(5, "100m", "", ""), autoscaler,
		scenarioOf(`load: [{workload: {name: web}, perPod: {cpu: 100m}}], events: [{type: apply, manifest: ` + strings.Replace(autoscaler, "maxReplicas: 6", "maxReplicas: 2", 1) + `}], properties: [{rule: no-overshoot}]`),
	}, "holds"},
	{"an autoscaler that is changed may move the size for good", []string{
		node("n1"), deployment(3, "100m", "", ""), autoscaler,
		scenarioOf(`events: [{type: apply, after: rest, manifest: ` + strings.Replace(autoscaler, "minReplicas: 2", "minReplicas: 4", 1) + `}, {type: pod-crash, after: rest}], properties: [{rule: no-drift}]`),
	}, "holds"},
	{"two appliers fight over an autoscaler, and so its target changes for ever", []string{
		node("n1"), deployment(2, "100m", "", ""), autoscaler,
		scenarioOf(`appliers: [{name: a, manifest: ` + autoscaler + `}, {name: b, manifest: ` + strings.Replace(autoscaler, "minReplicas: 2", "minReplicas: 3", 1) + `}]`),
	}, "SEA1005"},
	{"an applier takes back what somebody else applies", []string{
		node("n1"), deployment(2, "100m", "", ""), autoscaler,
		scenarioOf(`appliers: [{name: a, manifest: ` + autoscaler + `}], events: [{type: apply, manifest: ` + strings.Replace(autoscaler, "maxReplicas: 6", "maxReplicas: 3", 1) + `}],
			properties: [{rule: replicas-settle}, {rule: hpa-can-act}, {name: back, eventuallyAlways: "horizontalPodAutoscalers.all(h, h.spec.maxReplicas == 6)"}]`),
	}, "holds"},
	{"a second autoscaler of one target is created", []string{
		node("n1"), deployment(2, "100m", "", ""), autoscaler,
		scenarioOf(`events: [{type: create, manifest: ` + strings.Replace(autoscaler, "name: web}, spec: {min", "name: second}, spec: {min", 1) + `}]`),
	}, "SEA1013"},
	{"an apply gives an autoscaler a metric of a container that is not there", []string{
		node("n1"), deployment(2, "100m", "", ""), autoscaler,
		scenarioOf(`events: [{type: apply, manifest: ` + strings.Replace(autoscaler, "type: Resource, resource: {", "type: ContainerResource, containerResource: {container: side, ", 1) + `}]`),
	}, "SEA1013"},
}

// What an apply makes of strategy, minReadySeconds and paused counts.
var settingsVerdicts = []verdictCase{
	{"a rollout that may take no pod away keeps a promise", []string{
		node("n1"), deployment(2, "100m", cautious, ""),
		scenarioOf(`events: [{type: rollout}, {type: apply, manifest: ` + deployment(2, "100m", cautious, "") + `}], properties: [{rule: available, atLeast: 2}]`),
	}, "holds"},
	{"an apply that lets it take one breaks the promise", []string{
		node("n1"), deployment(2, "100m", cautious, ""),
		scenarioOf(`events: [{type: rollout}, {type: apply, manifest: ` + deployment(2, "100m", hasty, "") + `}], properties: [{rule: available, atLeast: 2}]`),
	}, "SEA1004"},
	{"so does one that creates it again", []string{
		node("n1"), deployment(2, "100m", hasty, ""),
		scenarioOf(`events: [{type: custom, then: {delete: {kind: Deployment}}}, {type: apply, manifest: ` + deployment(2, "100m", cautious, "") + `}, {type: rollout}],
			properties: [{rule: available, atLeast: 2}]`),
	}, "SEA1004"},
	{"and a patch", []string{
		node("n1"), deployment(2, "100m", cautious, ""),
		scenarioOf(`events: [{type: rollout}, {type: custom, then: {patch: {patch: {spec: {strategy: {rollingUpdate: {maxUnavailable: 1}}}}}}}], properties: [{rule: available, atLeast: 2}]`),
	}, "SEA1004"},
	{"a rolling update of one pod waits for the new one", []string{
		node("n1"), deployment(1, "100m", "strategy: {type: Recreate},", ""),
		scenarioOf(`events: [{type: rollout, after: rest}], appliers: [{manifest: ` + deployment(1, "100m", "strategy: {type: RollingUpdate},", "") + `}], properties: [{rule: available, atLeast: 1}]`),
	}, "holds"},
	{"an apply of Recreate does not", []string{
		node("n1"), deployment(1, "100m", "", ""),
		scenarioOf(`events: [{type: rollout}, {type: apply, manifest: ` + deployment(1, "100m", "strategy: {type: Recreate},", "") + `}], properties: [{rule: available, atLeast: 1}]`),
	}, "SEA1004"},
	{"pods that have been Ready for long stay available", []string{
		node("n1"), deployment(2, "100m", "", ""),
		scenarioOf(`events: [{type: apply, manifest: ` + deployment(2, "100m", "minReadySeconds: 30,", "") + `}], properties: [{rule: available, atLeast: 2}]`),
	}, "holds"},
	{"a young one does not when minReadySeconds is raised", []string{
		node("n1"), deployment(1, "100m", "", ""),
		scenarioOf(`events: [{type: scale, replicas: 2}, {type: apply, manifest: ` + strings.Replace(deployment(1, "100m", "minReadySeconds: 30,", ""), "replicas: 1,", "", 1) + `}],
			properties: [{rule: available, atLeast: 2}]`),
	}, "SEA1004"},
	{"a rollout that has no room is stuck", []string{
		node("n1"), deployment(1, "100m", "", apart),
		scenarioOf(`events: [{type: rollout}], properties: [{rule: rollout-completes}]`),
	}, "SEA1003"},
	{"unless somebody applies a strategy with which it has", []string{
		node("n1"), deployment(1, "100m", "", apart),
		scenarioOf(`events: [{type: rollout}], appliers: [{manifest: ` + deployment(1, "100m", hasty, apart) + `}], properties: [{rule: rollout-completes}]`),
	}, "holds"},
	{"or pauses it", []string{
		node("n1"), deployment(1, "100m", "", apart),
		scenarioOf(`events: [{type: rollout}], appliers: [{manifest: ` + deployment(1, "100m", "paused: true,", apart) + `}], properties: [{rule: rollout-completes}]`),
	}, "holds"},
	{"one that is resumed is stuck", []string{
		node("n1"), deployment(1, "100m", "paused: true,", apart),
		scenarioOf(`events: [{type: rollout}, {type: apply, manifest: ` + deployment(1, "100m", "paused: false,", apart) + `}], properties: [{rule: rollout-completes}]`),
	}, "SEA1003"},
	{"an expression sees whether it is paused", []string{
		node("n1"), deployment(1, "100m", "paused: true,", ""),
		scenarioOf(`events: [{type: apply, manifest: ` + deployment(1, "100m", "paused: false,", "") + `}], properties: [{name: stays, always: "deployments.all(d, d.spec.paused)"}]`),
	}, ""},
	{"and its labels", []string{
		node("n1"), deployment(1, "100m", "", ""),
		scenarioOf(`events: [{type: apply, manifest: ` + strings.Replace(deployment(1, "100m", "", ""), "{name: web}", "{name: web, labels: {team: a}}", 1) + `}], properties: [{name: nobody, always: "deployments.all(d, !('team' in d.metadata.labels))"}]`),
	}, ""},
}

// cautious and hasty are strategies.
const (
	cautious = "strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}},"
	hasty    = "strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 1}},"
)

// What an apply leaves out and changes by that is told with the line of the field
// above it.
func TestAnApplyOfADeploymentIsToldWithItsLine(t *testing.T) {
	i := slices.IndexFunc(variants(t), func(v variant) bool { return v.path == "apply-strategy/bad" })
	r := variants(t)[i].check(t, cluster.Options{})
	for _, p := range r.Results {
		for _, c := range p.Causes {
			if strings.Contains(c.Message, "leaves out spec.strategy.rollingUpdate.maxUnavailable, which was 0 and becomes 25%") {
				if c.Location.Line == 12 {
					return
				}
				t.Errorf("told of %s:%d", c.Location.File, c.Location.Line)
			}
		}
	}
	t.Errorf("not told: %s", summary(r))
}

// Where an apply matters, the report points at the line of its manifest.
func TestAnApplyIsToldWithItsLine(t *testing.T) {
	raised := strings.Join([]string{
		"apiVersion: seatrial.dev/v1alpha1", "kind: Scenario", "spec:", "  inFlight: 2", "  events:", "  - {type: drain}", "  - type: apply", "    manifest:",
		"      apiVersion: policy/v1", "      kind: PodDisruptionBudget", "      metadata: {name: web}", "      spec:", "        minAvailable: 2", "        selector: {matchLabels: {app: web}}",
	}, "\n")
	r := reportOn(t, []string{raised, node("n1"), node("n2"), deployment(2, "100m", "", apart), budget("minAvailable: 0")})
	for _, p := range r.Results {
		if p.Rule != "SEA1002" {
			continue
		}
		var steps []string
		for _, s := range p.Trace.Steps {
			steps = append(steps, s.Action)
		}
		if want := "PodDisruptionBudget default/web is applied: spec.minAvailable 0 to 2"; !slices.Contains(steps, want) {
			t.Errorf("no step is %q: %q", want, steps)
		}
		said := map[int]string{}
		for _, c := range p.Causes {
			said[c.Location.Line] += c.Message + ";"
		}
		if !strings.Contains(said[13], "is applied: 0 to 2") || !strings.Contains(said[13], "allows no disruption: 2 healthy, 2 wanted") {
			t.Errorf("causes %v", said)
		}
		return
	}
	t.Fatalf("no drain is judged: %s", summary(r))
}

func TestRuleVerdicts(t *testing.T) {
	for _, c := range slices.Concat(ruleVerdicts, settingsVerdicts) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := reportOn(t, c.objects)
			if c.want == "holds" {
				if r.Verdict != finding.Holds {
					t.Errorf("%s (%s): %s", r.Verdict, r.Reason, summary(r))
				}
				return
			}
			variant{rule: c.want, path: "all.yaml"}.wantViolated(t, r)
		})
	}
}

// reportOn is what a check of the objects, each a document of its own, says.
func reportOn(t *testing.T, objects []string) *finding.Report {
	t.Helper()
	file := filepath.Join(t.TempDir(), "all.yaml")
	if err := os.WriteFile(file, []byte(strings.Join(objects, "\n---\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	in, err := manifest.Load(t.Context(), []string{file}, strings.NewReader(""), manifest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := cluster.Check(t.Context(), in, cluster.Options{Timeout: caseBudget})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
