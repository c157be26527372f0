package model

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/hpa"
)

// State is what the API server holds and the machines are in, reduced to what
// behaviour depends on: no clock, no names of pods, no queues. Its parts are
// immutable and shared between states; the Edit methods copy before they
// change.
type State struct {
	Env   *Env
	Work  []*Workload
	HPA   []*Autoscaler
	PDB   []*Budget
	Nodes []*Node
	// Free are the pods that no node has been chosen for.
	Free Bag
}

// Env is the environment: what it may still do.
type Env struct {
	// Used counts how often each of World.Events has started.
	Used []uint8
	// Maintenance is 1 + the index of the maintenance event under way, or 0.
	Maintenance uint8
	// NodeEvent remembers for a property that a node was drained, cordoned,
	// uncordoned or lost. It acts on nothing.
	NodeEvent bool
}

// Workload is one controller of pods.
type Workload struct {
	// Exists is false before a create event.
	Exists bool
	// Replicas is spec.replicas, Rev the revision of the pod template.
	Replicas int32
	Rev      uint8
	// Settings indexes WorkloadSpec.Settings.
	Settings uint8
	// Before is the revision a rollback returns to.
	Before uint8
	// Applied is the manifest that was applied last, as far as the next apply makes
	// a difference of it.
	Applied uint8
	// Sets are the ReplicaSets by revision.
	Sets []Set
	// Load indexes World.Loads of this workload.
	Load uint16
	// Never is the scope of a never-ready event.
	Never Never

	// What follows remembers the past for a property and acts on nothing.

	// Rolling: a rollout or rollback has started and is not complete; 2 if all
	// replicas were available when it started.
	Rolling uint8
	// Excused: since the rollout started a node was lost or cordoned, or more
	// replicas were asked for.
	Excused bool
	// Reached is the largest promised number of available pods that has been
	// reached once.
	Reached int32
	// Baseline is 1 + spec.replicas at the last rest, or 0.
	Baseline int32
	// Peak: spec.replicas reached the HPA's maximum under the present load.
	Peak bool
	// Fallen: after the peak it fell by three or to the minimum.
	Fallen bool
}

// Never says which pods of a workload do not become Ready any more.
type Never uint8

// Scopes of Never: nothing, all pods, pods of revision Never-NeverRev.
const (
	NeverNone Never = iota
	NeverAll
	NeverRev
)

// Set is one ReplicaSet. Desired and Max are the annotations that the
// Deployment controller records for proportional scaling.
type Set struct {
	Exists bool
	// First: it was told to shrink when no other set of the Deployment had pods
	// to create, so the ReplicaSet controller comes to it first.
	First    bool
	Replicas int32
	Desired  int32
	Max      int32
	// Wait indexes WorkloadSpec.Waits: its minReadySeconds.
	Wait Span
	// Born orders the sets that were created since the start, from 1: some of what
	// the Deployment controller does begins with the oldest. It is 0 for the others,
	// which are older.
	Born uint8
}

// Bear makes set rev the youngest.
func (w *Workload) Bear(rev uint8) {
	w.Sets[rev].Born = 0
	w.closeRanks()
	youngest := uint8(0)
	for _, s := range w.Sets {
		youngest = max(youngest, s.Born)
	}
	w.Sets[rev].Born = youngest + 1
}

// Bury takes set rev away.
func (w *Workload) Bury(rev uint8) {
	w.Sets[rev] = Set{}
	w.closeRanks()
}

// closeRanks numbers the sets that were created from 1, so that what is the same order
// is the same state.
func (w *Workload) closeRanks() {
	for rank := uint8(1); ; rank++ {
		next := -1
		for r, s := range w.Sets {
			if s.Born >= rank && (next < 0 || s.Born < w.Sets[next].Born) {
				next = r
			}
		}
		if next < 0 {
			return
		}
		w.Sets[next].Born = rank
	}
}

// Autoscaler is one HorizontalPodAutoscaler.
type Autoscaler struct {
	Memory hpa.State
	// Reason is the index in Reasons of why it cannot act, 0 if it can.
	Reason uint8
	// Rev indexes its revisions, or is Absent.
	Rev uint8
}

// Budget is one PodDisruptionBudget: which revision it has, and its status.
type Budget struct {
	Allowed, Current, Desired, Expected int32
	// Rev indexes its revisions, or is Absent.
	Rev uint8
	// Stale: the status is older than the spec (observedGeneration).
	Stale bool
	// Unheard: the status was up to date until the number of pods that somebody wants
	// changed, of which the disruption controller hears with the next change of a pod.
	Unheard bool
}

// Taints that the node lifecycle controller manages.
type Taints uint8

// The managed taints.
const (
	TaintUnschedulable Taints = 1 << iota // node.kubernetes.io/unschedulable:NoSchedule
	TaintUnreachable                      // node.kubernetes.io/unreachable:NoSchedule
	TaintEvict                            // node.kubernetes.io/unreachable:NoExecute
	TaintNotReady                         // node.kubernetes.io/not-ready:NoSchedule
	TaintNotReadyEvict                    // node.kubernetes.io/not-ready:NoExecute
)

// NotReadyTaints are those of a node that is not Ready: other ones if its kubelet
// says so itself (Ready is False) than if it is silent (Ready is Unknown).
func (n *Node) NotReadyTaints() Taints {
	switch {
	case n.Ready:
		return 0
	case n.Reports:
		return TaintNotReady | TaintNotReadyEvict
	}
	return TaintUnreachable | TaintEvict
}

