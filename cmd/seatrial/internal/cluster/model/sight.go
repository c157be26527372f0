package model

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
)

// sight is what the scheduler sees of a state, with the nodes of each class in an
// order of their own, so that states that differ in nothing else are one question.
// It reads nothing that its key does not hold.
type sight struct {
	// key is nil if nobody looked.
	key []byte
	at  Place
	// order is which node of the state stands where; nil if each is in its place.
	order []int
}

// sightRoom is memory for a sight, which a caller has on its stack.
type sightRoom struct {
	key   [384]byte
	nodes [256]byte
	ends  [16]int
	order [16]int
}

// look is what the scheduler sees of s for pod p, pending at a place.
func look(w *World, s *State, at Place, p Pod, room *sightRoom) sight {
	v := sight{at: at}
	nodes, ends := room.nodes[:0], room.ends[:0]
	for i, n := range s.Nodes {
		nodes = append(nodes, flags(n.Up, n.Ready, n.Unschedulable, n.Reports, w.Vacant(s, i)), byte(n.Taints))
		nodes = n.Nominated.encode(appendCounts(nodes, n.Pods, Pod.Holds, seenBits))
		ends = append(ends, len(nodes))
	}
	of := func(i int) []byte {
		if i == 0 {
			return nodes[:ends[0]]
		}
		return nodes[ends[i-1]:ends[i]]
	}
	order := room.order[:0]
	for i := range s.Nodes {
		order = append(order, i)
		for j := i; j > 0 && !w.Distinct && w.Nodes[j-1].Class == w.Nodes[i].Class && bytes.Compare(of(order[j-1]), of(order[j])) > 0; j-- {
			order[j-1], order[j] = order[j], order[j-1]
			v.order = order
		}
	}
	if v.order != nil {
		v.order = order // all of it
		if at.Node >= 0 {
			v.at.Node = slices.Index(order, at.Node)
		}
	}
	v.key = askedKey(append(room.key[:0], flags(w.shared(), w.Reduced != nil, w.Reduced.Merges())), s, v.at, p)
	for _, i := range order {
		v.key = append(v.key, of(i)...)
	}
	return v
}

// state is what is seen of s, and nothing else of it but which ReplicaSets exist; all
// of it if nobody looked.
func (v *sight) state(w *World, s *State) *State {
	if v.key == nil {
		return s
	}
	t := &State{Work: s.Work, Nodes: make([]*Node, len(s.Nodes))}
	for j := range t.Nodes {
		n := s.Nodes[v.stands(j)]
		t.Nodes[j] = &Node{
			Up: n.Up, Ready: n.Ready, Unschedulable: n.Unschedulable, Reports: n.Reports, Taints: n.Taints,
			Pods: seen(n.Pods), Nominated: n.Nominated, // p may be one of these
		}
		if w.Nodes[j].Slot && !w.Vacant(s, v.stands(j)) {
			t.Nodes[j].Event = 1 // something has happened to it
		}
	}
	return t
}

// stands is which node of the state stands at a place.
func (v *sight) stands(j int) int {
	if v.order == nil {
		return j
	}
	return v.order[j]
}

// back is a decision about the nodes of the state.
func (v *sight) back(d Decision) Decision {
	if v.order == nil {
		return d
	}
	nodes := make([]int, len(d.Nodes))
	for k, j := range d.Nodes {
		nodes[k] = v.order[j]
	}
	slices.Sort(nodes)
	d.Nodes, d.order = nodes, slices.Clone(v.order)
	return d
}

// seenBits are the fields of a pod on a node that scheduler plugins read. The
// phase is not among them: all run, so that no count saturates and each takes its
// room.
var seenBits = Pod{Work: math.MaxUint16, Rev: math.MaxUint8, Terminating: true, Preempted: true, ID: math.MaxUint8}.Bits()

// appendCounts adds the pods of a bag that keep admits to a key, counted by some of
// their bits.
func appendCounts(key []byte, bag Bag, keep func(Pod) bool, some uint64) []byte {
	type count struct {
		bits uint64
		n    int
	}
	var room [8]count
	list := room[:0]
next:
	for _, c := range bag {
		if !keep(c.Pod) {
			continue
		}
		bits := c.Bits() & some
		at := len(list)
		for i := range list {
			if list[i].bits == bits {
				list[i].n += c.N
				continue next
			}
			if list[i].bits > bits {
				at = min(at, i)
			}
		}
		list = slices.Insert(list, at, count{bits, c.N})
	}
	key = binary.AppendUvarint(key, uint64(len(list)))
	for _, c := range list {
		key = binary.AppendUvarint(key, c.bits)
		key = binary.AppendUvarint(key, uint64(c.n))
	}
	return key
}

// seen drops from a bag what no scheduler plugin reads.
func seen(bag Bag) Bag {
	var out Bag
	for _, c := range bag {
		if c.Holds() {
			out = out.Add(Pod{Work: c.Work, Rev: c.Rev, Phase: Running, Terminating: c.Terminating, Preempted: c.Preempted, ID: c.ID}, c.N)
		}
	}
	return out
}
