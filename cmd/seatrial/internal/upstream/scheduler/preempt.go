package scheduler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	extenderv1 "k8s.io/kube-scheduler/extender/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// Preemption is one outcome of preemption: the pod is nominated for Node, and
// Victims (namespace/name, sorted) are deleted; those among them that are
// terminating already are not deleted again. The nominations of pods with a
// lower priority for that node are withdrawn, too, which is not listed.
type Preemption struct {
	Node    string
	Victims []string
}

// ErrTooManyOutcomes comes with outcomes that are possible, but not all of them:
// there are too many orders in which equally important pods can be reprieved to
// try them all, or too many outcomes to list.
var ErrTooManyOutcomes = errors.New("too many outcomes of preemption")

// Bounds of one call of Preempt: dry runs of a node in all, outcomes listed.
const (
	dryRunsMax  = 20000
	outcomesMax = 20000
)

// fewOrders is the number of orders of a node's pods up to which all are tried,
// without relying on what dryRun.search relies on.
const fewOrders = 24

// unstarted stands for the start time of a pod without one. Upstream takes the
// current time then: later than that of any started pod, and of two such pods
// either is the later. That is a tie here, and ties are tried both ways.
var unstarted = metav1.Time{Time: time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)}

// Preempt tells what the scheduler's preemption may do for pod, in every way that
// it may go; nil if the pod is schedulable, if preemption is off or would not
// help. The result is sorted. Nothing is deleted.
//
// Victims of one node and their PDB violations are found by the real plugin's
// dry run (DefaultPreemption.SelectVictimsOnNode), nodes are compared by the real
// choice of a candidate (preemption.Evaluator.SelectCandidate). The outcome of
// both depends on what is no API state, and the set is closed over it:
//
//   - The order of pods in the scheduler's cache decides which of two pods of the
//     same priority and start time is reprieved first. The dry run is made for
//     every order of such pods, but for those that exchange pods which are alike in
//     everything but their name; an outcome that takes some of alike pods is
//     listed for each choice among them (one, with Cluster.MergeAlike). Where these
//     orders are many and no PDB covers a victim, only those are tried that lead to
//     different victims: see dryRun.search. Pods without a start time count as
//     started at the same time, after all others, as upstream reads the clock for
//     them.
//   - The order of PDBs has no influence: each is counted down on its own.
//   - The random offset, the order of nodes and the number of candidates after
//     which the dry run stops (minCandidateNodesPercentage, …Absolute; never for
//     up to 100 nodes by default) decide which nodes are compared at all:
//     see field.mayWin.
//   - Equal candidates are chosen between in map order: any.
//
// With [ErrTooManyOutcomes] the outcomes returned are possible ones, not all.
func (s *Scheduler) Preempt(ctx context.Context, pod *corev1.Pod, c Cluster) ([]Preemption, error) {
	ctx = quiet(ctx)
	c.Pods = started(c.Pods)
	cycle, err := s.filter(ctx, pod, c)
	if err != nil {
		return nil, fmt.Errorf("schedule pod %s: %w", podName(pod), err)
	}
	if len(cycle.feasible) > 0 || cycle.skipped != "" {
		return nil, nil
	}
	plugin := s.preemptor(ctx, cycle)
	if plugin == nil {
		return nil, nil
	}
	preemptor := cycle.pod
	statuses := cycle.diagnosis.NodeToStatus
	if ok, _ := plugin.PodEligibleToPreemptOthers(ctx, preemptor, statuses.Get(preemptor.Status.NominatedNodeName)); !ok {
		return nil, nil
	}
	nodes, err := statuses.NodesForStatusCode(s.snapshot, fwk.Unschedulable)
	if err != nil || len(nodes) == 0 {
		return nil, err
	}
	f, err := newField(ctx, plugin, cycle, nodes, c, s.fewOrders)
	if err != nil {
		return nil, fmt.Errorf("preempt for pod %s: %w", podName(pod), err)
	}
	return f.outcomes(c.MergeAlike)
}

