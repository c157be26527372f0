package descheduler_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/descheduler"
)

// profile renders a policy with one profile. Each plugin is "Name" or
// "Name {args}" and is enabled at the given point.
func profile(evictor, point string, plugins ...string) string {
	var configs, enabled []string
	for _, plugin := range plugins {
		name, args, ok := strings.Cut(plugin, " ")
		if !ok {
			args = "{}"
		}
		configs = append(configs, fmt.Sprintf("{name: %s, args: %s}", name, args))
		enabled = append(enabled, name)
	}
	return fmt.Sprintf("{name: p, pluginConfig: [{name: DefaultEvictor, args: %s}, %s], plugins: {%s: {enabled: [%s]}}}",
		evictor, strings.Join(configs, ", "), point, strings.Join(enabled, ", "))
}

func policy(settings string, profiles ...string) string {
	return "apiVersion: descheduler/v1alpha2\nkind: DeschedulerPolicy\n" + settings +
		"\nprofiles: [" + strings.Join(profiles, ", ") + "]\n"
}

func build(t testing.TB, raw string) *descheduler.Descheduler {
	t.Helper()
	loaded, err := descheduler.LoadPolicy([]byte(raw))
	if err != nil {
		t.Fatalf("load policy: %v\n%s", err, raw)
	}
	d, err := descheduler.New(loaded)
	if err != nil {
		t.Fatalf("build: %v\n%s", err, raw)
	}
	return d
}

// evictedNodes renders each outcome as the sorted nodes it evicts from.
func evictedNodes(t testing.TB, d *descheduler.Descheduler, c descheduler.Cluster) []string {
	t.Helper()
	outcomes, err := d.Outcomes(context.Background(), c)
	if err != nil {
		t.Fatalf("outcomes: %v", err)
	}
	var rendered []string
	for _, outcome := range outcomes {
		var nodes []string
		for _, eviction := range outcome {
			nodes = append(nodes, eviction.Node)
		}
		slices.Sort(nodes)
		rendered = append(rendered, strings.Join(nodes, "+"))
	}
	slices.Sort(rendered)
	return rendered
}

func spreading(pods []*corev1.Pod, when corev1.UnsatisfiableConstraintAction, keys ...string) []*corev1.Pod {
	for _, pod := range pods {
		for _, key := range keys {
			pod.Spec.TopologySpreadConstraints = append(pod.Spec.TopologySpreadConstraints, corev1.TopologySpreadConstraint{
				MaxSkew: 1, TopologyKey: key, WhenUnsatisfiable: when,
				LabelSelector: &metav1.LabelSelector{MatchLabels: pod.Labels},
			})
		}
	}
	return pods
}

func tainted(node *corev1.Node) *corev1.Node {
	node.Spec.Taints = []corev1.Taint{{Key: "control-plane", Effect: corev1.TaintEffectNoSchedule}}
	return node
}

const (
	duplicates = "RemoveDuplicates"
	bothSpread = "RemovePodsViolatingTopologySpreadConstraint {constraints: [DoNotSchedule, ScheduleAnyway]}"
	hardSpread = "RemovePodsViolatingTopologySpreadConstraint"
	low        = "LowNodeUtilization {thresholds: {cpu: 20}, targetThresholds: {cpu: 50}}"
	high       = "HighNodeUtilization {thresholds: {cpu: 30}}"
	soft       = corev1.ScheduleAnyway
)

func lifecycle(value string) map[string]string { return map[string]string{"lifecycle": value} }

// spot are nodes of two lifecycles.
var spot = []*corev1.Node{
	node("od", 6400, 8, lifecycle("on-demand")), node("s1", 6400, 8, lifecycle("spot")), node("s2", 6400, 8, lifecycle("spot")),
}

// equal are three nodes with nothing to choose between them.
var equal = []*corev1.Node{node("n1", 1000, 4, nil), node("n2", 1000, 4, nil), node("n3", 1000, 4, nil)}

