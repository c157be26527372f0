package cluster

import (
	"fmt"
	"maps"
	"math"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/rule"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/nodelifecycle"
)

// Reductions (docs/adr/0009) leave out of the states what the properties do not
// depend on. Small clusters are searched without.
const (
	fullNodes = 3 // in each pool
	fullPods  = 9
)

// The names of the reductions, as verdicts have them.
const (
	reducedPods  = "terminating pods are not counted"
	reducedNodes = "nodes that are alike are merged"
)

// small tells whether every interleaving of w is searched, unless the user asks
// for something else.
func small(w *model.World) bool {
	pools := make([]int, len(w.Pools))
	for i := range w.Nodes {
		pools[w.Nodes[i].Pool]++
	}
	pods := 0
	for i := range w.Workloads {
		pods += mostPods(w, i)
	}
	return pods <= fullPods && slices.Max(pools) <= fullNodes
}

// mostPods is how many pods of workload i are wanted at most.
func mostPods(w *model.World, i int) int {
	spec := &w.Workloads[i]
	n := max(int(*spec.Deployment.Spec.Replicas), len(spec.Given))
	for h := range w.HPAs {
		for _, rev := range w.HPAs[h].Revisions {
			if rev.Work == i {
				n = max(n, int(rev.HPA.Spec.MaxReplicas))
			}
		}
	}
	return n
}

// reduced is w, the world of a part or of all workloads, with what can be left
// out of its states, and the names of the reductions; none if there are none.
func reduced(w *model.World, asked []rule.Asked) (*model.World, []string, error) {
	if !endable(w, asked) {
		return w, nil, nil
	}
	if mergeable(w, asked) {
		m := merger{from: w, to: *w, r: &model.Reduction{Of: w}}
		if m.nodes() {
			to, err := m.to.With(m.r)
			return to, []string{reducedPods, reducedNodes}, err
		}
	}
	to, err := w.With(&model.Reduction{Of: w})
	return to, []string{reducedPods}, err
}

// recreates tells whether pods of a new template wait for the end of the old ones.
func recreates(s model.Settings) bool {
	return s.Deployment.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType
}

// endable tells whether nothing reads of a terminating pod but that it takes room:
// no descheduler, rule or actor that looks at everything, no Recreate rollout that
// waits for it, no anti-affinity or host port that it still holds, no preemption
// that counts on its end, no two autoscalers that may select it, none that may find
// it alone or miss a request of it, no node that may be lost while it is drained,
// and none that has not room for it from the start.
func endable(w *model.World, asked []rule.Asked) bool {
	if whole(w, asked) || w.Distinct || w.InFlight > 1 && w.Drains() && happens(w, scenario.EventNodeLoss) || overfull(w) {
		return false
	}
	scalers := 0
	for i := range w.HPAs {
		if slices.ContainsFunc(w.HPAs[i].Revisions, func(r model.HPARevision) bool { return r.Work < 0 || w.In(r.Work) }) {
			scalers++
		}
		if slices.ContainsFunc(w.HPAs[i].Revisions, func(r model.HPARevision) bool { return r.Work >= 0 && w.In(r.Work) && seesEnding(w, r.Work) }) {
			return false
		}
	}
	priorities := map[int32]bool{}
	for i := range w.Workloads {
		spec := &w.Workloads[i]
		if !w.In(i) {
			continue
		}
		if slices.ContainsFunc(spec.Settings, recreates) || len(hostPorts(spec)) > 0 {
			return false
		}
		for r := range spec.Revisions {
			priorities[spec.Priority(uint8(r))] = true
			pod := &spec.Revisions[r].Pod.Spec
			if pod.NodeName != "" || requiresPods(pod) {
				return false
			}
		}
	}
	return scalers <= 1 && len(priorities) <= 1
}

// overfull tells whether the input has more pods on a node than it has room for.
func overfull(w *model.World) bool {
	on := make([]model.Bag, len(w.Nodes))
	for i := range w.Workloads {
		for _, g := range w.Workloads[i].Given {
			if g.Node >= 0 {
				on[g.Node] = on[g.Node].Add(g.Pod, 1)
			}
		}
	}
	for i, pods := range on {
		if !has(w.Nodes[i].Node, requested(w, pods)) {
			return true
		}
	}
	return false
}

