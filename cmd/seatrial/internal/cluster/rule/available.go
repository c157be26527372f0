package rule

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	Rule: finding.Rule{
		ID: "SEA1004", Name: "available", OnRequest: true,
		Title: "fewer pods are available than promised",
		Fails: "examples/cases/kivi-c6/bad", Holds: "examples/cases/kivi-c6/good",
		Means:   "At least k pods of the workload are available: always once that many have been (the default), or whenever the cluster is at rest (when: rest). The parameter atLeast is k; without it, k is the autoscaler's minReplicas, or one less than spec.replicas.",
		Excuses: "Before k pods have been available for the first time, fewer do not count; with when: rest, what is passed through on the way does not. If another number is promised, it has to be reached first again.",
		Why: `Each way to lose a pod has a limit of its own, or none, and nothing bounds their sum. A disruption budget restrains evictions: drains, the descheduler. maxUnavailable restrains a rollout. A lost node, a scale-down, preemption and strategy Recreate ask neither. Without a budget, a drain evicts all pods of a node at once, and after a first drain they may all be on one node: nothing moves them back.

An apply that leaves out a field which the last one set takes it away, and the default comes back: spec.replicas is 1 then, however high an autoscaler went.`,
		Mend: []string{
			"Add a PodDisruptionBudget with maxUnavailable: 1 that selects the pods.",
			"Have more replicas than are promised (spec.replicas, minReplicas): as many more as can be gone at a time.",
			"Spread them, so that a node takes one of them with it: topologySpreadConstraints or podAntiAffinity over kubernetes.io/hostname.",
			"Use strategy RollingUpdate with maxUnavailable: 0 in the place of Recreate.",
			"With an autoscaler, take spec.replicas out of what was applied last (kubectl apply edit-last-applied), and only then out of the manifest.",
		},
		Links: []finding.Link{
			{Title: "Disruptions", URL: "https://kubernetes.io/docs/concepts/workloads/pods/disruptions/"},
			{Title: "Migrating Deployments to horizontal autoscaling", URL: "https://kubernetes.io/docs/concepts/workloads/autoscaling/horizontal-pod-autoscale/#migrating-deployments-and-statefulsets-to-horizontal-autoscaling"},
			{Title: "kubernetes#66385: an apply scales below the autoscaler's minimum", URL: "https://github.com/kubernetes/kubernetes/issues/66385"},
			{Title: "kubernetes#105661: a spread that gets lost in a rollout", URL: "https://github.com/kubernetes/kubernetes/issues/105661"},
		},
	},
	Takes: []string{"workload", "atLeast", "when"},
	Watch: func(w *model.World, p *scenario.Property) {
		if p.When == "rest" {
			return
		}
		c := Context{Vector: &model.Vector{World: w}, Property: *p}
		if w.Watched.AtLeast == nil {
			w.Watched.AtLeast = map[int][]int32{}
		}
		for _, i := range c.works() {
			w.Watched.AtLeast[i] = append(w.Watched.AtLeast[i], c.promises(i)...)
		}
	},
	Claims: func(c *Context) []Claim {
		var out []Claim
		for _, i := range c.works() {
			all := slices.DeleteFunc(c.promises(i), func(k int32) bool { return k < 1 })
			if len(all) == 0 {
				continue
			}
			w, least := &c.World.Workloads[i], int(slices.Min(all))
			promised := c.promised(i)
			enough := func(ids IDs) bool { return c.World.AvailableOf(c.Decode(ids), i) >= promised(ids) }
			reached := fmt.Sprintf("%d pods of %s available", least, w.Object())
			witnesses := append([]Witness{{reached, statespace.Sometimes(reached, func(ids IDs) bool { return c.World.AvailableOf(c.Decode(ids), i) >= least })}}, c.events()...)
			claim := c.claim(w.Object(), func(name string) statespace.Property[IDs] {
				if c.Property.When == "rest" {
					return statespace.AtRest(name, func(ids IDs) bool { return !c.Work(ids, i).Exists || enough(ids) })
				}
				return statespace.Always(name, func(ids IDs) bool { return int(c.Work(ids, i).Reached) < promised(ids) || enough(ids) })
			}, witnesses...)
			claim.Message = func(s *model.State) string {
				return fmt.Sprintf("of %s %d available, %d promised", w.Object(), c.World.AvailableOf(s, i), c.atLeast(s, i))
			}
			claim.Refs = func(s *model.State) []model.Ref { return c.promiseRefs(s, i) }
			out = append(out, claim)
		}
		return out
	},
})

// atLeast is how many pods of workload i are promised to be available in s.
func (c *Context) atLeast(s *model.State, i int) int32 {
	if c.Property.AtLeast != nil {
		return *c.Property.AtLeast
	}
	if least, _, scaled := c.World.ScaleBounds(s, i); scaled {
		return least
	}
	return *c.World.Workloads[i].Deployment.Spec.Replicas - 1
}

// promises are the values that atLeast may have.
func (c *Context) promises(i int) []int32 {
	if c.Property.AtLeast != nil {
		return []int32{*c.Property.AtLeast}
	}
	var out []int32
	stays, varies := false, false
	for h := range c.World.HPAs {
		spec := &c.World.HPAs[h]
		for r := range spec.Revisions {
			if spec.Revisions[r].Work != i {
				continue
			}
			stays, varies = stays || !spec.Varies(), varies || spec.Varies()
			out = append(out, spec.Revisions[r].MinReplicas())
		}
	}
	switch {
	case len(out) > 0 && !varies:
		return []int32{slices.Min(out)}
	case !stays: // there may be no autoscaler
		out = append(out, *c.World.Workloads[i].Deployment.Spec.Replicas-1)
	}
	return out
}

// promised is atLeast of a state that need not be decoded if there is one value.
func (c *Context) promised(i int) func(IDs) int {
	if all := c.promises(i); len(all) == 1 {
		return func(IDs) int { return int(all[0]) }
	}
	return func(ids IDs) int { return int(c.atLeast(c.Decode(ids), i)) }
}

// promiseRefs are the fields of workload i by which it has too few pods.
func (c *Context) promiseRefs(s *model.State, i int) []model.Ref {
	w := &c.World.Workloads[i]
	out := []model.Ref{w.Ref("spec.replicas", "is how many pods there are when all goes well")}
	if w.Deployment.Annotations[corev1.LastAppliedConfigAnnotation] != "" && c.World.Applies() {
		out = append(out, w.Ref("metadata.annotations", "has what the last apply set, which the next one may take away"))
	}
	for k := range c.World.PDBs {
		if c.World.Covers(s, k, model.Pod{Work: uint16(i)}) {
			return append(out, c.World.BudgetSpec(s, k).Ref("spec", "keeps voluntary disruptions from more"))
		}
	}
	if c.World.Drains() || c.World.Descheduler != nil {
		out = append(out, w.Ref("spec.selector", "is selected by no PodDisruptionBudget, so all may be evicted at once"))
	}
	return out
}
