package descheduler_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/descheduler"
)

func TestBadPoliciesAreRefusedInOneLine(t *testing.T) {
	for _, test := range []struct{ name, policy, want string }{
		{"not YAML", "a: [", "load descheduler policy"},
		{"another kind", "apiVersion: v1\nkind: Pod", "load descheduler policy"},
		{"unknown plugin", policy("", profile("{}", "balance", "RemoveEverything")), "RemoveEverything"},
		{"unknown argument", policy("", profile("{nodeFits: true}", "balance", duplicates)), "nodeFits"},
		{"thresholds out of range", policy("", profile("{}", "balance",
			"LowNodeUtilization {thresholds: {cpu: 120}, targetThresholds: {cpu: 130}}")), "[0, 100]"},
		{"two threshold forms", policy("", profile("{priorityThreshold: {value: 1, name: x}}", "balance", duplicates)), "priorityThreshold"},
		{"wrong extension point", policy("", profile("{}", "deschedule", duplicates)), "RemoveDuplicates"},
		{"no configuration for a plugin", policy("", "{name: p, plugins: {balance: {enabled: [RemoveDuplicates]}}}"), "RemoveDuplicates"},
		{"bad node selector", policy("nodeSelector: 'a in'", profile("{}", "balance", duplicates)), "nodeSelector"},
		{"actual usage", policy("metricsProviders: [{source: KubernetesMetrics}]", profile("{}", "balance",
			"LowNodeUtilization {thresholds: {cpu: 20}, targetThresholds: {cpu: 50}, metricsUtilization: {source: KubernetesMetrics}}")), "unsupported"},
		{"storage classes", policy("", profile(
			"{podProtections: {extraEnabled: [PodsWithPVC], config: {PodsWithPVC: {protectedStorageClasses: [{name: fast}]}}}}",
			"balance", duplicates)), "unsupported"},
	} {
		t.Run(test.name, func(t *testing.T) {
			loaded, err := descheduler.LoadPolicy([]byte(test.policy))
			if err == nil {
				_, err = descheduler.New(loaded)
			}
			if err == nil {
				t.Fatal("accepted")
			}
			if text := err.Error(); !strings.Contains(text, test.want) || strings.ContainsAny(text, "\n\t") || strings.Contains(text, "/tmp") {
				t.Errorf("error %q; want one line with %q and no file name", text, test.want)
			}
		})
	}
}

func TestPolicyNotes(t *testing.T) {
	loaded, err := descheduler.LoadPolicy([]byte(policy("maxPodsToEvict: 3", profile("{minPodAge: 5m}", "deschedule", "PodLifeTime {maxPodLifeTimeSeconds: 60}"))))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(loaded.Warnings(), ";"); !strings.Contains(got, "maxPodsToEvict") {
		t.Errorf("warnings %q do not name the field upstream ignores", got)
	}
	want := []string{"profile p: DefaultEvictor minPodAge", "profile p: PodLifeTime maxPodLifeTimeSeconds"}
	if diff := cmp.Diff(want, loaded.Clocked()); diff != "" {
		t.Errorf("clocked arguments (-want +got):\n%s", diff)
	}
}

func TestPluginsRunDescheduleBeforeBalance(t *testing.T) {
	both := "{name: %, pluginConfig: [{name: RemoveDuplicates, args: {}}, {name: RemoveFailedPods, args: {}}], " +
		"plugins: {balance: {enabled: [RemoveDuplicates]}, deschedule: {enabled: [RemoveFailedPods]}}}"
	d := build(t, policy("", strings.ReplaceAll(both, "%", "a"), strings.ReplaceAll(both, "%", "b")))
	want := []string{"a/RemoveFailedPods", "b/RemoveFailedPods", "a/RemoveDuplicates", "b/RemoveDuplicates"}
	if diff := cmp.Diff(want, d.Plugins()); diff != "" {
		t.Errorf("plugins (-want +got):\n%s", diff)
	}
}

