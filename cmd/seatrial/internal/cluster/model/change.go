package model

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/controller/deployment/util"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	upstream "github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/disruption"
)

// Delete marks one pod as terminating in to, or removes it at once if there is
// no kubelet or no grace period to wait for.
func (w *World) Delete(to *State, at Place, p Pod, preempted bool) {
	bag := to.Bag(at)
	if at.Node < 0 || at.Nominated || p.Phase == Failed || !w.Workloads[p.Work].Revisions[p.Rev].Grace || mutation.On("pod-deletion-at-once") {
		to.SetBag(at, bag.Remove(p))
		return
	}
	q := p
	q.Terminating, q.Ready, q.Available, q.Chosen, q.Preempted = true, false, false, false, preempted
	to.SetBag(at, bag.Replace(p, q))
}

// BecomeReady makes p Ready, and available unless it has to stay so for a while.
func (w *World) BecomeReady(p *Pod) {
	p.Ready = true
	p.EverReady = len(w.HPAs) > 0 // nobody else asks
	p.Available = w.Workloads[p.Work].Deployment.Spec.MinReadySeconds == 0
}

// Restarted is p after its node came back: its containers start anew.
func Restarted(p Pod) Pod {
	if p.Phase == Running && !p.Terminating {
		p.Ready, p.Available, p.Stage = false, false, 0
	}
	return p
}

// NeverReady tells whether p, on a node, is in the scope of a never-ready event.
func (w *World) NeverReady(s *State, p Pod, node int) bool {
	if sick := s.Nodes[node].Sick; sick > 0 && slices.Contains(w.Events[sick-1].Works, int(p.Work)) {
		return true
	}
	switch n := s.Work[p.Work].Never; n {
	case NeverNone:
		return false
	case NeverAll:
		return true
	default:
		return p.Rev == uint8(n-NeverRev)
	}
}

// PlaceOf finds a node by name.
func (w *World) PlaceOf(name string) Place {
	for i := range w.Nodes {
		if w.Nodes[i].Node.Name == name {
			return Place{Node: i}
		}
	}
	return Unassigned
}

// RuleCovers tells whether the crash rule is about node i.
func (w *World) RuleCovers(rule *scenario.NodeCrash, i int) bool {
	return len(rule.Nodes) == 0 || w.named(rule.Nodes, i)
}

// named tells whether the list has the node's name or its pool's.
func (w *World) named(names []string, i int) bool {
	for _, n := range names {
		if n == w.Nodes[i].Node.Name || n == w.Pools[w.Nodes[i].Pool] {
			return true
		}
	}
	return false
}

// BudgetStatus is what the disruption controller would write for budget i.
func (w *World) BudgetStatus(s *State, i int) Budget {
	spec := &w.PDBs[i]
	pods := w.Pods(s, func(_ Place, p Pod) bool { return w.Covers(i, p) })
	byName := map[string]Pod{}
	for _, p := range pods {
		byName[p.Object.Name] = p.Pod
	}
	scale := func(o *corev1.Pod) (string, int32, bool) {
		work := byName[o.Name].Work
		if w.Workloads[work].Kind == "Pod" {
			return "", 0, false
		}
		return fmt.Sprint(work), s.Work[work].Replicas, true
	}
	status := upstream.Status(spec.PDB, Objects(pods), scale)
	return Budget{
		Allowed: status.DisruptionsAllowed, Current: status.CurrentHealthy,
		Desired: status.DesiredHealthy, Expected: status.ExpectedPods,
	}
}

// Covers tells whether budget i selects pods like p.
func (w *World) Covers(i int, p Pod) bool {
	spec, work := &w.PDBs[i], &w.Workloads[p.Work]
	return spec.PDB.Namespace == work.Namespace && spec.Selector.Matches(labelsOf(&work.Revisions[p.Rev]))
}

// ReasonID numbers why an autoscaler cannot act.
func ReasonID(reason string) uint8 {
	for i, r := range Reasons {
		if r == reason {
			return uint8(i)
		}
	}
	return uint8(len(Reasons) - 1) // "other"
}

// Sites says how many pods of whom are where: "2 pods on a1, 1 pod on b1".
func (w *World) Sites(pods []Named) string {
	var order []string
	count := map[string]int{}
	works := map[uint16]bool{}
	for _, p := range pods {
		works[p.Pod.Work] = true
	}
	for _, p := range pods {
		where := "without a node"
		if p.At.Node >= 0 {
			where = "on " + w.Nodes[p.At.Node].Node.Name
		}
		if len(works) > 1 {
			where = "of " + w.Workloads[p.Pod.Work].Object() + " " + where
		}
		if count[where] == 0 {
			order = append(order, where)
		}
		count[where]++
	}
	for i, where := range order {
		unit := "pods"
		if count[where] == 1 {
			unit = "pod"
		}
		order[i] = fmt.Sprintf("%d %s %s", count[where], unit, where)
	}
	return strings.Join(order, ", ")
}

// String names managed taints as kubectl does.
func (t Taints) String() string {
	var out []string
	for _, m := range managedTaints {
		if t&m.bit != 0 {
			out = append(out, m.taint.Key+":"+string(m.taint.Effect))
		}
	}
	return strings.Join(out, ", ")
}

// InitialNode is node i as the input has it: what its conditions say, its
// machine running if it is Ready.
func (w *World) InitialNode(i int) *Node {
	spec := w.Nodes[i].Node
	n := &Node{Up: true, Ready: true, Unschedulable: spec.Spec.Unschedulable}
	for _, c := range spec.Status.Conditions {
		if c.Type == corev1.NodeReady && c.Status != corev1.ConditionTrue {
			n.Up, n.Ready = false, false
			n.Taints |= TaintUnreachable | TaintEvict
		}
	}
	if n.Unschedulable {
		n.Taints |= TaintUnschedulable
	}
	return n
}

// Recorded are the annotations that the Deployment controller has put on the
// ReplicaSets of a Deployment at rest.
func Recorded(d *appsv1.Deployment) (desired, limit int32) {
	return *d.Spec.Replicas, *d.Spec.Replicas + util.MaxSurge(*d)
}

// Surplus is how many pods of a revision of workload i are active beyond the
// number that its ReplicaSet wants; negative if pods are missing.
func (w *World) Surplus(s *State, i int, rev uint8) int {
	wanted := s.Work[i].Sets[rev].Replicas
	if w.Workloads[i].Kind == "ReplicaSet" {
		wanted = s.Work[i].Replicas // its own spec.replicas, which an autoscaler writes
	}
	return s.Count(func(_ Place, p Pod) bool { return int(p.Work) == i && p.Rev == rev && p.Active() }) - int(wanted)
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