// preemptor is the plugin that preempts in this cycle, nil if none gets to it.
// Other post filters run before it where the profile says so.
func (s *Scheduler) preemptor(ctx context.Context, cy *cycle) *defaultpreemption.DefaultPreemption {
	made := s.plugins[cy.framework]
	for _, name := range s.postFilter[cy.pod.Spec.SchedulerName] {
		if plugin, ok := made[name].(*defaultpreemption.DefaultPreemption); ok && name == names.DefaultPreemption {
			return plugin
		}
		plugin, ok := made[name].(fwk.PostFilterPlugin)
		if !ok {
			return nil
		}
		_, status := plugin.PostFilter(ctx, cy.state, cy.pod, cy.diagnosis.NodeToStatus)
		if status.Code() != fwk.Unschedulable {
			return nil // that plugin helps, forbids or fails: the cycle ends with it
		}
	}
	return nil
}

// started gives every pod a start time in whole seconds, as the API has it.
func started(pods []*corev1.Pod) []*corev1.Pod {
	out := slices.Clone(pods)
	for i, pod := range out {
		at := pod.Status.StartTime
		if at != nil && at.Nanosecond() == 0 && !at.IsZero() {
			continue
		}
		copied := *pod
		copied.Status.StartTime = &unstarted
		if at != nil && !at.IsZero() {
			copied.Status.StartTime = &metav1.Time{Time: at.Truncate(time.Second)}
		}
		out[i] = &copied
	}
	return out
}

// candidate is one way to make room on one node.
type candidate struct {
	node    string
	victims []*corev1.Pod
	// violations is the number of victims that no PDB allows to disrupt.
	violations int64
	// rank is the candidate's place in the choice, the same for equals.
	rank int
	// groups are the sets of alike pods that victims were taken from.
	groups []group
}

// group is a set of pods alike in all but their name, of which some are victims.
type group struct {
	pods  []*corev1.Pod
	taken int
}

// Name is the candidate's node.
func (c *candidate) Name() string { return c.node }

// Victims are the pods to delete, the most important first.
func (c *candidate) Victims() *extenderv1.Victims {
	return &extenderv1.Victims{Pods: c.victims, NumPDBViolations: c.violations}
}

// worsened is the same candidate under another name, less by the least step of the last criterion of
// the choice, the start time, of which API times are whole multiples.
func (c *candidate) worsened(name string) *candidate {
	worse := &candidate{node: name, violations: c.violations}
	for _, pod := range c.victims {
		copied := *pod
		copied.Status.StartTime = &metav1.Time{Time: pod.Status.StartTime.Add(-time.Nanosecond)}
		worse.victims = append(worse.victims, &copied)
	}
	return worse
}

// field is what the candidate nodes of one preemption can offer.
type field struct {
	ctx    context.Context
	plugin *defaultpreemption.DefaultPreemption
	// nodes has one entry for each node that the dry run looks at: what it may
	// come up with there, depending on the order of pods. An entry with no
	// candidate is a node where preemption does not help, which does not depend on
	// the order: the pod fits without all possible victims or it does not, and
	// with all of them reprieved it would be where it was rejected.
	nodes [][]*candidate
	// cut says that not all candidates could be found.
	cut bool
	// enough is the number of candidates at which the dry run stops.
	enough int
}

func newField(ctx context.Context, plugin *defaultpreemption.DefaultPreemption, cy *cycle, nodes []fwk.NodeInfo, c Cluster, few int) (*field, error) {
	nodes = slices.Clone(nodes)
	slices.SortFunc(nodes, byName)
	f := &field{ctx: ctx, plugin: plugin, nodes: make([][]*candidate, len(nodes))}
	// The offset it draws is not needed.
	_, enough := plugin.GetOffsetAndNumCandidates(int32(len(nodes)))
	f.enough = int(enough)
	for i, node := range nodes {
		run := dryRun{plugin: plugin, cycle: cy, node: node, pdbs: c.PDBs, few: few}
		err := run.all(ctx, max(1, dryRunsMax/len(nodes)))
		if errors.Is(err, ErrTooManyOutcomes) {
			f.cut = true
		} else if err != nil {
			return nil, err
		}
		f.nodes[i] = run.found
	}
	f.compare()
	return f, nil
}

