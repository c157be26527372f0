package model

import (
	"encoding/binary"
	"math"

	corev1 "k8s.io/api/core/v1"

	upstream "github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/kubelet"
)

// Admission is what a kubelet says to a pod that is bound to its node: OK, or why not.
type Admission struct {
	OK              bool
	Reason, Message string
}

// admittedBits are the fields of the pods that run on a node that a kubelet reads.
var admittedBits = Pod{Work: math.MaxUint16, Rev: math.MaxUint8}.Bits()

// Admit says whether the kubelet of a node starts p, which is bound to it. It counts
// what runs on the node now, terminating pods included, whatever the scheduler
// thought.
func (k *Kube) Admit(w *World, s *State, node int, p Pod) Admission {
	n := s.Nodes[node]
	if !k.Remembers() {
		others := w.Pods(s, func(at Place, p Pod) bool { return at.Node == node && !at.Nominated && runs(p) })
		return askAdmission(w.Pod(p, Place{Node: node}, 0), w.Node(node, n), others)
	}
	first := w.firstAlike(node)
	var room [128]byte
	key := binary.AppendUvarint(room[:0], uint64(first))
	key = append(key, flags(n.Ready, n.Unschedulable, n.Reports), byte(n.Taints))
	key = binary.AppendUvarint(key, p.Bits()&admittedBits)
	key = appendCounts(key, n.Pods, runs, admittedBits)
	return k.Remember(AskAdmission, true, key, func() any {
		pod := w.Pod(Pod{Work: p.Work, Rev: p.Rev}, Place{Node: first}, 0)
		return askAdmission(pod, w.Node(first, n), w.running(n, first))
	}).(Admission)
}

func askAdmission(pod *corev1.Pod, node *corev1.Node, others []Named) Admission {
	var a Admission
	a.OK, a.Reason, a.Message = upstream.Admit(pod, node, Objects(others))
	return a
}

// running are the pods that run on n, as those of node i without what a kubelet does
// not read of them.
func (w *World) running(n *Node, i int) []Named {
	var bag Bag
	for _, c := range n.Pods {
		if runs(c.Pod) {
			bag = bag.Add(Pod{Work: c.Work, Rev: c.Rev, Phase: Running}, c.N)
		}
	}
	var out []Named
	for _, c := range bag {
		for k := range c.N {
			out = append(out, Named{Place{Node: i}, c.Pod, w.Pod(c.Pod, Place{Node: i}, k)})
		}
	}
	return out
}

func runs(p Pod) bool { return p.Phase == Running }

// firstAlike is the first of the nodes that are interchangeable with node i.
func (w *World) firstAlike(i int) int {
	for i > 0 && w.Nodes[i-1].Class == w.Nodes[i].Class {
		i--
	}
	return i
}
