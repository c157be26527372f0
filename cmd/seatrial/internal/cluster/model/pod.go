package model

import (
	"cmp"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
)

// Phase is a pod's phase, reduced to those the model tells apart.
type Phase uint8

// Pending pods have not started (bound or not), Running ones have, Failed ones
// were rejected by the kubelet or ended and stay as objects until deleted.
const (
	Pending Phase = iota
	Running
	Failed
)

// String is the phase as the API spells it.
func (p Phase) String() string { return [...]string{"Pending", "Running", "Failed"}[p] }

// Pod is everything behaviour depends on in one pod but for the node it is on,
// which is the bag's owner. Equal pods on one node are interchangeable and only
// counted.
type Pod struct {
	// Work indexes World.Workloads, Rev the workload's Revisions.
	Work uint16
	Rev  uint8

	Phase Phase
	Ready bool
	// ReadyFor says how long it has been Ready: World.Available.
	ReadyFor    Span
	EverReady   bool
	Terminating bool
	// Crashing pods restart for ever and do not become Ready again.
	Crashing bool
	// Preempted pods are Terminating to make room for another.
	Preempted bool
	// Chosen pods are in the list a descheduling cycle is about to evict.
	Chosen bool
	// Stage is the phase of the start-up load profile.
	Stage uint8
	// Restarts saturates at SaturatedRestarts.
	Restarts uint8
	// ID tells pods apart if World.Distinct; otherwise it is 0.
	ID uint8
}

// Span is a time in terms of the values that the minReadySeconds of a workload
// may have: how many of WorkloadSpec.Waits it is as long as.
type Span uint8

// SpanMax is the longest Span that a pod holds.
const SpanMax = 32

// Saturation keeps counts that only grow from making every state new: of
// restarts, of Failed pods, and of pods that were deleted before they started
// and that a slow kubelet, or a dead one, has not removed yet.
const (
	SaturatedRestarts = 2
	SaturatedPods     = 2
)

// Saturates tells whether the pods like p are counted up to SaturatedPods only.
func (p Pod) Saturates() bool { return p.Phase == Failed || p.Phase == Pending && p.Terminating }

// Active tells whether a ReplicaSet counts the pod: not Failed, not terminating.
func (p Pod) Active() bool {
	return (p.Phase != Failed || mutation.On("replicaset-counts-failed")) && !p.Terminating
}

// Holds tells whether the pod takes room on its node: all but Failed ones.
func (p Pod) Holds() bool { return p.Phase != Failed }

// PodCount is a number of equal pods.
type PodCount struct {
	Pod
	N int
}

// Bag is a multiset of pods, sorted, without empty entries. A Bag is immutable:
// Add and Remove return a new one.
type Bag []PodCount

// Add returns b with n more of p; those that saturate do.
func (b Bag) Add(p Pod, n int) Bag {
	if n <= 0 {
		return b
	}
	if p.Saturates() {
		p.ID = 0 // they are counted in any model
	}
	i, found := b.find(p)
	out := slices.Clone(b)
	if found {
		out[i].N += n
	} else {
		out = slices.Insert(out, i, PodCount{p, n})
	}
	if p.Saturates() {
		out[i].N = min(out[i].N, SaturatedPods)
	}
	return out
}

// Remove returns b with one p less; p must be in b.
func (b Bag) Remove(p Pod) Bag { return b.remove(p, 1) }

// remove returns b with n of p less; as many must be in b.
func (b Bag) remove(p Pod, n int) Bag {
	i, found := b.find(p)
	if !found || b[i].N < n {
		panic("model: pod not in bag")
	}
	out := slices.Clone(b)
	if out[i].N -= n; out[i].N == 0 {
		out = slices.Delete(out, i, i+1)
	}
	return out
}

// Replace returns b with one p turned into q.
func (b Bag) Replace(p, q Pod) Bag {
	if p == q {
		return b
	}
	return b.Remove(p).Add(q, 1)
}

// Map returns b with f applied to every pod.
func (b Bag) Map(f func(Pod) Pod) Bag {
	var out Bag
	for _, c := range b {
		out = out.Add(f(c.Pod), c.N)
	}
	return out
}

// Count sums the pods with pred.
func (b Bag) Count(pred func(Pod) bool) int {
	n := 0
	for _, c := range b {
		if pred(c.Pod) {
			n += c.N
		}
	}
	return n
}

// find is where p is in the bag, or where it would be.
func (b Bag) find(p Pod) (int, bool) {
	return slices.BinarySearchFunc(b, p.Bits(), func(c PodCount, bits uint64) int { return cmp.Compare(c.Bits(), bits) })
}

// Bits packs a pod into one word; the packing is the sort order and the
// canonical encoding.
func (p Pod) Bits() uint64 {
	w := uint64(p.Work)<<24 | uint64(p.Rev)<<16 | uint64(p.Stage)<<40 | uint64(p.Restarts)<<48 | uint64(p.ID)<<56
	w |= uint64(p.Phase)
	for i, f := range []bool{p.Ready, p.ReadyFor > 0, p.EverReady, p.Terminating, p.Crashing, p.Chosen, p.Preempted} {
		if f {
			w |= 1 << (4 + i)
		}
	}
	if p.ReadyFor > 1 {
		w |= uint64(p.ReadyFor-1) << 11
	}
	return w
}