// seesEnding tells whether the autoscaler of workload i may decide otherwise by a
// terminating pod. If there is no other, it has no metrics and not no pods; strict
// autoscalers do not wait until a new one is created. If it has no request that
// others have, no utilization is known.
func seesEnding(w *model.World, i int) bool {
	var have []string
	for k := range w.Workloads {
		if w.In(k) && takes(w.Workloads[i].Selector, &w.Workloads[k]) {
			for r := range w.Workloads[k].Revisions {
				have = append(have, requesting(w.Workloads[k].Revisions[r].Pod))
			}
		}
	}
	return w.Strict || len(slices.Compact(have)) > 1
}

// requesting says which containers of a pod have which requests.
func requesting(pod *corev1.Pod) string {
	var out string
	for _, c := range append(slices.Clone(pod.Spec.Containers), pod.Spec.InitContainers...) {
		out += c.Name + fmt.Sprint(slices.Sorted(maps.Keys(c.Resources.Requests)))
	}
	return out
}

// requiresPods tells whether a pod has required affinity or anti-affinity to pods.
func requiresPods(spec *corev1.PodSpec) bool {
	a := spec.Affinity
	return a != nil && (a.PodAffinity != nil && len(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution) > 0 ||
		a.PodAntiAffinity != nil && len(a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution) > 0)
}

// happens tells whether an event of a type may happen.
func happens(w *model.World, kind scenario.EventType) bool {
	return slices.ContainsFunc(w.Events, func(e model.EventSpec) bool { return e.Type == kind && e.Budget > 0 })
}

// aboutOne tells whether an event is about one workload, or pods of one, and strikes
// no node.
func aboutOne(e *model.EventSpec) bool {
	switch e.Type {
	case scenario.EventLoad, scenario.EventApply, scenario.EventCreate, scenario.EventScale, scenario.EventRollout, scenario.EventRollback,
		scenario.EventPodCrash, scenario.EventReadinessFlap:
		return true
	case scenario.EventNeverReady:
		return len(e.Event.Nodes) == 0
	}
	return false
}

// mergeable tells whether it does not matter on which of several nodes a pod is, if
// nothing happens to them.
func mergeable(w *model.World, asked []rule.Asked) bool {
	if w.SchedulerConfig != nil || happens(w, scenario.EventMaintenance) {
		return false
	}
	for _, a := range asked {
		if a.Property.Node != "" || a.Property.Soft {
			return false
		}
	}
	for i := range w.Workloads {
		spec := &w.Workloads[i]
		if !w.In(i) {
			continue
		}
		if spec.Held != "" || spec.Kind == "Pod" {
			return false
		}
		for _, r := range spec.Revisions {
			if slices.ContainsFunc(r.Pod.Spec.TopologySpreadConstraints, func(c corev1.TopologySpreadConstraint) bool {
				return c.WhenUnsatisfiable == corev1.DoNotSchedule
			}) {
				return false
			}
		}
	}
	return true
}

// merger makes the world to, with the nodes of from merged as r says.
type merger struct {
	from *model.World
	to   model.World
	r    *model.Reduction
	// empty is from without pods.
	empty *model.State
	// slots is how many nodes of a group may be struck.
	slots int
}

// nodes makes the nodes of the merged world, and tells whether every pod may be on
// a node of a group: those that no event strikes have room for it.
func (m *merger) nodes() bool {
	w, given := m.from, initial(m.from)
	m.empty = untouched(w)
	for i := range w.Events {
		if !aboutOne(&w.Events[i]) {
			m.slots += int(w.Events[i].Budget)
		}
	}
	m.slots = min(m.slots, w.MaxEvents)
	if w.MayStopEvictions(given, m.slots) && happens(w, scenario.EventNodeLoss) {
		return false
	}
	pods := m.pods()
	groups, byKey := [][]int{}, map[string]int{}
	for i := range w.Nodes {
		if !fresh(given.Nodes[i]) {
			m.r.Kept = append(m.r.Kept, i)
			continue
		}
		key, used := m.key(pods, i)
		if !used && len(given.Nodes[i].Pods) == 0 {
			continue // never a pod of the part there
		}
		k, ok := byKey[key]
		if !ok {
			k, byKey[key] = len(groups), len(groups)
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], i)
	}
	var merged [][]int
	for _, g := range groups {
		if len(g) > m.slots+1 {
			merged = append(merged, g)
		} else {
			m.r.Kept = append(m.r.Kept, g...)
		}
	}
	slices.Sort(m.r.Kept)
	m.build(merged)
	return len(merged) > 0 && !m.missed() && !slices.ContainsFunc(pods, func(p model.Pod) bool {
		return !slices.ContainsFunc(merged, func(g []int) bool { return admits(m.from, m.empty, p, g[0]) })
	})
}

