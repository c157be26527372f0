package model

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"

	upstream "github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/disruption"
)

// BudgetStatus is budget i with what the disruption controller would write.
func (w *World) BudgetStatus(s *State, i int) Budget {
	spec := w.BudgetSpec(s, i)
	if spec == nil {
		return *s.PDB[i]
	}
	status := w.recounted(s, i, spec)
	if w.Reduced != nil {
		status.Expected = counted(status.Expected)
	}
	return status
}

// recounted is what the disruption controller would make of budget i, which says spec.
func (w *World) recounted(s *State, i int, spec *PDBRevision) Budget {
	if w.Kube == nil || !w.Kube.Remembers() {
		return w.askBudget(s, i, w.Pods(s, func(_ Place, p Pod) bool { return w.covers(spec, p) }))
	}
	var pods [16]PodCount
	counts := w.covered(s, spec, pods[:0])
	var room [128]byte
	key := append(binary.AppendUvarint(room[:0], uint64(i)), s.PDB[i].Rev)
	for k, c := range counts {
		key = binary.AppendUvarint(key, c.Bits())
		key = binary.AppendUvarint(key, uint64(c.N))
		if work := &w.Workloads[c.Work]; k == 0 || counts[k-1].Work != c.Work {
			key = append(key, flags(s.Work[c.Work].Exists))
			key = binary.AppendVarint(key, int64(s.Work[c.Work].Replicas))
			if work.Held != "" {
				key = binary.AppendVarint(key, int64(*work.Deployment.Spec.Replicas))
			}
		}
	}
	return w.Kube.Remember(AskBudget, false, key, func() any {
		var named []Named
		for _, c := range counts {
			for n := range c.N {
				named = append(named, Named{Unassigned, c.Pod, w.Pod(c.Pod, Unassigned, n)})
			}
		}
		return w.askBudget(s, i, named)
	}).(Budget)
}

// unheard tells whether after a step the disruption controller has not heard that
// budget i is to be counted anew: how many pods are wanted is another number than when
// it counted, and no pod of the budget and nothing of itself has changed since.
func (x *Turn) unheard(to *State, i int) bool {
	spec := x.BudgetSpec(to, i)
	before, after := *x.State.PDB[i], *to.PDB[i]
	was := before.Unheard
	before.Unheard, after.Unheard = false, false
	if spec == nil || before != after || x.changes(to, spec) || x.BudgetStatus(to, i) == after {
		return false
	}
	return was || x.BudgetStatus(x.State, i) == before
}

// changes tells whether a step to a state changes a pod that a version of a budget
// selects, or where it is, for all to see.
func (x *Turn) changes(to *State, spec *PDBRevision) bool {
	var before, after [16]placed
	return !slices.Equal(x.placed(x.State, spec, before[:0]), x.placed(to, spec, after[:0]))
}

// placed are equal pods of one place.
type placed struct {
	at Place
	PodCount
}

func (w *World) placed(s *State, spec *PDBRevision, out []placed) []placed {
	s.Each(func(at Place, c PodCount) {
		if !w.covers(spec, c.Pod) {
			return
		}
		// What nobody can see is no news: a list of the descheduler, load, time.
		c.Chosen, c.Stage, c.ReadyFor = false, 0, 0
		if k := slices.IndexFunc(out, func(p placed) bool { return p.at == at && p.Pod == c.Pod }); k >= 0 {
			out[k].N += c.N
		} else {
			out = append(out, placed{at, c})
		}
	})
	slices.SortFunc(out, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.at.Node, b.at.Node), cmp.Compare(flags(a.at.Nominated), flags(b.at.Nominated)), cmp.Compare(a.Bits(), b.Bits()))
	})
	return out
}

// covered appends the pods that a version of a budget selects, wherever they are,
// counted and sorted.
func (w *World) covered(s *State, spec *PDBRevision, out Bag) Bag {
	s.Each(func(_ Place, c PodCount) {
		if !w.covers(spec, c.Pod) {
			return
		}
		if k, found := out.find(c.Pod); found {
			out[k].N += c.N
		} else {
			out = slices.Insert(out, k, c)
		}
	})
	return out
}

// askBudget is budget i with what the disruption controller would write for the pods
// that it selects.
func (w *World) askBudget(s *State, i int, pods []Named) Budget {
	byName := map[string]Pod{}
	for _, p := range pods {
		byName[p.Object.Name] = p.Pod
	}
	scale := func(o *corev1.Pod) (string, int32, bool) {
		work := byName[o.Name].Work
		switch spec := &w.Workloads[work]; {
		case spec.Held != "" && !unscaled[spec.Held]:
			return fmt.Sprint(work), *spec.Deployment.Spec.Replicas, true
		case spec.Kind == "Pod", !s.Work[work].Exists:
			return "", 0, false
		}
		return fmt.Sprint(work), s.Work[work].Replicas, true
	}
	status := upstream.Status(w.BudgetSpec(s, i).PDB, Objects(pods), scale)
	return Budget{
		Allowed: status.DisruptionsAllowed, Current: status.CurrentHealthy,
		Desired: status.DesiredHealthy, Expected: status.ExpectedPods, Rev: s.PDB[i].Rev,
	}
}

// unscaled are the kinds of controllers that are left out and have no scale, so
// that the disruption controller knows of no number that their pods should be.
var unscaled = map[string]bool{"DaemonSet": true, "Job": true, StaticPod: true}

// Covers tells whether budget i is there and selects pods like p.
func (w *World) Covers(s *State, i int, p Pod) bool {
	spec := w.BudgetSpec(s, i)
	return spec != nil && w.covers(spec, p)
}

// MayCover tells whether any version of budget i selects pods like p.
func (w *World) MayCover(i int, p Pod) bool {
	return slices.ContainsFunc(w.PDBs[i].Revisions, func(r PDBRevision) bool { return w.covers(&r, p) })
}

func (w *World) covers(spec *PDBRevision, p Pod) bool {
	work := &w.Workloads[p.Work]
	return spec.PDB.Namespace == work.Namespace && spec.Selector.Matches(labelsOf(&work.Revisions[p.Rev]))
}

// Budget returns budget i, which is there, as an object with its present status.
func (w *World) Budget(s *State, i int) *policyv1.PodDisruptionBudget {
	o := *w.BudgetSpec(s, i).PDB
	b := s.PDB[i]
	observed := o.Generation
	if b.Stale {
		o.Generation++
	}
	o.Status = policyv1.PodDisruptionBudgetStatus{
		ObservedGeneration: observed,
		DisruptionsAllowed: b.Allowed, CurrentHealthy: b.Current, DesiredHealthy: b.Desired, ExpectedPods: b.Expected,
	}
	return &o
}

// Budgets returns all budgets that are there.
func (w *World) Budgets(s *State) []*policyv1.PodDisruptionBudget {
	out := make([]*policyv1.PodDisruptionBudget, 0, len(w.PDBs))
	for i := range w.PDBs {
		if s.PDB[i].Rev != Absent {
			out = append(out, w.Budget(s, i))
		}
	}
	return out
}
