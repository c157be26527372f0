package cluster_test

import (
	"fmt"
	"os"
	"path/filepath"
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

// What a rule excuses and what it does not, one line of each pair apart.
var ruleVerdicts = []struct {
	name    string
	objects []string
	want    string // holds, or the rule that is violated
}{
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
}

func TestRuleVerdicts(t *testing.T) {
	for _, c := range ruleVerdicts {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "all.yaml")
			if err := os.WriteFile(file, []byte(strings.Join(c.objects, "\n---\n")), 0o644); err != nil {
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
