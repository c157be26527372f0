package scheduler

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
)

// preemptSetups: as by default; with a search that stops at the first
// candidate, at the second.
var preemptSetups = []setup{
	{"default", nil, 70},
	{"one candidate", candidates(1), 15},
	{"two candidates", candidates(2), 15},
}

func candidates(n int32) func(*config.KubeSchedulerConfiguration) {
	return func(cfg *config.KubeSchedulerConfiguration) {
		args[config.DefaultPreemptionArgs](cfg, 0).MinCandidateNodesAbsolute = n
		args[config.DefaultPreemptionArgs](cfg, 0).MinCandidateNodesPercentage = 0
	}
}

type preemptTally struct {
	clusters, draws, most, none, several, orders, budgets, nominated, cut int
}

func (c *preemptTally) add(other preemptTally) {
	c.clusters += other.clusters
	c.draws += other.draws
	c.most = max(c.most, other.most)
	c.none += other.none
	c.several += other.several
	c.orders += other.orders
	c.budgets += other.budgets
	c.nominated += other.nominated
	c.cut += other.cut
}

// Draws made whatever they show, to look for an outcome that the set lacks: of
// clusters with outcomes, and of those on which nothing is to be preempted, which
// no order of arrival decides.
const (
	drawsMin     = 16
	drawsOfNone  = 3
	preemptParts = 4 // of the clusters, next to each other
)

// TestPreemptEqualsTheRealPostFilter preempts for the same pods on the same
// clusters by a real scheduler's post filter cycle: 10,000 clusters, 100,000 for
// conformance, of one to six nodes with two to four pods each, half of them of few
// kinds, with budgets, nominated and terminating pods, priorities that tie, and
// filters of every kind in the way (see generator).
//
// Each draw has another order of arrival of nodes and pods, and upstream's own
// random offset and map orders; they alternate between one and sixteen workers. A
// draw outside the set fails. So does an outcome that is not drawn: draws go on
// until each was seen, up to drawsMax, where the chance to miss one that is real is
// less than 1e-9.
func TestPreemptEqualsTheRealPostFilter(t *testing.T) {
	var mu sync.Mutex
	var counts preemptTally
	t.Run("clusters", func(t *testing.T) {
		for part := range preemptParts {
			t.Run(fmt.Sprint(part), func(t *testing.T) {
				t.Parallel()
				counted := preemptPart(t, part)
				mu.Lock()
				defer mu.Unlock()
				counts.add(counted)
			})
		}
	})
	t.Logf("%+v", counts)
	if counts.none == counts.clusters || counts.several == 0 || counts.orders == 0 || counts.budgets == 0 || counts.nominated == 0 {
		t.Error("the random clusters are too narrow")
	}
	if counts.cut > counts.clusters/500 {
		t.Error("too many clusters are not compared")
	}
}

// preemptPart tries every preemptParts-th cluster.
func preemptPart(t *testing.T, part int) (counts preemptTally) {
	t.Helper()
	for number, s := range preemptSetups {
		cfg := s.configuration(t)
		subject := newScheduler(t, s.change, testStatic())
		oracles := []*oracle{newOracle(t, cfg, testStatic(), 1), newOracle(t, cfg, testStatic(), 16)}
		for i := part; i < 100*s.share*scale(); i += preemptParts {
			g := s.generator(cfg, 100+number, i)
			g.preempting = true
			pod, c := g.cluster()
			important(g, pod)
			if err := checkPreempt(t, g, subject, oracles, pod, c, &counts); err != nil {
				t.Fatalf("%s, cluster %d: %v", s.name, i, err)
			}
		}
	}
	return counts
}

// important makes a pod that has reason to preempt.
func important(g *generator, pod *corev1.Pod) {
	pod.Spec.Priority = new(pick[int32](g, 50, 1000, 1000))
	if g.chance(70) {
		pod.Spec.NodeSelector, pod.Spec.NodeName, pod.Spec.Volumes, pod.Spec.InitContainers = nil, "", nil, nil
		if pod.Spec.Affinity != nil {
			pod.Spec.Affinity.NodeAffinity, pod.Spec.Affinity.PodAffinity = nil, nil
		}
		if g.chance(70) {
			pod.Spec.TopologySpreadConstraints, pod.Spec.Affinity = nil, nil
		}
	}
	if g.chance(70) {
		pod.Spec.Containers = pod.Spec.Containers[:1]
		pod.Spec.Containers[0].Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(pick(g, "900m", "1500m", "1900m", "1900m", "1900m", "3500m"))}
	}
	if g.chance(3) {
		pod.Spec.PreemptionPolicy = new(corev1.PreemptNever)
	}
}

