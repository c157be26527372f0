package model

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
)

// A Reduction leaves out of the states what nothing that is checked depends on.
// docs/adr/0009 says what each may be used for, and proves it.
type Reduction struct {
	// Of is the world that is reduced.
	Of *World
	// Groups are nodes of Of that are merged; with none, the nodes are those of Of.
	Groups []Group
	// Kept are the nodes of Of that stay by themselves, in the order in which they
	// are the first nodes of the reduced world.
	Kept []int
}

// Group is some nodes that are alike to every pod. Those that no event has struck
// are one node, the rest, that always has room; each struck one has a slot.
type Group struct {
	// Members are nodes of the reduction's Of.
	Members []int
	// Rest and Slots are nodes of the reduced world.
	Rest  int
	Slots []int
	// Fits tells whether one node has room for these pods.
	Fits func(Bag) bool
}

// Merges tells whether nodes are merged: then what depends on the node that a
// pod is on may be anything.
func (r *Reduction) Merges() bool { return r != nil && len(r.Groups) > 0 }

// plain tells whether nothing has happened to a node: it is as any other of its
// group, but for its pods.
func (n *Node) plain() bool {
	return n.Up && n.Ready && !n.Reports && !n.Unschedulable && n.Taints == 0 && n.Drain == DrainNone && !n.Maintained &&
		n.Event == 0 && !n.Crashed && n.Sick == 0 && len(n.Nominated) == 0
}

// vacant is a slot that no node takes.
var vacant = &Node{Up: true, Ready: true}

// Vacant tells whether node i of s is a slot that no node takes.
func (w *World) Vacant(s *State, i int) bool {
	n := s.Nodes[i]
	return w.Nodes[i].Slot && len(n.Pods) == 0 && n.plain()
}

// State is s, a state of Of, as the reduced world has it; nil if more nodes were
// struck than there are slots.
func (r *Reduction) State(s *State) *State {
	out := s.Clone()
	for i := range out.Nodes {
		ended(out, i)
	}
	for i, b := range out.PDB {
		if e := counted(b.Expected); e != b.Expected {
			out.EditPDB(i).Expected = e
		}
	}
	if !r.Merges() {
		return out
	}
	last := r.Groups[len(r.Groups)-1]
	nodes := make([]*Node, 1+max(last.Rest, slices.Max(append(last.Slots, 0))))
	for i, k := range r.Kept {
		nodes[i] = out.Nodes[k]
	}
	for _, g := range r.Groups {
		rest, slots := *vacant, g.Slots
		for _, k := range g.Members {
			n := out.Nodes[k]
			if n.plain() {
				for _, c := range n.Pods {
					rest.Pods = rest.Pods.Add(c.Pod, c.N)
				}
				continue
			}
			if len(slots) == 0 {
				return nil
			}
			nodes[slots[0]], slots = n, slots[1:]
		}
		nodes[g.Rest] = &rest
		for _, k := range slots {
			nodes[k] = vacant
		}
	}
	out.Nodes = nodes
	return out
}

// counted is what a budget's count of expected pods is reduced to: the eviction
// API asks only whether there are any, and terminating pods count.
func counted(expected int32) int32 { return min(expected, 1) }

// ended takes the terminating pods from node i of s if it runs.
func ended(s *State, i int) {
	terminating := func(c PodCount) bool { return c.Terminating }
	if n := s.Nodes[i]; n.Up && slices.ContainsFunc(n.Pods, terminating) {
		s.EditNode(i).Pods = slices.DeleteFunc(slices.Clone(n.Pods), terminating)
	}
}

// reduce calls f with to, the end of a step from x.State, as the reduced world
// has it: once for each way in which the pods of a group may be on a node that is
// struck. to must not be shared yet.
func (x *Turn) reduce(to *State, f func(*State) bool) bool {
	for i := range to.Nodes {
		ended(to, i)
	}
	for _, g := range x.Reduced.Groups {
		for i, k := range g.Slots {
			n := to.Nodes[k]
			switch {
			case n.plain() && len(n.Pods) > 0:
				rest := to.EditNode(g.Rest)
				for _, c := range n.Pods {
					rest.Pods = rest.Pods.Add(c.Pod, c.N)
				}
				to.Nodes[k] = vacant
			case !n.plain() && x.State.Nodes[k].plain():
				// One event strikes one node. Of the slots that are free any will do.
				if slices.ContainsFunc(g.Slots[:i], func(k int) bool { return x.State.Nodes[k].plain() }) {
					return true
				}
				return strikes(to, g, k, f)
			}
		}
	}
	return f(to)
}

// strikes calls f for every choice of the pods of a group that the node in slot k
// may have had when it was struck.
func strikes(to *State, g Group, k int, f func(*State) bool) bool {
	all := to.Nodes[g.Rest].Pods
	var choose func(i int, here, left Bag) bool
	choose = func(i int, here, left Bag) bool {
		if i == len(all) {
			next := to.Clone()
			next.EditNode(k).Pods = here
			next.EditNode(g.Rest).Pods = left
			return f(next)
		}
		for n := 0; n <= all[i].N; n++ {
			more := here.Add(all[i].Pod, n)
			if n > 0 && (!g.Fits(more) || mutation.On("reduction-strikes-empty-nodes")) {
				break
			}
			if !choose(i+1, more, left.Add(all[i].Pod, all[i].N-n)) {
				return false
			}
		}
		return true
	}
	return choose(0, nil, nil)
}
