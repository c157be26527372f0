package cluster_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/pace"
)

// A small cluster is put together of parts, each a line of YAML.
type small struct {
	nodes    []string
	replicas int
	pod      string // fields of the pod template's spec
	strategy string
	others   []string // further objects
	scenario string   // fields of the scenario's spec
	parts    []string // names of what it is made of
}

func (c *small) name() string {
	return fmt.Sprintf("%d nodes, %d pods, %s", len(c.nodes), c.replicas, strings.Join(c.parts, ", "))
}

func (c *small) yaml() string {
	docs := append([]string{}, c.nodes...)
	docs = append(docs, fmt.Sprintf(`{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: %d, %s selector: {matchLabels: {app: web}},
  template: {metadata: {labels: {app: web}}, spec: {%s containers: [{name: c, image: "web:1", resources: {requests: {cpu: 400m, memory: 64Mi}}}]}}}}`,
		c.replicas, c.strategy, c.pod))
	docs = append(docs, c.others...)
	if c.scenario != "" {
		docs = append(docs, fmt.Sprintf(`{apiVersion: seatrial.dev/v1alpha1, kind: Scenario, metadata: {name: s}, spec: {%s}}`, c.scenario))
	}
	return strings.Join(docs, "\n---\n")
}

// smallNode is one with room for cpu; extra are further fields of the spec.
func smallNode(name, cpu, extra string) string {
	return fmt.Sprintf(`{apiVersion: v1, kind: Node, metadata: {name: %s, labels: {kubernetes.io/hostname: %[1]s}}, spec: {%s}, status: {allocatable: {cpu: %q, memory: 8Gi, pods: "110"}}}`, name, extra, cpu)
}

// part is a choice for one place of a small cluster.
type part struct {
	name string
	add  func(c *small)
}

// sorts of nodes: equal ones, one with room for a single pod, one tainted.
var nodeParts = []part{
	{name: "equal", add: func(*small) {}},
	{name: "one small", add: func(c *small) { c.nodes[0] = smallNode("n1", "500m", "") }},
	{name: "one tainted", add: func(c *small) {
		c.nodes[0] = smallNode("n1", "2", "taints: [{key: k, effect: NoSchedule}]")
	}},
}

const (
	onHosts = `topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: %s, labelSelector: {matchLabels: {app: web}}}],`
	notBoth = `affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}]}},`
)

var podParts = []part{
	{name: "plain", add: func(*small) {}},
	{name: "spread", add: func(c *small) { c.pod = fmt.Sprintf(onHosts, "DoNotSchedule") }},
	{name: "apart", add: func(c *small) { c.pod = notBoth }},
	{name: "pinned", add: func(c *small) { c.pod = "nodeName: n1," }},
}

func budgetPart(field string) string {
	return fmt.Sprintf(`{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {%s, selector: {matchLabels: {app: web}}}}`, field)
}

