package cluster

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/finding"
)

// soundNodes are some nodes n1, n2, …; ROOM is the cpu of each.
func soundNodes(n int, room string) string {
	var b strings.Builder
	for i := range n {
		name := "n" + string(rune('1'+i))
		b.WriteString(`{apiVersion: v1, kind: Node, metadata: {name: ` + name + `, labels: {kubernetes.io/hostname: ` + name + `}}, status: {allocatable: {cpu: ` + room + `, memory: 8Gi, pods: "20"}}}` + "\n---\n")
	}
	return b.String()
}

// soundDeployment is one of some pods of 300m; more is what its pods' spec has besides.
func soundDeployment(name, replicas, more string) string {
	return strings.NewReplacer("NAME", name, "REPLICAS", replicas, "MORE", more).Replace(`{apiVersion: apps/v1, kind: Deployment, metadata: {name: NAME}, spec: {replicas: REPLICAS, selector: {matchLabels: {app: NAME}}, template: {metadata: {labels: {app: NAME}}, spec: {MORE containers: [{name: c, image: v1, resources: {requests: {cpu: 300m}}}]}}}}
---
`)
}

func soundScenario(spec string) string {
	return "{apiVersion: seatrial.dev/v1alpha1, kind: Scenario, spec: {" + spec + "}}\n"
}

// soundPod is a pod of a that the input has on a node.
func soundPod(name, node, more, cpu string) string {
	return `{apiVersion: v1, kind: Pod, metadata: {name: ` + name + `, ` + more + ` labels: {app: a}}, spec: {nodeName: ` + node + `, containers: [{name: c, image: v1, resources: {requests: {cpu: ` + cpu + `}}}]}, status: {phase: Running}}` + "\n---\n"
}

const (
	ending  = `deletionTimestamp: "2024-01-01T00:00:00Z", deletionGracePeriodSeconds: 30,`
	softOne = `topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: a}}}], affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 100, preference: {matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [n1]}]}}]}},`
	twoWant = "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: a}, spec: {minReplicas: 2, maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: a}, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]}}\n---\n"
)

// soundClusters are violated. Of most a reduced search said once that what is violated
// holds, or ended in an error.
var soundClusters = map[string]string{
	// a never has two pods; b has room for its third one only without a.
	"what holds beside a violation counts only with room": soundNodes(1, "1") + soundDeployment("a", "1", "") + soundDeployment("b", "2", "") +
		soundScenario("events: [{type: rollout, workload: {name: b}}], properties: [{rule: rollout-completes}, {rule: available, atLeast: 2, when: rest}]"),
	// Each of two parts has room by itself.
	"pods that are placed at the start look for a node": soundNodes(1, "700m") + soundDeployment("a", "1", "") + soundDeployment("b", "2", "") +
		soundScenario("events: [{type: pod-crash}], properties: [{rule: available, atLeast: 1, when: rest}]"),
	// n1 has no room as long as three given pods end.
	"given pods that end take room": soundNodes(2, "1") + soundDeployment("a", "2", softOne) +
		soundPod("x", "n1", ending, "300m") + soundPod("w", "n1", ending, "300m") + soundPod("z", "n1", ending, "300m") + soundPod("v", "n2", "", "300m") +
		soundScenario("properties: [{rule: spread-holds, soft: true}, {rule: pods-run}]"),
	// A node has more pods than fit one.
	"a node that is struck may have been overfull": soundNodes(4, "1") + soundDeployment("a", "3", "") +
		soundPod("x", "n1", "", "400m") + soundPod("w", "n1", "", "400m") + soundPod("z", "n1", "", "400m") +
		soundScenario("events: [{type: node-loss, returns: never}], properties: [{rule: available, atLeast: 1}]"),
	// The third claim is violated, the first is not.
	"a rule may be asked several things of one subject": soundNodes(2, "16") + soundDeployment("a", "2", "") +
		soundScenario("events: [{type: node-loss}], properties: [{rule: available, atLeast: 0}, {rule: available, atLeast: 1, when: rest}, {rule: available, atLeast: 2}]"),
	"a node that is struck has pods": soundNodes(3, "16") + soundDeployment("a", "2", "") +
		"{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: a}, spec: {maxUnavailable: 0, selector: {matchLabels: {app: a}}}}\n---\n" +
		soundScenario("events: [{type: drain}]"),
}

// TestReductionsAreSound: of those clusters a search with reductions says what one
// without does.
func TestReductionsAreSound(t *testing.T) {
	for name, text := range soundClusters {
		t.Run(name, func(t *testing.T) {
			with, without := checkPair(t, text, Options{reduced: true}), checkPair(t, text, Options{Full: true, together: true})
			for _, d := range differences(with, without) {
				t.Error(d)
			}
			if without.Verdict != finding.Violated {
				t.Errorf("the full search: %s", verdicts(without))
			}
		})
	}
}

// reducible are the reductions of an input.
func reducible(t *testing.T, text string) (*model.World, []string) {
	t.Helper()
	in, err := manifest.Load(t.Context(), []string{"-"}, strings.NewReader(text), manifest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRun(t.Context(), in, Options{})
	if err != nil {
		t.Fatal(err)
	}
	w, names, err := reduced(r.w, r.asked)
	if err != nil {
		t.Fatal(err)
	}
	return w, names
}

// TestAStruckNodeWithoutPodsIsThere: the scheduler may use it, though it looks like
// a slot that no node takes.
func TestAStruckNodeWithoutPodsIsThere(t *testing.T) {
	w, names := reducible(t, soundNodes(3, "16")+soundDeployment("a", "1", "")+
		soundScenario("fromEmpty: true, events: [{type: never-ready, nodes: [n1, n2, n3], workload: {name: a}}]"))
	if len(names) != 2 {
		t.Fatal(names)
	}
	vacant := initial(w)
	slot := w.Reduced.Groups[0].Slots[0]
	sick := vacant.Clone()
	sick.EditNode(slot).Sick = 1
	for want, s := range []*model.State{vacant, sick} {
		if d := w.Kube.Schedule(w, s, model.Unassigned, model.Pod{}); len(d.Nodes) != want+1 {
			t.Errorf("%d nodes: %v", want+1, d)
		}
	}
}

// TestAutoscalersSeeEndingPods: where a terminating pod may change what an
// autoscaler does, nothing is left out.
func TestAutoscalersSeeEndingPods(t *testing.T) {
	cluster := soundNodes(2, "16") + soundDeployment("a", "2", "") + twoWant
	other := strings.TrimSuffix(soundDeployment("a", "2", ""), "\n---\n")
	for _, row := range []struct {
		scenario string
		reduced  bool
	}{
		{"events: [{type: rollout, manifest: " + strings.Replace(other, "image: v1", "image: v2", 1) + "}]", true},
		{"events: [{type: rollout, manifest: " + strings.Replace(other, "requests: {cpu: 300m}", "", 1) + "}]", false},
		{"strict: true, events: [{type: rollout}]", false},
	} {
		if _, names := reducible(t, cluster+soundScenario(row.scenario)); len(names) > 0 != row.reduced {
			t.Errorf("%s: %v", row.scenario, names)
		}
	}
}
