package cluster

import (
	"cmp"
	"context"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcehelper "k8s.io/component-helpers/resource"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/rule"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
	"github.com/seatrial/seatrial/statespace"
)

// amounts are sums of requests, in milli units; pods count as a resource.
type amounts map[corev1.ResourceName]int64

func (a amounts) add(b amounts, times int64) {
	for name, v := range b {
		a[name] += v * times
	}
}

func (a amounts) atLeast(b amounts) {
	for name, v := range b {
		a[name] = max(a[name], v)
	}
}

// request is what one pod takes of a node.
func request(w *model.World, work, rev int) amounts {
	out := amounts{corev1.ResourcePods: 1000}
	for name, q := range resourcehelper.PodRequests(w.Workloads[work].Revisions[rev].Pod, resourcehelper.PodResourcesOptions{}) {
		out[name] = q.MilliValue()
	}
	return out
}

// requested is what some pods take of a node together.
func requested(w *model.World, b model.Bag) amounts {
	sum := amounts{}
	for _, c := range b {
		if c.Holds() {
			sum.add(request(w, int(c.Work), int(c.Rev)), int64(c.N))
		}
	}
	return sum
}

// demand is what a part asks of the nodes.
type demand struct {
	// uses are the nodes that its pods may be on.
	uses []bool
	// one is the largest request of one of its pods; node the most that its pods
	// ever request on one node, terminating ones included.
	one, node amounts
	// pods is how many there are at most at a time, terminating ones included; calm
	// is how many if no event is about the part's workloads, known of merged parts.
	pods, calm int64
	// placed: pods of it looked for a node before the check began.
	placed bool
	// binds: pods of it look for a node. Where no nodes are merged, it is to be one
	// that has room of its own.
	binds bool
}

// demands of a part, after its search.
func demands(ctx context.Context, w *model.World, p *part) demand {
	if p.like != nil {
		d := demands(ctx, w, p.like)
		d.uses = uses(w, p.members)
		return d
	}
	d := demand{uses: uses(w, p.members), one: amounts{}, node: amounts{}, binds: true}
	for _, i := range p.members {
		d.placed = d.placed || len(p.w.Workloads[i].Given) == 0
		for k := range p.w.Workloads[i].Revisions {
			d.one.atLeast(request(p.w, i, k))
		}
	}
	most := 0
	p.v.EachNode(func(n *model.Node) {
		most = max(most, n.Pods.Count(model.Pod.Holds))
		sum := requested(p.w, n.Pods)
		sum.add(requested(p.w, n.Nominated), 1)
		d.node.atLeast(sum)
	})
	if p.w.Reduced == nil {
		d.pods = int64(most * len(w.Nodes))
		d.calm = d.pods
		return d
	}
	// Terminating pods are not in the states. There are no more of them on a node
	// than pods were there at the start, or have come since.
	come, ending := int64(0), int64(0)
	for _, i := range p.members {
		for _, g := range p.w.Workloads[i].Given {
			if g.Pod.Terminating {
				ending++
			}
		}
	}
	for _, s := range p.v.Start {
		come = max(come, int64(s.Free.Count(model.Pod.Holds)+p.created()))
		d.pods = max(d.pods, int64(s.Count(func(_ model.Place, p model.Pod) bool { return p.Holds() })+p.created())+ending)
	}
	d.binds = come > 0 || d.placed && ending > 0
	if p.w.Reduced.Merges() {
		d.node = amounts{}
		d.node.add(d.one, d.pods)
		d.calm = d.pods - int64(p.created()) + int64(p.createdCalmly(ctx))
	} else {
		d.node.add(d.one, come+ending)
		d.calm = d.pods
	}
	return d
}

// createdCalmly is how many pods a behaviour of p creates at most if nothing happens
// to its workloads but what happens to nodes, or what any behaviour does if that
// cannot be said.
func (p *part) createdCalmly(ctx context.Context) int {
	w := *p.w
	w.Events = slices.Clone(w.Events)
	about := false
	for i := range w.Events {
		if e := &w.Events[i]; aboutOne(e) && e.Budget > 0 {
			e.Budget, about = 0, true
		}
	}
	if !about || p.created() == 0 {
		return p.created()
	}
	created := statespace.Most("pods are created", creates)
	r, err := statespace.CheckVectors(ctx, model.NewVector(&w, p.v.Start), []statespace.Property[rule.IDs]{created}, p.options())
	if err != nil || r.Properties[0].Verdict != statespace.Holds || r.Properties[0].Count == statespace.Unbounded {
		return p.created()
	}
	return r.Properties[0].Count
}

// creates is the predicate on steps that create a pod.
func creates(_ rule.IDs, a statespace.Action, _ rule.IDs) bool {
	return model.LabelKind(a.Label) == model.KindCreate
}

// uses are the nodes that pods of some workloads may be on: those that the
// scheduler admits them to, and those that they are given on.
func uses(w *model.World, members []int) []bool {
	out := make([]bool, len(w.Nodes))
	empty := untouched(w)
	for _, i := range members {
		spec := &w.Workloads[i]
		for _, g := range spec.Given {
			if g.Node >= 0 {
				out[g.Node] = true
			}
		}
		for r := range spec.Revisions {
			named := w.PlaceOf(spec.Revisions[r].Pod.Spec.NodeName)
			for k := range out {
				out[k] = out[k] || named.Node == k || spec.Held == "" && admits(w, empty, model.Pod{Work: uint16(i), Rev: uint8(r)}, k)
			}
		}
	}
	return out
}

