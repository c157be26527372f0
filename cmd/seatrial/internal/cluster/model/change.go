package model

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
	upstream "github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/disruption"
)

// Evict asks the eviction API to delete a pod, and returns the state in which
// it does, with the budgets that let it. If a budget refuses, it returns nil
// unless forced, which only a deliberate mistake does.
func (w *World) Evict(s *State, at Place, p Pod, forced bool) (*State, []Ref) {
	admission := upstream.Evict(w.Pod(p, at, 0), w.Budgets(s))
	if !admission.Allowed && !forced {
		return nil, nil
	}
	to := s.Clone()
	var refs []Ref
	if admission.Update != nil {
		for i := range w.PDBs {
			if w.PDBs[i].Name() == w.Workloads[p.Work].Namespace+"/"+admission.PDB {
				to.EditPDB(i).Allowed = admission.Update.Status.DisruptionsAllowed
				refs = append(refs, w.BudgetSpec(s, i).Ref("spec", "allows the eviction"))
			}
		}
	}
	w.Delete(to, at, p, false)
	return to, refs
}

// Delete marks one pod as terminating in to, or removes it at once if there is
// no kubelet or no grace period to wait for.
func (w *World) Delete(to *State, at Place, p Pod, preempted bool) {
	w.DeleteAll(to, at, p, 1, preempted)
}

// DeleteAll is Delete of n pods that are alike.
func (w *World) DeleteAll(to *State, at Place, p Pod, n int, preempted bool) {
	w.takenAway(int(p.Work))
	bag := to.Bag(at).remove(p, n)
	if q, gone := w.deleted(at, p, preempted); !gone {
		bag = bag.Add(q, n)
	}
	to.SetBag(at, bag)
}

// deleted is p after its deletion; gone if there is no kubelet or no grace period
// to wait for.
func (w *World) deleted(at Place, p Pod, preempted bool) (q Pod, gone bool) {
	if at.Node < 0 || at.Nominated || p.Phase == Failed || !w.Workloads[p.Work].Revisions[p.Rev].Grace || mutation.On("pod-deletion-at-once") {
		return p, true
	}
	p.Unready()
	p.Terminating, p.Chosen, p.Preempted = true, false, preempted
	return p, false
}

// BecomeReady makes p Ready, and available unless it has to stay so for a while.
func (w *World) BecomeReady(p *Pod) {
	p.Ready = true
	p.EverReady = len(w.HPAs) > 0 // nobody else asks
	if w.Workloads[p.Work].Waits[0] == 0 {
		p.ReadyFor = 1
	}
}

// Unready makes p not Ready.
func (p *Pod) Unready() { p.Ready, p.ReadyFor = false, 0 }

// Restarted is p after its node came back: its containers start anew.
func Restarted(p Pod) Pod {
	if p.Phase == Running && !p.Terminating {
		p.Unready()
		p.Stage = 0
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
		return w.Set(p) == uint8(n-NeverRev)
	}
}
