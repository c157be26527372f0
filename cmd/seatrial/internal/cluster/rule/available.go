package rule

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	ID: "SEA1004", Name: "available", OnRequest: true,
	Takes: []string{"workload", "atLeast", "when"},
	Title: "fewer pods are available than promised",
	Doc:   `At least k pods of the workload are available: always once that many have been (the default), or whenever the cluster is at rest (when: rest). The parameter atLeast is k; without it, k is the autoscaler's minReplicas, or one less than spec.replicas.`,
	Fails: "examples/cases/kivi-c6/bad", Holds: "examples/cases/kivi-c6/good",
	Watch: func(w *model.World, p *scenario.Property) {
		if p.When == "rest" {
			return
		}
		c := Context{Vector: &model.Vector{World: w}, Property: *p}
		if w.Watched.AtLeast == nil {
			w.Watched.AtLeast = map[int][]int32{}
		}
		for _, i := range c.works() {
			w.Watched.AtLeast[i] = append(w.Watched.AtLeast[i], c.atLeast(i))
		}
	},
	Claims: func(c *Context) []Claim {
		var out []Claim
		for _, i := range c.works() {
			w, k := &c.World.Workloads[i], int(c.atLeast(i))
			if k < 1 {
				continue
			}
			enough := func(ids IDs) bool { return c.Decode(ids).Available(i) >= k }
			reached := fmt.Sprintf("%d pods of %s available", k, w.Object())
			witnesses := append([]Witness{{reached, statespace.Sometimes(reached, enough)}}, c.events()...)
			claim := c.claim(w.Object(), func(name string) statespace.Property[IDs] {
				if c.Property.When == "rest" {
					return statespace.AtRest(name, func(ids IDs) bool { return !c.Work(ids, i).Exists || enough(ids) })
				}
				return statespace.Always(name, func(ids IDs) bool { return int(c.Work(ids, i).Reached) < k || enough(ids) })
			}, witnesses...)
			claim.Message = func(s *model.State) string {
				return fmt.Sprintf("of %s %d available, %d promised", w.Object(), s.Available(i), k)
			}
			claim.Refs = func(*model.State) []model.Ref { return c.promiseRefs(i) }
			out = append(out, claim)
		}
		return out
	},
})

// atLeast is how many pods of workload i are promised to be available.
func (c *Context) atLeast(i int) int32 {
	if c.Property.AtLeast != nil {
		return *c.Property.AtLeast
	}
	w := &c.World.Workloads[i]
	if w.HPA >= 0 {
		least, _ := c.World.ScaleBounds(i)
		return least
	}
	return *w.Deployment.Spec.Replicas - 1
}

// promiseRefs are the fields of workload i by which it has too few pods.
func (c *Context) promiseRefs(i int) []model.Ref {
	w := &c.World.Workloads[i]
	out := []model.Ref{w.Ref("spec.replicas", "is how many pods there are when all goes well")}
	if w.Deployment.Annotations[corev1.LastAppliedConfigAnnotation] != "" && c.World.Applies() {
		out = append(out, w.Ref("metadata.annotations", "has what the last apply set, which the next one may take away"))
	}
	for k := range c.World.PDBs {
		if c.World.Covers(k, model.Pod{Work: uint16(i)}) {
			return append(out, c.World.PDBs[k].Ref("spec", "keeps voluntary disruptions from more"))
		}
	}
	if c.World.Drains() || c.World.Descheduler != nil {
		out = append(out, w.Ref("spec.selector", "is selected by no PodDisruptionBudget, so all may be evicted at once"))
	}
	return out
}
