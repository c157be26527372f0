package scheduler

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
)

// Decision is everything the scheduler may do with one pod on one cluster.
type Decision struct {
	// Nodes are the nodes it may pick, sorted by name. None: unschedulable.
	Nodes []string
	// Sampled says that percentageOfNodesToScore cuts the search short, so that
	// Nodes is all feasible nodes, a superset of those that can be picked.
	Sampled bool
	// Rejected says for each infeasible node why. When the pod takes its
	// nominated node, no other is looked at, and it is empty.
	Rejected map[string]Rejection
	// Message is why the pod is unschedulable, as the scheduler would write it
	// into the pod's condition, but for what preemption adds to it.
	Message string
}

// Rejection is why a node cannot take the pod.
type Rejection struct {
	// Plugin is the one that rejected; several, with commas, when it was the
	// intersection of the node names they allow.
	Plugin string
	// Message is the plugin's, its reasons separated by commas.
	Message string
	// Resolvable says that removing pods might help: preemption looks at these
	// nodes (Unschedulable, as opposed to UnschedulableAndUnresolvable).
	Resolvable bool
}

// From this number of nodes on, percentageOfNodesToScore applies, and at least
// as many feasible nodes are sought (minFeasibleNodesToFind upstream).
const sampledNodesMin = 100

// The adaptive percentage is not less than this
// (minFeasibleNodesPercentageToFind upstream).
const sampledPercentMin = 5

const (
	noNodesMessage  = "no nodes available to schedule pods"
	deletingMessage = "skip schedule deleting pod: "
)

// Decide tells which nodes the scheduler may pick for pod, which is not in
// c.Pods. The profile is that of the pod's spec.schedulerName; it is an error if
// there is none, or if a plugin fails (rather than rejects), which leaves a pod
// of a real cluster pending.
//
// Scheduling gates are looked at first, as the scheduling queue does.
func (s *Scheduler) Decide(ctx context.Context, pod *corev1.Pod, c Cluster) (Decision, error) {
	cycle, err := s.filter(quiet(ctx), pod, c)
	if err != nil {
		return Decision{}, fmt.Errorf("schedule pod %s: %w", podName(pod), err)
	}
	d := Decision{Message: cycle.message(), Rejected: cycle.rejected()}
	if len(cycle.feasible) == 0 {
		return d, nil
	}
	if c.Any {
		d.Nodes = nodeNames(cycle.feasible)
		return d, nil
	}
	if d.Nodes, d.Sampled, err = s.best(quiet(ctx), cycle, c); err != nil {
		return Decision{}, fmt.Errorf("schedule pod %s: %w", podName(pod), err)
	}
	return d, nil
}

// cycle is one scheduling cycle after its filters.
type cycle struct {
	pod       *corev1.Pod
	framework framework.Framework
	state     fwk.CycleState
	nodes     []fwk.NodeInfo
	// candidates is the number of nodes that the pre-filters left over.
	candidates int
	feasible   []fwk.NodeInfo
	// nominated: the pod takes the node it is nominated for.
	nominated bool
	// diagnosis is what the scheduler's FitError would hold, preemption reads it.
	diagnosis framework.Diagnosis
	// restricting are the plugins whose pre-filter named nodes.
	restricting []string
	// skipped is why there was no cycle at all: no nodes, a gate, a deletion.
	skipped string
	gate    Rejection
}

// filter runs the scheduling cycle up to the list of feasible nodes, in the
// order of schedulePod and findNodesThatFitPod upstream, but over all nodes.
func (s *Scheduler) filter(ctx context.Context, pod *corev1.Pod, c Cluster) (*cycle, error) {
	f, ok := s.frameworks[pod.Spec.SchedulerName]
	if !ok {
		return nil, fmt.Errorf("no profile has the scheduler name %q", pod.Spec.SchedulerName)
	}
	if err := s.load(c); err != nil {
		return nil, err
	}
	cy := &cycle{
		pod:       identified(pod),
		framework: f,
		state:     framework.NewCycleState(),
		nodes:     s.snapshot.nodes,
		diagnosis: framework.Diagnosis{NodeToStatus: framework.NewDefaultNodeToStatus()},
	}
	if cy.skip(ctx) {
		return cy, nil
	}
	result, status, restricting := f.RunPreFilterPlugins(ctx, cy.state, cy.pod)
	cy.restricting = sets.List(restricting)
	cy.diagnosis.UnschedulablePlugins = restricting
	if !status.IsSuccess() {
		if !status.IsRejected() {
			return nil, status.AsError()
		}
		cy.diagnosis.NodeToStatus.SetAbsentNodesStatus(status)
		cy.diagnosis.PreFilterMsg = status.Message()
		return cy, nil
	}
	if cy.takesNominated(ctx, s.snapshot) {
		return cy, nil
	}
	return cy, cy.filterNodes(ctx, cy.allowed(result))
}

