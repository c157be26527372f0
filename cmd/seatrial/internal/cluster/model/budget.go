package model

import (
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
	pods := w.Pods(s, func(_ Place, p Pod) bool { return w.covers(spec, p) })
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
	status := upstream.Status(spec.PDB, Objects(pods), scale)
	if w.Reduced != nil {
		status.ExpectedPods = counted(status.ExpectedPods)
	}
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
