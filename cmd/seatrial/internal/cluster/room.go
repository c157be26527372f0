package cluster

import (
	corev1 "k8s.io/api/core/v1"
	resourcehelper "k8s.io/component-helpers/resource"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
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
	// one is the largest request of one of its pods; node the most that its pods
	// ever request on one node, terminating ones included.
	one, node amounts
	// pods is how many there are at most at a time, terminating ones included.
	pods int64
	// binds: pods of it look for a node.
	binds bool
}

// demands of a part, after its search.
func demands(p *part) demand {
	d := demand{one: amounts{}, node: amounts{}, binds: true}
	for _, i := range p.members {
		for k := range p.w.Workloads[i].Revisions {
			d.one.atLeast(request(p.w, i, k))
		}
	}
	if p.w.Reduced == nil {
		p.v.EachNode(func(n *model.Node) {
			sum := requested(p.w, n.Pods)
			sum.add(requested(p.w, n.Nominated), 1)
			d.node.atLeast(sum)
		})
		return d
	}
	// Terminating pods are not in the states. There are no more of them on a node
	// than pods were there at the start, or have come since.
	come := int64(0)
	for _, s := range p.v.Start {
		waiting := int64(s.Free.Count(model.Pod.Holds))
		come = max(come, waiting+int64(p.created))
		d.pods = max(d.pods, int64(s.Count(func(_ model.Place, p model.Pod) bool { return p.Holds() }))+int64(p.created))
	}
	d.binds = come > 0
	if p.w.Reduced.Merges() {
		d.node.add(d.one, d.pods)
		return d
	}
	p.v.EachNode(func(n *model.Node) { d.node.atLeast(requested(p.w, n.Pods)) })
	d.node.add(d.one, come)
	return d
}

// roomForAll tells whether there is always room for every pod of every part where
// the part has it to itself: then no part ever keeps a pod of another from a node,
// and none preempts another's.
//
// For parts of which nodes are merged, some node of each group that no event
// strikes has room for one pod more: the pods are too few to fill them all. For
// the others every node has room for the most that each part ever puts on one,
// and a pod more of each that looks for nodes.
func roomForAll(w *model.World, parts []*part) bool {
	need, one, pods, spread := amounts{}, amounts{}, int64(0), false
	for _, p := range parts {
		d := demands(p)
		need.add(d.node, 1)
		if d.binds {
			need.add(d.one, 1)
		}
		one.atLeast(d.one)
		pods += d.pods
		spread = spread || d.binds && !p.w.Reduced.Merges()
	}
	if spread || len(parts) > 1 && !allReduced(parts) {
		return holds(w, need)
	}
	for _, p := range parts {
		if !p.w.Reduced.Merges() {
			continue // its pods only go
		}
		for _, g := range p.w.Reduced.Groups {
			if !groupHolds(w, g, one, pods) {
				return false
			}
		}
	}
	return true
}

func allReduced(parts []*part) bool {
	for _, p := range parts {
		if p.w.Reduced == nil {
			return false
		}
	}
	return true
}

// holds tells whether every node has so much.
func holds(w *model.World, need amounts) bool {
	for i := range w.Nodes {
		for name, v := range need {
			q := w.Nodes[i].Node.Status.Allocatable[name]
			if v > 0 && v > q.MilliValue() {
				return false
			}
		}
	}
	return true
}

// groupHolds tells whether, with so many pods none larger than one, some node of a
// group has room for another, though as many as there are slots are out of use.
func groupHolds(w *model.World, g model.Group, one amounts, pods int64) bool {
	var room, out int64
	var fit []int64
	for _, i := range g.Members {
		most := int64(-1)
		for name, v := range one {
			if q := w.Nodes[i].Node.Status.Allocatable[name]; v > 0 && (most < 0 || q.MilliValue()/v < most) {
				most = q.MilliValue() / v
			}
		}
		fit = append(fit, most)
		room += most
	}
	for range g.Slots {
		k := 0
		for i := range fit {
			if fit[i] > fit[k] {
				k = i
			}
		}
		out, fit[k] = out+fit[k], 0
	}
	return pods <= room-out
}