// untouched is w without pods, every node as new.
func untouched(w *model.World) *model.State {
	s := initial(w)
	s.Free = nil
	for i := range s.Nodes {
		s.Nodes[i] = &model.Node{Up: true, Ready: true}
	}
	return s
}

// admits tells whether the scheduler may put a pod on a node of an untouched
// cluster.
func admits(w *model.World, untouched *model.State, p model.Pod, node int) bool {
	if !w.Kube.Schedules(w, p) {
		return true // it is not asked
	}
	_, rejected := w.Kube.Room(w, untouched, model.Unassigned, p).Rejected(w)[w.Nodes[node].Name()]
	return !rejected
}

// crowded are parts between which room is scarce, by index; none if there is
// always room for every pod of every part where the part has it to itself: then no
// part ever keeps a pod of another from a node, and none preempts another's.
//
// A part of which nodes are merged needs some node of each group that no event
// strikes and that has room for one pod more: the pods that may be there are too
// few to fill them all. The others need room on every node that they use for the
// most that each part ever puts there, and a pod more of each that looks for nodes.
// So do those that looked for one before the check began, if there are several parts:
// in the whole they did so side by side. A part that is crowded by itself is one that
// its reductions are not sound for.
func crowded(ctx context.Context, w *model.World, parts []*part) []int {
	if mutation.On("reduction-ignores-room") && !slices.ContainsFunc(parts, func(p *part) bool { return p.w.Reduced == nil }) {
		return nil
	}
	all := make([]demand, len(parts))
	for i, p := range parts {
		all[i] = demands(ctx, w, p)
		all[i].binds = all[i].binds || all[i].placed && len(parts) > 1
	}
	sharing := func(nodes ...int) []int {
		var out []int
		for i := range parts {
			if slices.ContainsFunc(nodes, func(k int) bool { return all[i].uses[k] }) {
				out = append(out, i)
			}
		}
		return out
	}
	for k := range w.Nodes {
		here := sharing(k)
		if len(here) == 1 && parts[here[0]].w.Reduced == nil {
			continue
		}
		need, asked := amounts{}, false
		for _, i := range here {
			need.add(all[i].node, 1)
			if all[i].binds {
				need.add(all[i].one, 1)
			}
			asked = asked || all[i].binds && !parts[i].w.Reduced.Merges()
		}
		if asked && !has(w.Nodes[k].Node, need) {
			return here
		}
	}
	for _, p := range parts {
		if !p.w.Reduced.Merges() {
			continue
		}
		for _, g := range p.w.Reduced.Groups {
			here := sharing(g.Members...)
			var there []demand
			for _, i := range here {
				there = append(there, all[i])
			}
			if !groupHolds(w, g, there) {
				return here
			}
		}
	}
	return nil
}

// has tells whether a node has so much.
func has(node *corev1.Node, need amounts) bool {
	for name, v := range need {
		if q := node.Status.Allocatable[name]; v > 0 && v > q.MilliValue() {
			return false
		}
	}
	return true
}

// groupHolds tells whether some node of a group has room for one pod more of any of
// some parts, though as many nodes as there are slots are out of use.
//
// An event that is about a workload is about one part, and there are so many events at
// most: the other parts have no more pods than they have when they are left alone.
// Either the pods are too few to fill every node, each counted as the largest; or
// what they request is too little for a node to be short of anything.
func groupHolds(w *model.World, g model.Group, parts []demand) bool {
	byGrowth := slices.SortedFunc(slices.Values(parts), func(a, b demand) int { return cmp.Compare(b.pods-b.calm, a.pods-a.calm) })
	one, sum, pods := amounts{}, amounts{}, int64(0)
	for i, d := range byGrowth {
		n := d.calm
		if i < w.MaxEvents {
			n = d.pods
		}
		one.atLeast(d.one)
		sum.add(d.one, n)
		pods += n
	}
	return fewer(w, g, one, pods) || short(w, g, one, sum) < int64(len(g.Members)-len(g.Slots))
}

// fewer tells whether so many pods, none larger than one, leave room for the last of
// them on some node: a node without room for one holds as many as it has room for.
func fewer(w *model.World, g model.Group, one amounts, pods int64) bool {
	var fit []int64
	for _, i := range g.Members {
		most := int64(-1)
		for name, v := range one {
			if q := w.Nodes[i].Node.Status.Allocatable[name]; v > 0 && (most < 0 || q.MilliValue()/v < most) {
				most = q.MilliValue() / v
			}
		}
		fit = append(fit, most)
	}
	slices.Sort(fit)
	room := int64(0)
	for _, n := range fit[:len(fit)-len(g.Slots)] {
		room += n
	}
	return pods <= room
}

// short is how many nodes of a group may be without room for one more at a time, if
// all pods together request sum: each of them is short of some resource.
func short(w *model.World, g model.Group, one, sum amounts) int64 {
	nodes := int64(0)
	for name, v := range one {
		if v == 0 {
			continue
		}
		least := int64(math.MaxInt64)
		for _, i := range g.Members {
			q := w.Nodes[i].Node.Status.Allocatable[name]
			least = min(least, q.MilliValue()-v+1)
		}
		if least <= 0 {
			return math.MaxInt64
		}
		nodes += sum[name] / least
	}
	return nodes
}