// skip tells whether the pod never enters a cycle.
func (cy *cycle) skip(ctx context.Context) bool {
	if cy.pod.DeletionTimestamp != nil {
		cy.skipped = deletingMessage + podName(cy.pod)
		return true
	}
	for _, plugin := range cy.framework.PreEnqueuePlugins() {
		if status := plugin.PreEnqueue(ctx, cy.pod); !status.IsSuccess() {
			cy.skipped = status.Message()
			cy.gate = Rejection{Plugin: plugin.Name(), Message: cy.skipped}
			return true
		}
	}
	if len(cy.nodes) == 0 {
		cy.skipped = noNodesMessage
		return true
	}
	return false
}

// takesNominated tries the pod's nominated node alone: if it is feasible, it is
// the only one. A failing plugin is not fatal here; all nodes are tried then.
func (cy *cycle) takesNominated(ctx context.Context, snapshot *snapshotLister) bool {
	name := cy.pod.Status.NominatedNodeName
	if name == "" {
		return false
	}
	node, err := snapshot.Get(name)
	if err != nil {
		return false
	}
	if status := cy.framework.RunFilterPluginsWithNominatedPods(ctx, cy.state, cy.pod, node); !status.IsSuccess() {
		if status.IsRejected() {
			// Kept even if the pre-filters leave this node out, and the plugin is
			// then named among theirs: upstream shares the set.
			cy.diagnosis.NodeToStatus.Set(name, status)
			cy.diagnosis.AddPluginStatus(status)
		}
		return false
	}
	cy.feasible = []fwk.NodeInfo{node}
	cy.nominated = true
	return true
}

// allowed are the nodes that the pre-filters left over.
func (cy *cycle) allowed(result *fwk.PreFilterResult) []fwk.NodeInfo {
	if result.AllNodes() {
		return cy.nodes
	}
	var nodes []fwk.NodeInfo
	for _, node := range cy.nodes {
		if result.NodeNames.Has(node.Node().Name) {
			nodes = append(nodes, node)
		}
	}
	cy.diagnosis.NodeToStatus.SetAbsentNodesStatus(fwk.NewStatus(fwk.UnschedulableAndUnresolvable,
		fmt.Sprintf("node(s) didn't satisfy plugin(s) %v", sets.List(cy.diagnosis.UnschedulablePlugins))))
	return nodes
}

func (cy *cycle) filterNodes(ctx context.Context, nodes []fwk.NodeInfo) error {
	cy.candidates = len(nodes)
	for _, node := range nodes {
		status := cy.framework.RunFilterPluginsWithNominatedPods(ctx, cy.state, cy.pod, node)
		switch {
		case status.IsSuccess():
			cy.feasible = append(cy.feasible, node)
		case status.Code() == fwk.Error:
			return status.AsError()
		default:
			cy.diagnosis.NodeToStatus.Set(node.Node().Name, status)
		}
	}
	return nil
}

func (cy *cycle) message() string {
	if cy.skipped != "" || len(cy.feasible) > 0 {
		return cy.skipped
	}
	fit := framework.FitError{Pod: cy.pod, NumAllNodes: len(cy.nodes), Diagnosis: cy.diagnosis}
	return fit.Error()
}