// compare ranks all candidates of the field: the lower, the better, the same for
// equals. The real choice compares by one criterion after the other, each a number
// of the candidate's own, so that comparing two at a time is enough.
func (f *field) compare() {
	var all []*candidate
	for _, found := range f.nodes {
		all = append(all, found...)
	}
	slices.SortStableFunc(all, func(a, b *candidate) int {
		switch {
		case f.better(a, b):
			return -1
		case f.better(b, a):
			return 1
		}
		return 0
	})
	for i, c := range all {
		if i > 0 {
			c.rank = all[i-1].rank
			if f.better(all[i-1], c) {
				c.rank++
			}
		}
	}
}

// better says whether a is chosen over b whatever the order. The real choice is
// random between equals, so b is asked to win against an a made worse by less
// than any real difference: it does, every time, unless a is truly better.
func (f *field) better(a, b *candidate) bool {
	const left, right = "a", "b" // two candidates may be of one node
	chosen := f.plugin.Evaluator.SelectCandidate(f.ctx, []preemption.Candidate{
		a.worsened(left), &candidate{node: right, victims: b.victims, violations: b.violations},
	})
	return chosen.Name() == left
}

// mayWin tells whether the candidate, of the node with that index, can be the one
// chosen. The dry run visits nodes in any order (that of arrival, from a random
// offset on, by racing workers) and stops once it has enough candidates, at
// least one of which violates no PDB; of candidates that violate one it keeps as
// many as are enough. The best of those found is chosen. So a candidate can win
//
//   - if, with it, enough nodes can have candidates that do not beat it: they are
//     the ones found first. If it violates a PDB, those that do not beat it all
//     violate one too, and fill up the list of those; then no node may have a
//     candidate without violation, for the search would go on until it is found;
//   - or else, all nodes being visited, if each of them can have a candidate that
//     does not beat it, or none.
//
// These are all ways: found candidates that beat it exclude it, and fewer found
// ones mean that every node was visited. What different nodes come up with is
// independent, as the order of pods on one says nothing of another's. Nodes found
// beyond enough, by workers that were under way, can be taken for part of the
// order before.
func (f *field) mayWin(at int, c *candidate) bool {
	equals, unbeaten := 1, true
	for i, found := range f.nodes {
		if i == at || len(found) == 0 {
			continue
		}
		tame := slices.ContainsFunc(found, func(other *candidate) bool { return other.rank >= c.rank })
		if tame {
			equals++
		}
		if c.violations > 0 && !f.violates(i) {
			return false // a candidate without violation is always found
		}
		unbeaten = unbeaten && tame
	}
	return unbeaten || equals >= f.enough
}

// violates says whether the node can have only candidates that violate a PDB, in
// some order of its pods.
func (f *field) violates(i int) bool {
	return slices.ContainsFunc(f.nodes[i], func(c *candidate) bool { return c.violations > 0 })
}

// outcomes are the candidates that may win, written out for alike pods.
func (f *field) outcomes(merge bool) ([]Preemption, error) {
	var out []Preemption
	for i, found := range f.nodes {
		for _, c := range found {
			if !f.mayWin(i, c) {
				continue
			}
			if merge {
				out = append(out, Preemption{Node: c.node, Victims: first(c.groups)})
				continue
			}
			// One more than is allowed, to see whether there are more.
			for _, victims := range choices(c.groups, outcomesMax+1-len(out)) {
				out = append(out, Preemption{Node: c.node, Victims: victims})
			}
			if len(out) > outcomesMax {
				out, f.cut = out[:outcomesMax], true
			}
		}
	}
	slices.SortFunc(out, func(a, b Preemption) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), slices.Compare(a.Victims, b.Victims))
	})
	out = slices.CompactFunc(out, func(a, b Preemption) bool {
		return a.Node == b.Node && slices.Equal(a.Victims, b.Victims)
	})
	if f.cut {
		return out, ErrTooManyOutcomes
	}
	return out, nil
}