func TestKnownFailures(t *testing.T) {
	for _, test := range []struct {
		name   string
		policy string
		nodes  []*corev1.Node
		pods   []*corev1.Pod
		want   []string
	}{
		{
			"kivi/C5 RemoveDuplicates ignores that the small node is full", policy("", profile("{nodeFit: false}", "balance", duplicates)),
			[]*corev1.Node{node("small", 1200, 8, nil), node("big", 6400, 8, nil)},
			place("web", 800, 1024, "small", 1, "big", 3),
			[]string{"big"},
		},
		{
			"kivi/C5 with nodeFit nothing is evicted", policy("", profile("{nodeFit: true}", "balance", duplicates)),
			[]*corev1.Node{node("small", 1200, 8, nil), node("big", 6400, 8, nil)},
			place("web", 800, 1024, "small", 1, "big", 3),
			[]string{""},
		},
		{
			"kivi/C8 one pod leaves the fullest node", policy("", profile("{}", "balance", bothSpread)), spot,
			spreading(place("web", 800, 1024, "od", 3, "s1", 2, "s2", 1), soft, corev1.LabelHostname, "lifecycle"),
			[]string{"od"},
		},
		{
			"kivi/C8 control: soft constraints not listed", policy("", profile("{}", "balance", hardSpread)), spot,
			spreading(place("web", 800, 1024, "od", 3, "s1", 2, "s2", 1), soft, corev1.LabelHostname, "lifecycle"),
			[]string{""},
		},
		{
			"equal domains: either gives the pod", policy("", profile("{}", "balance", hardSpread)), spot,
			spreading(place("web", 800, 1024, "od", 2, "s1", 2), corev1.DoNotSchedule, corev1.LabelHostname),
			[]string{"od", "s1"},
		},
		{
			"two constraints choose independently", policy("", profile("{}", "balance", hardSpread)), equal,
			append(spreading(place("a", 10, 10, "n1", 2, "n2", 2), corev1.DoNotSchedule, corev1.LabelHostname),
				spreading(place("b", 10, 10, "n1", 2, "n2", 2), corev1.DoNotSchedule, corev1.LabelHostname)...),
			// a and b each leave n1 or n2; which app left is not shown here.
			[]string{"n1+n1", "n1+n2", "n1+n2", "n2+n2"},
		},
		{
			"dev/A1 LowNodeUtilization 20/50 with 60 % packed", policy("", profile("{}", "balance", low)), equal[:2],
			place("web", 200, 100, "n1", 3),
			[]string{"n1"},
		},
		{
			"dev/A1 control: target above the packed load", policy("", profile("{}", "balance",
				"LowNodeUtilization {thresholds: {cpu: 20}, targetThresholds: {cpu: 60}}")), equal[:2],
			place("web", 200, 100, "n1", 3),
			[]string{""},
		},
		{
			"dev/A1 nodeFit does not help", policy("", profile("{nodeFit: true}", "balance", low)), equal[:2],
			place("web", 200, 100, "n1", 3),
			[]string{"n1"},
		},
		{
			"dev/A6 the tainted node is no target", policy("", profile("{}", "balance", duplicates)),
			[]*corev1.Node{tainted(node("master", 4000, 8, nil)), node("n1", 4000, 8, nil)},
			place("web", 100, 100, "n1", 2),
			[]string{""},
		},
		{
			"dev/A6 without the taint one pod moves", policy("", profile("{}", "balance", duplicates)),
			[]*corev1.Node{node("master", 4000, 8, nil), node("n1", 4000, 8, nil)},
			place("web", 100, 100, "n1", 2),
			[]string{"n1"},
		},
		{
			"dev/A8 HighNodeUtilization empties the node below 30 %", policy("", profile("{}", "balance", high)), equal[:2],
			append(place("web", 200, 100, "n1", 1), place("db", 400, 100, "n2", 1)...),
			[]string{"n1"},
		},
		{
			"dev/A8 all nodes below: nothing", policy("", profile("{}", "balance", high)), equal[:2],
			place("web", 200, 100, "n1", 1, "n2", 1),
			[]string{""},
		},
		{
			"under a limit either node may come first", policy("maxNoOfPodsToEvictTotal: 1", profile("{}", "balance", duplicates)), equal,
			place("web", 100, 100, "n1", 3, "n2", 3),
			[]string{"n1", "n2"},
		},
		{
			"one ready node: the cycle is skipped", policy("", profile("{}", "balance", duplicates)), equal[:1],
			place("web", 100, 100, "n1", 4),
			[]string{""},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := evictedNodes(t, build(t, test.policy), descheduler.Cluster{Nodes: test.nodes, Pods: test.pods})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLaterPluginSeesABeginningOfTheEvictions: two pods of three on either node are
// evicted for their restarts. The spread of what is left is in balance to a plugin
// that sees none of it or all, not to one that has seen the evictions of one node.
func TestLaterPluginSeesABeginningOfTheEvictions(t *testing.T) {
	pods := spreading(place("a", 10, 10, "n1", 3, "n2", 3), corev1.DoNotSchedule, corev1.LabelHostname)
	for _, i := range []int{0, 1, 3, 4} {
		pods[i].Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "c", RestartCount: 3}}
	}
	raw := policy("", `{name: p, pluginConfig: [{name: DefaultEvictor, args: {}},
  {name: RemovePodsHavingTooManyRestarts, args: {podRestartThreshold: 2}},
  {name: RemovePodsViolatingTopologySpreadConstraint, args: {}}],
  plugins: {deschedule: {enabled: [RemovePodsHavingTooManyRestarts]}, balance: {enabled: [RemovePodsViolatingTopologySpreadConstraint]}}}`)
	c := descheduler.Cluster{Nodes: []*corev1.Node{node("n1", 4000, 4, nil), node("n2", 4000, 4, nil)}, Pods: pods}
	want := []string{"n1+n1+n1+n2+n2", "n1+n1+n2+n2", "n1+n1+n2+n2+n2"}
	if diff := cmp.Diff(want, evictedNodes(t, build(t, raw), c)); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

func TestCycleAnswersInAllOrdersWithAnOutcome(t *testing.T) {
	d := build(t, policy("maxNoOfPodsToEvictTotal: 2", profile("{}", "balance", hardSpread, duplicates)))
	c := descheduler.Cluster{
		Nodes: []*corev1.Node{node("n1", 4000, 4, nil), node("n2", 4000, 4, nil), node("n3", 4000, 4, nil)},
		Pods: append(spreading(place("a", 10, 10, "n1", 3, "n2", 3), corev1.DoNotSchedule, corev1.LabelHostname),
			place("b", 10, 10, "n2", 4)...),
	}
	outcomes, err := d.Outcomes(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, watch := range []descheduler.Watch{descheduler.WatchLate, descheduler.WatchPrompt} {
		for _, first := range []string{"n1", "n2", "n3"} {
			order := descheduler.Order{Nodes: []string{first}, Pods: []string{"default/a-5", "default/b-1"}, Watch: watch}
			evictions, err := d.Cycle(context.Background(), c, order)
			if err != nil {
				t.Fatal(err)
			}
			again, err := d.Cycle(context.Background(), c, order)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(evictions, again); diff != "" {
				t.Errorf("two cycles in one order differ (-first +second):\n%s", diff)
			}
			if !slices.ContainsFunc(outcomes, func(outcome []descheduler.Eviction) bool {
				return classes(c, outcome) == classes(c, evictions)
			}) {
				t.Errorf("order %v: %v is not among the outcomes %v", order, evictions, outcomes)
			}
		}
	}
}

// classes names an outcome up to exchange of pods with one owner and node.
func classes(c descheduler.Cluster, evictions []descheduler.Eviction) string {
	var names []string
	for _, eviction := range evictions {
		for _, pod := range c.Pods {
			if pod.Namespace+"/"+pod.Name == eviction.Pod {
				names = append(names, classOf(pod))
			}
		}
	}
	slices.Sort(names)
	return strings.Join(names, " | ")
}

func classOf(pod *corev1.Pod) string {
	anonymous := *pod
	anonymous.Name, anonymous.UID = "", ""
	encoded, err := anonymous.Marshal()
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("%s/%v/%x", pod.Spec.NodeName, pod.Labels, hash(encoded))
}

func hash(data []byte) (sum uint64) {
	sum = 14695981039346656037
	for _, b := range data {
		sum = (sum ^ uint64(b)) * 1099511628211
	}
	return sum
}

func BenchmarkCycle(b *testing.B) {
	nodes := []*corev1.Node{node("n1", 4000, 8, nil), node("n2", 4000, 8, nil), node("n3", 4000, 8, nil)}
	for _, bench := range []struct {
		name, plugin string
		pods         []*corev1.Pod
	}{
		{"duplicates", duplicates, place("web", 100, 100, "n1", 6, "n2", 3, "n3", 1)},
		{"spread", hardSpread, spreading(place("web", 100, 100, "n1", 6, "n2", 3, "n3", 1), corev1.DoNotSchedule, corev1.LabelHostname)},
		{"spread tied", hardSpread, spreading(place("web", 100, 100, "n1", 5, "n2", 5), corev1.DoNotSchedule, corev1.LabelHostname)},
		{"low", "LowNodeUtilization {thresholds: {cpu: 20}, targetThresholds: {cpu: 40}}", place("web", 400, 100, "n1", 5, "n2", 4, "n3", 1)},
	} {
		c := descheduler.Cluster{Nodes: nodes, Pods: bench.pods}
		b.Run(bench.name+"/cycle", func(b *testing.B) {
			d := build(b, policy("", profile("{}", "balance", bench.plugin)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := d.Cycle(context.Background(), c, descheduler.Order{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(bench.name+"/outcomes", func(b *testing.B) {
			d := build(b, policy("", profile("{}", "balance", bench.plugin)))
			for b.Loop() {
				if _, err := d.Outcomes(context.Background(), c); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(d.Runs()), "runs")
		})
	}
}
