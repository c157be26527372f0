package rule

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	ID: "SEA1005", Name: "replicas-settle",
	Takes: []string{"workload"},
	Title: "spec.replicas changes for ever under constant load",
	Doc: `Under constant load spec.replicas changes finitely often.

It changes for ever when two writers want different numbers: an autoscaler and a GitOps tool that applies replicas, two autoscalers, an operator of your own, or one autoscaler whose own scaling changes what it measures.`,
	Fails: "examples/rules/SEA1005/fails", Holds: "examples/rules/SEA1005/holds",
	Claims: func(c *Context) []Claim {
		var out []Claim
		for _, i := range c.works("Deployment", "ReplicaSet") {
			w := &c.World.Workloads[i]
			applied := slices.ContainsFunc(c.World.Appliers, func(a model.ApplierSpec) bool { return a.Rewrite == nil && a.Work == i })
			if w.HPA < 0 && !applied && !c.World.OwnScales(i) {
				continue
			}
			claim := c.claim(w.Object(), func(name string) statespace.Property[IDs] {
				return statespace.EventuallyNever(name, ofWork(i, model.KindScale))
			}, append([]Witness{c.running(i)}, c.events()...)...)
			claim.Message = func(*model.State) string {
				return fmt.Sprintf("spec.replicas of %s changes for ever under constant load", w.Object())
			}
			claim.Refs = func(*model.State) []model.Ref {
				return []model.Ref{w.Ref("spec.replicas", "is what changes")}
			}
			out = append(out, claim)
		}
		return out
	},
})

var _ = register(&Rule{
	ID: "SEA1008", Name: "no-overshoot", OnRequest: true,
	Takes: []string{"workload"},
	Title: "the autoscaler went to its maximum and back without a change of load",
	Doc:   `After reaching the autoscaler's maximum spec.replicas does not fall by three or more, or to the minimum, without a change of the external load. A pod's own start-up profile is not such a change.`,
	Fails: "examples/cases/kivi-c1/bad", Holds: "examples/cases/kivi-c1/good-probe",
	Watch: func(w *model.World, _ *scenario.Property) { w.Watched.Peak = true },
	Claims: func(c *Context) []Claim {
		var out []Claim
		for _, i := range c.works("Deployment", "ReplicaSet") {
			w := &c.World.Workloads[i]
			if w.HPA < 0 {
				continue
			}
			claim := c.claim(w.Object(), func(name string) statespace.Property[IDs] {
				return statespace.Always(name, func(ids IDs) bool { return !c.Work(ids, i).Fallen })
			}, append([]Witness{c.running(i)}, c.events()...)...)
			claim.Message = func(s *model.State) string {
				_, most, _ := c.World.ScaleBounds(s, i)
				return fmt.Sprintf("the autoscaler took %s to its maximum of %d and back to %d without a change of load",
					w.Object(), most, s.Work[i].Replicas)
			}
			out = append(out, claim)
		}
		return out
	},
})

var _ = register(&Rule{
	ID: "SEA1012", Name: "no-drift", OnRequest: true, Whole: true,
	Takes: []string{"workload"},
	Title: "spec.replicas is another at rest than it was, though nothing asked for it",
	Doc:   `As long as the load, the autoscaler and the applied replicas are unchanged, spec.replicas at rest is what it was at the last rest. A rollout, a drain or a lost node may move it for a while, but not for good.`,
	Fails: "examples/rules/SEA1012/fails", Holds: "examples/rules/SEA1012/holds",
	Watch: func(w *model.World, _ *scenario.Property) { w.Watched.Rest = true },
	Claims: func(c *Context) []Claim {
		var out []Claim
		for _, i := range c.works("Deployment", "ReplicaSet") {
			w := &c.World.Workloads[i]
			claim := c.claim(w.Object(), func(name string) statespace.Property[IDs] {
				return statespace.AtRest(name, func(ids IDs) bool {
					work := c.Work(ids, i)
					return work.Baseline == 0 || work.Baseline == work.Replicas+1
				})
			}, append([]Witness{c.running(i), c.rested(i)}, c.events()...)...)
			claim.Message = func(s *model.State) string {
				return fmt.Sprintf("%s rests at %d replicas and rested at %d before, though load and wanted replicas are unchanged",
					w.Object(), s.Work[i].Replicas, s.Work[i].Baseline-1)
			}
			out = append(out, claim)
		}
		return out
	},
})

// rested is the witness that something happened to a workload at rest that
// should leave its size as it was.
func (c *Context) rested(i int) Witness {
	name := fmt.Sprintf("an event strikes while %s is at rest", c.World.Workloads[i].Object())
	return Witness{name, statespace.Sometimes(name, func(ids IDs) bool { return c.Work(ids, i).Baseline != 0 })}
}