// missed tells whether no node is left that an event may strike.
func (m *merger) missed() bool {
	for i := range m.to.Events {
		if len(m.to.Events[i].Nodes) == 0 && len(m.from.Events[i].Nodes) > 0 {
			return true
		}
	}
	return false
}

// fresh tells whether a node is as it is when nothing has happened to it.
func fresh(n *model.Node) bool { return n.Up && n.Ready && !n.Unschedulable && n.Taints == 0 }

// pods are the sorts of pods that there may be.
func (m *merger) pods() []model.Pod {
	var out []model.Pod
	for i := range m.from.Workloads {
		if !m.from.In(i) {
			continue
		}
		for r := range m.from.Workloads[i].Revisions {
			out = append(out, model.Pod{Work: uint16(i), Rev: uint8(r)})
		}
	}
	return out
}

// key is equal for nodes that are alike to every pod and to every event.
func (m *merger) key(pods []model.Pod, node int) (key string, used bool) {
	for _, p := range pods {
		ok := admits(m.from, m.empty, p, node)
		used = used || ok
		tolerates, seconds := nodelifecycle.Tolerates(m.from.Workloads[p.Work].Revisions[p.Rev].Pod, m.from.Nodes[node].Node)
		key += fmt.Sprint(ok, tolerates)
		if seconds != nil {
			key += fmt.Sprint(*seconds)
		}
	}
	for i := range m.from.Events {
		key += fmt.Sprint(slices.Contains(m.from.Events[i].Nodes, node))
	}
	return key, used
}

// build makes the merged world's nodes, pools and events.
func (m *merger) build(groups [][]int) {
	m.to.Nodes, m.to.Pools = nil, slices.Clone(m.from.Pools)
	at := map[int][]int{} // where the nodes are that an event strikes
	for _, k := range m.r.Kept {
		at[k] = []int{len(m.to.Nodes)}
		m.to.Nodes = append(m.to.Nodes, m.from.Nodes[k])
	}
	class := 0
	for i := range m.from.Nodes {
		class = max(class, m.from.Nodes[i].Class+1)
	}
	for _, members := range groups {
		g := model.Group{Members: members, Rest: len(m.to.Nodes)}
		m.add(members[0], class, "-rest", endless(m.from, members))
		most := largest(m.from, members)
		for i := range m.slots {
			g.Slots = append(g.Slots, len(m.to.Nodes))
			m.add(members[0], class+1, fmt.Sprint("-struck-", i+1), most)
			m.to.Nodes[len(m.to.Nodes)-1].Slot = true
		}
		class += 2
		g.Fits = func(b model.Bag) bool { return fits(m.from, b, most) }
		at[members[0]] = g.Slots
		m.r.Groups = append(m.r.Groups, g)
	}
	m.to.Events = slices.Clone(m.from.Events)
	for i := range m.to.Events {
		var nodes []int
		for _, k := range m.from.Events[i].Nodes {
			nodes = append(nodes, at[k]...)
		}
		m.to.Events[i].Nodes = nodes
	}
}

// add adds a node like one of from's, in a pool of its group.
func (m *merger) add(like, class int, suffix string, room corev1.ResourceList) {
	spec := m.from.Nodes[like]
	spec.Node = spec.Node.DeepCopy()
	spec.Node.Name += suffix
	spec.Node.Status.Allocatable = room
	spec.Class = class
	m.to.Nodes = append(m.to.Nodes, spec)
}

// endless is more than any pods request.
func endless(w *model.World, nodes []int) corev1.ResourceList {
	out := corev1.ResourceList{}
	for _, i := range nodes {
		for name := range w.Nodes[i].Node.Status.Allocatable {
			out[name] = *resource.NewQuantity(math.MaxInt64/1_000_000, resource.DecimalSI)
		}
	}
	return out
}

// largest is the most that one of some nodes has of each resource.
func largest(w *model.World, nodes []int) corev1.ResourceList {
	out := corev1.ResourceList{}
	for _, i := range nodes {
		for name, q := range w.Nodes[i].Node.Status.Allocatable {
			if have, ok := out[name]; !ok || q.Cmp(have) > 0 {
				out[name] = q
			}
		}
	}
	return out
}

// fits tells whether a node with so much has room for some pods.
func fits(w *model.World, b model.Bag, room corev1.ResourceList) bool {
	sum := requested(w, b)
	for name, v := range sum {
		if q := room[name]; v > q.MilliValue() {
			return false
		}
	}
	return true
}