func checkPreempt(t *testing.T, g *generator, subject *Scheduler, oracles []*oracle, pod *corev1.Pod, c Cluster, counts *preemptTally) error {
	set, err := subject.Preempt(t.Context(), pod, c)
	if errors.Is(err, ErrTooManyOutcomes) {
		counts.cut++ // said to be a part only: nothing to compare
		return nil
	}
	if err != nil {
		return err
	}
	if err := searchEqualsPermute(t, subject, pod, c); err != nil {
		return err
	}
	note(set, c, counts)
	missing := map[string]bool{}
	for _, outcome := range set {
		missing[fmt.Sprint(outcome)] = true
	}
	least, most := drawsOfNone, drawsOfNone
	if len(set) > 0 {
		least, most = drawsMin, drawsMax(c)
	}
	for n := 0; n < most && (n < least || len(missing) > 0); n++ {
		counts.draws++
		counts.most = max(counts.most, n+1)
		g.Shuffle(len(c.Pods), func(i, j int) { c.Pods[i], c.Pods[j] = c.Pods[j], c.Pods[i] })
		g.Shuffle(len(c.Nodes), func(i, j int) { c.Nodes[i], c.Nodes[j] = c.Nodes[j], c.Nodes[i] })
		o := oracles[n%len(oracles)]
		o.load(t, Cluster{Nodes: slices.Clone(c.Nodes), Pods: slices.Clone(c.Pods), Nominated: c.Nominated, PDBs: c.PDBs, ReplicaSets: c.ReplicaSets})
		must(t, o.pods.Add(pod))
		drawn, err := o.preempt(pod, g)
		if err != nil {
			return err
		}
		if drawn == nil {
			if len(set) > 0 {
				return fmt.Errorf("the real scheduler does not preempt; here %v", set)
			}
			continue
		}
		if !slices.ContainsFunc(set, func(p Preemption) bool { return p.Node == drawn.Node && slices.Equal(p.Victims, drawn.Victims) }) {
			return fmt.Errorf("the real scheduler preempts %v, not of %v", *drawn, set)
		}
		delete(missing, fmt.Sprint(*drawn))
	}
	if len(missing) > 0 {
		return fmt.Errorf("in %d draws, of %v the real scheduler never preempts %v", most, set, missing)
	}
	return nil
}

// searchEqualsPermute compares the two ways to find the victims of a node.
func searchEqualsPermute(t *testing.T, subject *Scheduler, pod *corev1.Pod, c Cluster) error {
	c.PDBs = nil
	var sets [][]Preemption
	for _, few := range []int{0, dryRunsMax} {
		subject.fewOrders = few
		set, err := subject.Preempt(t.Context(), pod, c)
		if few > 0 && errors.Is(err, ErrTooManyOutcomes) {
			break // the orders are too many to compare with
		}
		if err != nil {
			return err
		}
		sets = append(sets, set)
	}
	subject.fewOrders = fewOrders
	if len(sets) < 2 {
		return nil
	}
	if diff := cmp.Diff(sets[1], sets[0]); diff != "" {
		return fmt.Errorf("the search differs from trying all orders: %s", diff)
	}
	return nil
}

// drawsMax bounds the draws for one outcome. In a draw with one worker, every
// other one, it needs at worst one certain order of all alike important pods of
// all nodes, two certain ones of six nodes to be visited first (1 in 15), and the
// map of candidates to be iterated from one certain of eight slots. 21 times that
// leaves a chance of e^-21, less than 1e-9. It is cut at 10000, so that a failure
// shows soon; the rarest outcome of the default run takes 100 to 300 draws.
func drawsMax(c Cluster) int {
	most := 21 * 2 * 15 * 8
	ranks := map[string]int{}
	for _, pod := range started(c.Pods) {
		priority := int32(0)
		if pod.Spec.Priority != nil {
			priority = *pod.Spec.Priority
		}
		key := fmt.Sprint(pod.Spec.NodeName, priority, pod.Status.StartTime.Unix())
		ranks[key]++
		most *= ranks[key]
	}
	return min(most, 10000)
}

func note(set []Preemption, c Cluster, counts *preemptTally) {
	counts.clusters++
	switch len(set) {
	case 0:
		counts.none++
	case 1:
	default:
		counts.several++
	}
	for i, outcome := range set {
		if i > 0 && set[i-1].Node == outcome.Node {
			counts.orders++
			break
		}
	}
	if len(set) > 0 && len(c.PDBs) > 0 {
		counts.budgets++
	}
	if len(set) > 0 && len(c.Nominated) > 0 {
		counts.nominated++
	}
}

func TestCandidateArgumentsReachThePlugin(t *testing.T) {
	cfg, err := latest.Default()
	must(t, err)
	candidates(1)(cfg)
	s, err := New(t.Context(), cfg, Static{})
	must(t, err)
	for _, made := range s.plugins {
		type counter interface {
			GetOffsetAndNumCandidates(nodes int32) (int32, int32)
		}
		if _, n := made["DefaultPreemption"].(counter).GetOffsetAndNumCandidates(50); n != 1 {
			t.Errorf("%d candidates are enough, want 1", n)
		}
	}
}
