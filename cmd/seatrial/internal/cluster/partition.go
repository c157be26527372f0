package cluster

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/rule"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

// partition divides the workloads into parts that share nothing but the nodes:
// no selector of one's affinity, spread, budget, autoscaler or service takes in
// pods of the other, and they want different host ports. It is one part where
// something looks at the cluster as a whole. Whether the nodes have room for all
// parts together is for the search to say (part.go).
func partition(w *model.World, asked []rule.Asked) [][]int {
	u := make(union, len(w.Workloads))
	for i := range u {
		u[i] = i
	}
	if whole(w, asked) {
		for i := range u {
			u.join(0, i)
		}
		return u.parts()
	}
	for i := range w.Workloads {
		for k := range w.Workloads {
			if i != k && selects(&w.Workloads[i], &w.Workloads[k]) {
				u.join(i, k)
			}
		}
	}
	for i := range w.PDBs {
		u.joinAll(w, func(k int) bool { return budgeted(w, i, k) })
	}
	for i := range w.HPAs {
		u.joinAll(w, func(k int) bool { return scaled(w, i, k) })
	}
	for _, s := range w.Services {
		selector := labels.SelectorFromSet(s.Spec.Selector)
		u.joinAll(w, func(k int) bool {
			return len(s.Spec.Selector) > 0 && s.Namespace == w.Workloads[k].Namespace && takes(selector, &w.Workloads[k])
		})
	}
	ports := map[corev1.ContainerPort]int{}
	for i := range w.Workloads {
		for _, p := range hostPorts(&w.Workloads[i]) {
			if k, ok := ports[p]; ok {
				u.join(k, i)
			}
			ports[p] = i
		}
	}
	return u.parts()
}

// whole tells whether something looks at all pods together: a descheduler, a
// crash rule, an actor, an event or a property of the user's own.
func whole(w *model.World, asked []rule.Asked) bool {
	if w.Descheduler != nil || len(w.Crash) > 0 || len(w.Own) > 0 || w.Distinct {
		return true
	}
	for _, p := range w.Scenario.Properties {
		if p.Name != "" {
			return true
		}
	}
	return slices.ContainsFunc(asked, func(a rule.Asked) bool { return a.Whole }) ||
		slices.ContainsFunc(w.Events, func(e model.EventSpec) bool { return e.Type == scenario.EventCustom })
}

// budgeted tells whether some version of budget i selects pods of workload k.
func budgeted(w *model.World, i, k int) bool {
	return slices.ContainsFunc(w.PDBs[i].Revisions, func(r model.PDBRevision) bool {
		return r.PDB.Namespace == w.Workloads[k].Namespace && takes(r.Selector, &w.Workloads[k])
	})
}

// scaled tells whether some version of autoscaler i has workload k for its target.
func scaled(w *model.World, i, k int) bool {
	return slices.ContainsFunc(w.HPAs[i].Revisions, func(r model.HPARevision) bool { return r.Work == k })
}

// selects tells whether a selector of a's takes in pods of b.
func selects(a, b *model.WorkloadSpec) bool {
	if a.Namespace == b.Namespace && a.Kind != "Pod" && takes(a.Selector, b) {
		return true
	}
	for _, r := range a.Revisions {
		for _, s := range podSelectors(&r.Pod.Spec) {
			if selector, err := metav1.LabelSelectorAsSelector(s); err != nil || takes(selector, b) {
				return true
			}
		}
	}
	return false
}

// takes tells whether a selector matches pods of a workload.
func takes(s labels.Selector, w *model.WorkloadSpec) bool {
	return slices.ContainsFunc(w.Revisions, func(r model.Revision) bool { return s.Matches(labels.Set(r.Pod.Labels)) })
}

// podSelectors are those of a pod's affinity terms and spread constraints.
func podSelectors(spec *corev1.PodSpec) []*metav1.LabelSelector {
	var out []*metav1.LabelSelector
	for _, c := range spec.TopologySpreadConstraints {
		out = append(out, c.LabelSelector)
	}
	terms := func(required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm) {
		for _, t := range required {
			out = append(out, t.LabelSelector)
		}
		for _, t := range preferred {
			out = append(out, t.PodAffinityTerm.LabelSelector)
		}
	}
	if a := spec.Affinity; a != nil {
		if a.PodAffinity != nil {
			terms(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution, a.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
		}
		if a.PodAntiAffinity != nil {
			terms(a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution, a.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
		}
	}
	return out
}

// hostPorts are the ports of the nodes that pods of a workload want, whatever
// the address.
func hostPorts(w *model.WorkloadSpec) []corev1.ContainerPort {
	var out []corev1.ContainerPort
	for _, r := range w.Revisions {
		for _, c := range append(slices.Clone(r.Pod.Spec.Containers), r.Pod.Spec.InitContainers...) {
			for _, p := range c.Ports {
				if p.HostPort > 0 {
					out = append(out, corev1.ContainerPort{HostPort: p.HostPort, Protocol: p.Protocol})
				}
			}
		}
	}
	return out
}

// union is a union-find over workloads; a part is named by its first member.
type union []int

func (u union) root(i int) int {
	for u[i] != i {
		i = u[i]
	}
	return i
}

func (u union) join(i, k int) {
	a, b := u.root(i), u.root(k)
	u[max(a, b)] = min(a, b)
}

// joinAll joins the workloads that satisfy in.
func (u union) joinAll(w *model.World, in func(int) bool) {
	first := -1
	for i := range w.Workloads {
		switch {
		case !in(i):
		case first < 0:
			first = i
		default:
			u.join(first, i)
		}
	}
}

func (u union) parts() [][]int {
	var out [][]int
	at := map[int]int{}
	for i := range u {
		r := u.root(i)
		k, ok := at[r]
		if !ok {
			k, at[r] = len(out), len(out)
			out = append(out, nil)
		}
		out[k] = append(out[k], i)
	}
	return out
}