// Node is one machine and its Node object. It does not say which: nodes of one
// class are interchangeable.
type Node struct {
	// Up: the machine runs. Ready: its condition says so.
	Up, Ready bool
	// Reports: the kubelet itself says that the node is not Ready.
	Reports       bool
	Unschedulable bool
	Taints        Taints
	Drain         Drain
	// Maintained: the maintenance under way has had its turn here.
	Maintained bool
	// Event is 1 + the event that drained, cordoned or lost the node.
	Event uint8
	// Crashed: down by the crash rule.
	Crashed bool
	// Sick is 1 + the never-ready event that strikes the pods on this node.
	Sick uint8
	Pods Bag
	// Nominated are pending pods for which a preemption makes room here.
	Nominated Bag
}

// Drain is how far a drain has come.
type Drain uint8

// A node is not drained, being emptied, or empty and still cordoned.
const (
	DrainNone Drain = iota
	Draining
	Drained
)

// Clone returns a state that shares all parts with s.
func (s *State) Clone() *State {
	t := *s
	t.Work = slices.Clone(s.Work)
	t.HPA = slices.Clone(s.HPA)
	t.PDB = slices.Clone(s.PDB)
	t.Nodes = slices.Clone(s.Nodes)
	return &t
}

// EditEnv gives s an Env of its own and returns it.
func (s *State) EditEnv() *Env {
	e := *s.Env
	e.Used = slices.Clone(e.Used)
	s.Env = &e
	return &e
}

// EditWork gives s a workload i of its own and returns it.
func (s *State) EditWork(i int) *Workload {
	w := *s.Work[i]
	w.Sets = slices.Clone(w.Sets)
	s.Work[i] = &w
	return &w
}

// EditHPA gives s an autoscaler i of its own and returns it.
func (s *State) EditHPA(i int) *Autoscaler {
	h := *s.HPA[i]
	s.HPA[i] = &h
	return &h
}

// EditPDB gives s a budget i of its own and returns it.
func (s *State) EditPDB(i int) *Budget {
	b := *s.PDB[i]
	s.PDB[i] = &b
	return &b
}

// EditNode gives s a node i of its own and returns it. Its bags are immutable
// and are replaced, not changed.
func (s *State) EditNode(i int) *Node {
	n := *s.Nodes[i]
	s.Nodes[i] = &n
	return &n
}

// flags packs booleans into a byte, the first in the lowest bit; at most eight.
func flags(fs ...bool) byte {
	var b byte
	for i, f := range fs {
		if f {
			b |= 1 << i
		}
	}
	return b
}

func (b Bag) encode(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(b)))
	for _, c := range b {
		dst = binary.AppendUvarint(dst, c.Bits())
		dst = binary.AppendUvarint(dst, uint64(c.N))
	}
	return dst
}

// Each component's encoding starts with a byte of its own, so that components
// of different kinds never share bytes.
func (e *Env) encode(dst []byte) []byte {
	dst = append(dst, 'E', e.Maintenance, flags(e.NodeEvent))
	return append(dst, e.Used...)
}

func (w *Workload) encode(dst []byte) []byte {
	dst = append(dst, 'W', flags(w.Exists, w.Excused, w.Peak, w.Fallen), w.Rolling, w.Rev, w.Settings, w.Before, w.Applied, byte(w.Never))
	dst = binary.AppendVarint(dst, int64(w.Replicas))
	dst = binary.AppendVarint(dst, int64(w.Baseline))
	dst = binary.AppendVarint(dst, int64(w.Reached))
	dst = binary.AppendUvarint(dst, uint64(w.Load))
	for _, s := range w.Sets {
		dst = append(dst, flags(s.Exists, s.First), byte(s.Wait), s.Born)
		for _, v := range []int32{s.Replicas, s.Desired, s.Max} {
			dst = binary.AppendVarint(dst, int64(v))
		}
	}
	return dst
}

func (a *Autoscaler) encode(dst []byte) []byte {
	return fmt.Appendf(append(dst, 'H', a.Reason, a.Rev), "%v", a.Memory)
}

func (b *Budget) encode(dst []byte) []byte {
	dst = append(dst, 'B', b.Rev, flags(b.Stale, b.Unheard))
	for _, v := range []int32{b.Allowed, b.Current, b.Desired, b.Expected} {
		dst = binary.AppendVarint(dst, int64(v))
	}
	return dst
}

func (n *Node) encode(dst []byte) []byte {
	dst = append(dst, 'N', flags(n.Up, n.Ready, n.Unschedulable, n.Maintained, n.Crashed, n.Reports), byte(n.Taints), byte(n.Drain), n.Event, n.Sick)
	dst = n.Pods.encode(dst)
	return n.Nominated.encode(dst)
}

// Surplus is how many pods of a revision of workload i are active beyond the
// number that its ReplicaSet wants; negative if pods are missing.
func (w *World) Surplus(s *State, i int, rev uint8) int {
	wanted := s.Work[i].Sets[rev].Replicas
	if w.Workloads[i].Kind == "ReplicaSet" {
		wanted = s.Work[i].Replicas // its own spec.replicas, which an autoscaler writes
	}
	return s.Count(func(_ Place, p Pod) bool { return int(p.Work) == i && w.Set(p) == rev && p.Active() }) - int(wanted)
}

// Revs are the revisions whose ReplicaSets exist.
func (w *Workload) Revs() []uint8 {
	var out []uint8
	for r, set := range w.Sets {
		if set.Exists {
			out = append(out, uint8(r))
		}
	}
	return out
}