const (
	duplicatesPart = `{apiVersion: descheduler/v1alpha2, kind: DeschedulerPolicy, profiles: [{name: p, pluginConfig: [{name: RemoveDuplicates, args: {}}], plugins: {balance: {enabled: [RemoveDuplicates]}}}]}`
	scalerPart     = `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web}, spec: {minReplicas: 1, maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]}}`
	urgentPart     = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: urgent}, spec: {replicas: 1, selector: {matchLabels: {app: urgent}},
  template: {metadata: {labels: {app: urgent}}, spec: {priorityClassName: high, containers: [{name: c, image: "urgent:1", resources: {requests: {cpu: 1500m, memory: 64Mi}}}]}}}}`
)

// eventParts are what happens to the cluster.
var eventParts = []part{
	{name: "nothing", add: func(*small) {}},
	{name: "drain under a budget", add: func(c *small) {
		c.others, c.scenario = []string{budgetPart("maxUnavailable: 1")}, "events: [{type: drain}]"
	}},
	{name: "drain against a percentage", add: func(c *small) {
		c.others, c.scenario = []string{budgetPart("minAvailable: 60%")}, "events: [{type: drain}]"
	}},
	{name: "node loss", add: func(c *small) { c.scenario = "events: [{type: node-loss, returns: never}]" }},
	{name: "rollout", add: func(c *small) { c.scenario = "events: [{type: rollout, after: rest}]" }},
	{name: "rollout one by one", add: func(c *small) {
		c.strategy, c.scenario = "strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}},", "events: [{type: rollout, after: rest}]"
	}},
	{name: "other settings", add: func(c *small) {
		c.scenario = "events: [{type: rollout, after: rest}, " + c.applied("minReadySeconds: 5, strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}},") + "]"
	}},
	{name: "paused and resumed", add: func(c *small) {
		c.scenario = "events: [{type: rollout, after: rest}, " + c.applied("paused: true,") + ", " + c.applied("") + "]"
	}},
	{name: "scale-down", add: func(c *small) {
		c.scenario = "events: [{type: scale, replicas: 1, workload: {name: web}}]"
	}},
	{name: "crash-looping under a drain", add: func(c *small) {
		c.others, c.scenario = []string{budgetPart("minAvailable: 1")}, "inFlight: 2, events: [{type: never-ready}, {type: drain}]"
	}},
	{name: "restart", add: func(c *small) { c.scenario = "events: [{type: pod-crash}]" }},
	{name: "descheduler", add: func(c *small) { c.others = []string{duplicatesPart} }},
	{name: "autoscaler", add: func(c *small) {
		c.others, c.scenario = []string{scalerPart}, "events: [{type: load, load: {workload: {name: web}, total: {cpu: 500m}}}]"
	}},
	{name: "preemption", add: func(c *small) {
		c.others = []string{"{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 100}", budgetPart("minAvailable: 1"), urgentPart}
		c.scenario = "fromEmpty: true"
	}},
	{name: "node crash rule", add: func(c *small) {
		c.scenario = "nodeCrash: [{freePercent: 50}], load: [{workload: {name: web}, requests: true}]"
	}},
}

// applied is an event that applies the Deployment with other settings.
func (c *small) applied(settings string) string {
	return fmt.Sprintf(`{type: apply, manifest: {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: %d, %s selector: {matchLabels: {app: web}},
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: "web:1"}]}}}}}`, c.replicas, settings)
}

// distinctStates bounds either model in an ordinary run of the tests; clusters
// beyond it are compared by make conformance.
const distinctStates = 1000

// tally counts what was compared.
type tally struct {
	compared, larger int
	// nodes, pods and events say how often each was in a cluster compared.
	nodes, pods map[int]int
	events      map[string]int
}

// TestDistinct holds the counted, sorted model to the one in which every pod
// and node has an identity, on the small clusters that the parts make: the same
// verdicts, and the same witnesses after as many steps.
func TestDistinct(t *testing.T) {
	t.Parallel()
	pace.Slow(t)
	sum := tally{nodes: map[int]int{}, pods: map[int]int{}, events: map[string]int{}}
	// TestBisimulation has all of them; exploring both models whole takes its time.
	// Prime to the numbers of parts, so that each is met beside each other.
	each := 7
	if os.Getenv("SEATRIAL_CONFORMANCE") != "" {
		each = 1
	}
	eachSmall(each, func(c *small) { c.compare(t, &sum) })
	sum.want(t, 150)
}

// TestDistinctRandom does so on clusters in which nodes differ at random and a
// second Deployment takes part.
func TestDistinctRandom(t *testing.T) {
	t.Parallel()
	pace.Slow(t)
	random := rand.New(rand.NewPCG(1, 2))
	sum := tally{nodes: map[int]int{}, pods: map[int]int{}, events: map[string]int{}}
	rounds := 150
	if os.Getenv("SEATRIAL_CONFORMANCE") != "" {
		rounds = 4000
	}
	for range rounds {
		c := small{replicas: 1 + random.IntN(3)}
		for i := range 1 + random.IntN(3) {
			room := []string{"500m", "1", "1300m", "2"}[random.IntN(4)]
			extra := []string{"", "", "unschedulable: true", "taints: [{key: k, effect: NoSchedule}]", "taints: [{key: k, effect: NoExecute}]"}[random.IntN(5)]
			c.nodes = append(c.nodes, smallNode(fmt.Sprint("n", i+1), room, extra))
		}
		c.put(podParts[random.IntN(len(podParts))], eventParts[random.IntN(len(eventParts))])
		if random.IntN(2) == 0 {
			c.pod += "terminationGracePeriodSeconds: 0,"
		}
		if random.IntN(2) == 0 {
			c.strategy += "minReadySeconds: 5,"
		}
		if random.IntN(2) == 0 {
			c.others = append(c.others, strings.ReplaceAll(urgentPart[:strings.Index(urgentPart, "priorityClassName")], "urgent", "second")+
				`containers: [{name: c, image: "second:1", resources: {requests: {cpu: 600m, memory: 64Mi}}}]}}}}`)
		}
		c.compare(t, &sum)
	}
	sum.want(t, 75)
}

// TestBisimulation compares the two models step by step, in the states of every
// small cluster that the parts make and of every case: so nothing depends on
// the number of states that identities add.
func TestBisimulation(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	limit := 150
	if os.Getenv("SEATRIAL_CONFORMANCE") != "" {
		limit = 1 << 20
	}
	clusters, states := 0, 0
	each := 1
	if testing.Short() {
		each = 25
	}
	eachSmall(each, func(c *small) {
		n, err := cluster.Bisimilar(t.Context(), c.load(t), limit, random)
		if err != nil {
			t.Errorf("%s: %v\n%s", c.name(), err, c.yaml())
		}
		clusters++
		states += n
	})
	for _, v := range variants(t) {
		if _, err := cluster.Bisimilar(t.Context(), v.load(t), limit, random); err != nil {
			t.Errorf("%s: %v", v.path, err)
		}
	}
	t.Logf("%d clusters, %d states", clusters, states)
}

// eachSmall calls f for one in each of the small clusters that the parts make.
func eachSmall(each int, f func(*small)) {
	count := 0
	for nodes := 1; nodes <= 3; nodes++ {
		for replicas := 1; replicas <= 4; replicas++ {
			for _, n := range nodeParts {
				for _, p := range podParts {
					for _, e := range eventParts {
						if count++; count%each != 0 {
							continue
						}
						c := &small{replicas: replicas}
						for i := range nodes {
							c.nodes = append(c.nodes, smallNode(fmt.Sprint("n", i+1), "2", ""))
						}
						c.put(n, p, e)
						f(c)
					}
				}
			}
		}
	}
}

func (c *small) put(parts ...part) {
	for _, p := range parts {
		p.add(c)
		c.parts = append(c.parts, p.name)
	}
}

// want holds a tally to being worth something.
func (s *tally) want(t *testing.T, compared int) {
	t.Helper()
	t.Logf("%d clusters compared, the model without symmetry is larger in %d; by nodes %v, pods %v, events %v",
		s.compared, s.larger, s.nodes, s.pods, s.events)
	if s.compared < compared || s.larger < compared/2 {
		t.Errorf("too few clusters are small enough to be compared, or too few have symmetry")
	}
	for _, e := range eventParts {
		if s.events[e.name] == 0 {
			t.Errorf("no cluster with %s was compared", e.name)
		}
	}
	if s.nodes[3] == 0 || s.pods[3] == 0 {
		t.Errorf("nothing of three nodes or three pods was compared")
	}
}

// compare adds to the tally if both models are within the bound.
func (c *small) compare(t *testing.T, sum *tally) {
	t.Helper()
	budget := distinctStates
	if os.Getenv("SEATRIAL_CONFORMANCE") != "" {
		budget = 100 * distinctStates
	}
	counted := c.check(t, false, budget)
	if !counted.Bound.Complete {
		return
	}
	distinct := c.check(t, true, budget)
	if !distinct.Bound.Complete {
		c.onlyViolates(t, distinct, counted)
		return
	}
	if diff := gocmp.Diff(essence(distinct), essence(counted)); diff != "" {
		t.Errorf("%s: (-distinct +counted):\n%s\n%s", c.name(), diff, c.yaml())
	}
	if distinct.Bound.States < counted.Bound.States || distinct.Bound.Depth < counted.Bound.Depth {
		t.Errorf("%s: %d states up to depth %d are counted, only %d up to %d distinct\n%s", c.name(),
			counted.Bound.States, counted.Bound.Depth, distinct.Bound.States, distinct.Bound.Depth, c.yaml())
	}
	sum.compared++
	sum.nodes[len(c.nodes)]++
	sum.pods[c.replicas]++
	for _, p := range c.parts {
		sum.events[p]++
	}
	if distinct.Bound.States > counted.Bound.States {
		sum.larger++
	}
}

// onlyViolates: what part of the distinct model violates, the counted one does.
func (c *small) onlyViolates(t *testing.T, distinct, counted *finding.Report) {
	t.Helper()
	for _, p := range distinct.Results {
		i := slices.IndexFunc(counted.Results, func(q finding.Result) bool { return q.Rule == p.Rule && q.Subject == p.Subject })
		if p.Verdict == finding.Violated && (i < 0 || counted.Results[i].Verdict != finding.Violated) {
			t.Errorf("%s: %s of %s is violated, and not where pods are counted\n%s", c.name(), p.Rule, p.Subject, c.yaml())
		}
	}
}

func (c *small) load(t *testing.T) *manifest.Input {
	t.Helper()
	in, err := manifest.Load(t.Context(), []string{"-"}, strings.NewReader(c.yaml()), manifest.Options{ValidateDescheduler: cluster.CheckPolicy})
	if err != nil {
		t.Fatalf("%s: %v\n%s", c.name(), err, c.yaml())
	}
	return in
}

func (c *small) check(t *testing.T, distinct bool, states int) *finding.Report {
	t.Helper()
	r, err := cluster.Check(context.Background(), c.load(t), cluster.Whole(cluster.Options{MaxStates: states}, distinct))
	if err != nil {
		t.Fatalf("%s: %v\n%s", c.name(), err, c.yaml())
	}
	return r
}

// essence is what two models of one cluster have to agree on.
func essence(r *finding.Report) []string {
	out := []string{string(r.Verdict)}
	for _, p := range r.Results {
		out = append(out, fmt.Sprintf("%s %s: %s %s", p.Rule, p.Subject, p.Verdict, p.Vacuous))
		for _, w := range p.Witnesses {
			out = append(out, fmt.Sprintf("  %s: %v after %d", w.Name, w.Reached, w.Steps))
		}
	}
	return out
}