func TestPriorityThresholdByName(t *testing.T) {
	d := build(t, policy("", profile("{priorityThreshold: {name: important}}", "balance", duplicates)))
	c := descheduler.Cluster{
		Nodes: []*corev1.Node{node("n1", 4000, 8, nil), node("n2", 4000, 8, nil)},
		Pods:  place("web", 100, 100, "n1", 2),
	}
	for _, pod := range c.Pods {
		pod.Spec.Priority = ptr.To[int32](1000)
	}
	if _, err := d.Outcomes(context.Background(), c); err == nil || !strings.Contains(err.Error(), "important") {
		t.Errorf("a missing priority class gives error %v", err)
	}
	for _, test := range []struct {
		value int32
		want  string
	}{{500, ""}, {2000, "n1"}, {500, ""}} {
		c.PriorityClasses = []*schedulingv1.PriorityClass{{ObjectMeta: metav1.ObjectMeta{Name: "important"}, Value: test.value}}
		if diff := cmp.Diff([]string{test.want}, evictedNodes(t, d, c)); diff != "" {
			t.Errorf("threshold %d (-want +got):\n%s", test.value, diff)
		}
	}
}

func TestBadClusters(t *testing.T) {
	d := build(t, policy("", profile("{}", "balance", duplicates)))
	nodes := []*corev1.Node{node("n1", 4000, 8, nil), node("n2", 4000, 8, nil)}
	pods := place("web", 100, 100, "n1", 2)
	twin := pod("other", 0, "n1", 0, 0)
	twin.UID = pods[0].UID
	for name, c := range map[string]descheduler.Cluster{
		"given twice":  {Nodes: append(nodes, nodes[0]), Pods: pods},
		"have one UID": {Nodes: nodes, Pods: append(pods, twin)},
	} {
		if _, err := d.Cycle(context.Background(), c, descheduler.Order{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v; want %q", err, name)
		}
	}
	for _, pod := range pods {
		pod.UID = ""
	}
	if diff := cmp.Diff([]string{"n1"}, evictedNodes(t, d, descheduler.Cluster{Nodes: nodes, Pods: pods})); diff != "" {
		t.Errorf("pods without UID (-want +got):\n%s", diff)
	}
}

func TestManyEqualDomainsStayWithinTheBound(t *testing.T) {
	d := build(t, policy("", profile("{}", "balance", hardSpread)))
	var c descheduler.Cluster
	var counts []any
	for i := range 10 {
		name := "n" + string(rune('a'+i))
		c.Nodes = append(c.Nodes, node(name, 4000, 8, nil))
		counts = append(counts, name, 2*min(i, 1))
	}
	c.Pods = spreading(place("web", 10, 10, counts...), corev1.DoNotSchedule, corev1.LabelHostname)
	if got := len(evictedNodes(t, d, c)); got != 9 {
		t.Errorf("%d outcomes; want one for each of the nine full nodes", got)
	}
	if _, err := d.Cycle(context.Background(), c, descheduler.Order{Nodes: []string{"nd"}}); err != nil {
		t.Error(err)
	}
}

func TestBudgetProtectionCoversEveryPod(t *testing.T) {
	c := descheduler.Cluster{
		Nodes: []*corev1.Node{node("n1", 4000, 8, nil), node("n2", 4000, 8, nil)},
		Pods:  place("web", 100, 100, "n1", 2),
		PDBs: []*policyv1.PodDisruptionBudget{{
			ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default"},
			Spec:       policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{}},
		}},
	}
	for evictor, want := range map[string]string{"{}": "n1", "{ignorePodsWithoutPDB: true}": ""} {
		loaded, err := descheduler.LoadPolicy([]byte(policy("", profile(evictor, "balance", duplicates))))
		if err != nil {
			t.Fatal(err)
		}
		d, err := descheduler.New(loaded)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{want}, evictedNodes(t, d, c)); diff != "" {
			t.Errorf("evictor %s (-want +got):\n%s", evictor, diff)
		}
		cycles := 0
		instrument()
		o := &oracle{draw: draw{cluster: c}, random: rand.New(rand.NewPCG(1, 1)), report: func(evicted []string) (draw, bool) {
			cycles++
			if got := len(evicted) > 0; got != (want != "") {
				t.Errorf("evictor %s: the real loop evicts %v", evictor, evicted)
			}
			return draw{cluster: c}, cycles < 5
		}}
		if err := o.run(loaded.Loaded(), false); err != nil || cycles < 5 {
			t.Errorf("real loop: %d cycles, error %v", cycles, err)
		}
	}
}