func (cy *cycle) rejected() map[string]Rejection {
	rejected := make(map[string]Rejection, len(cy.nodes))
	if cy.skipped != "" {
		for _, node := range cy.nodes {
			rejected[node.Node().Name] = cy.gate
		}
		return rejected
	}
	if cy.nominated {
		return rejected
	}
	feasible := sets.New(nodeNames(cy.feasible)...)
	for _, node := range cy.nodes {
		name := node.Node().Name
		if feasible.Has(name) {
			continue
		}
		status := cy.diagnosis.NodeToStatus.Get(name)
		plugin := status.Plugin()
		if plugin == "" {
			plugin = strings.Join(cy.restricting, ",")
		}
		rejected[name] = Rejection{Plugin: plugin, Message: status.Message(), Resolvable: status.Code() == fwk.Unschedulable}
	}
	return rejected
}

// best are the feasible nodes that can come out on top.
func (s *Scheduler) best(ctx context.Context, cy *cycle, c Cluster) (nodes []string, sampled bool, err error) {
	if len(cy.feasible) == 1 {
		return []string{cy.feasible[0].Node().Name}, false, nil
	}
	if !cy.framework.HasScorePlugins() {
		// The search stops at the first feasible node, and any can be first.
		return nodeNames(cy.feasible), false, nil
	}
	if len(cy.feasible) > s.limit(cy) {
		return nodeNames(cy.feasible), true, nil
	}
	if status := cy.framework.RunPreScorePlugins(ctx, cy.state, cy.pod, cy.feasible); !status.IsSuccess() {
		return nil, false, status.AsError()
	}
	scores, status := cy.framework.RunScorePlugins(ctx, cy.state, cy.pod, cy.feasible)
	if !status.IsSuccess() {
		return nil, false, status.AsError()
	}
	if c.Shared || c.Ending {
		return cy.possible(scores, c.Ending), false, nil
	}
	top := slices.MaxFunc(scores, func(a, b fwk.NodePluginScores) int { return cmp.Compare(a.TotalScore, b.TotalScore) })
	for _, score := range scores {
		if score.TotalScore == top.TotalScore {
			nodes = append(nodes, score.Name)
		}
	}
	slices.Sort(nodes)
	return nodes, false, nil
}

// possible are the nodes that come out on top if what other pods request may be
// anything on each node: a node's score for resources lies between nothing and
// the most that its plugins give. So does that for affinity to pods if they may
// be ending ones of the same workloads.
func (cy *cycle) possible(scores []fwk.NodePluginScores, ending bool) []string {
	weight := map[string]int64{}
	for _, p := range cy.framework.ListPlugins().Score.Enabled {
		if p.Name == names.NodeResourcesFit || p.Name == names.NodeResourcesBalancedAllocation || ending && p.Name == names.InterPodAffinity {
			weight[p.Name] = int64(p.Weight) * fwk.MaxScore
		}
	}
	least := make([]int64, len(scores))
	most := make([]int64, len(scores))
	bar := int64(math.MinInt64)
	for i, node := range scores {
		for _, p := range node.Scores {
			if w, unknown := weight[p.Name]; unknown {
				most[i] += w
				continue
			}
			least[i], most[i] = least[i]+p.Score, most[i]+p.Score
		}
		bar = max(bar, least[i])
	}
	var nodes []string
	for i, node := range scores {
		if most[i] >= bar {
			nodes = append(nodes, node.Name)
		}
	}
	slices.Sort(nodes)
	return nodes
}

// limit is the number of feasible nodes at which the scheduler stops to look for
// more: numFeasibleNodesToFind in pkg/scheduler/schedule_one.go. The profile's
// percentageOfNodesToScore goes before the global one; 0 means adaptive, 50 less
// one for every 125 nodes.
func (s *Scheduler) limit(cy *cycle) int {
	if cy.candidates < sampledNodesMin {
		return cy.candidates
	}
	percent := int(s.scorePercentGlobal)
	if p := cy.framework.PercentageOfNodesToScore(); p != nil {
		percent = int(*p)
	}
	if percent == 0 {
		percent = max(50-cy.candidates/125, sampledPercentMin)
	}
	return max(cy.candidates*percent/100, sampledNodesMin)
}

func nodeNames(nodes []fwk.NodeInfo) []string {
	out := make([]string, len(nodes))
	for i, node := range nodes {
		out[i] = node.Node().Name
	}
	slices.Sort(out)
	return out
}
