package rule

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	ID: "SEA1011", Name: "pdb-respected",
	Title: "a voluntary disruption takes healthy pods below a disruption budget",
	Doc: `Drains, the descheduler and preemption never take the healthy pods below the floor of a disruption budget. Evictions are held to it by the API; preemption respects it only as long as it finds other victims.

Rollouts, scale-downs and taint eviction are not bound by budgets and not judged.`,
	Fails: "examples/rules/SEA1011/fails", Holds: "examples/rules/SEA1011/holds",
	Claims: func(c *Context) []Claim {
		var out []Claim
		for i := range c.World.PDBs {
			spec := &c.World.PDBs[i]
			subject := "PodDisruptionBudget " + spec.Name()
			voluntary := func(k model.Kind) bool { return k == model.KindEvict || k == model.KindPreempt }
			kept := func(from IDs, a statespace.Action, to IDs) bool {
				if !voluntary(model.LabelKind(a.Label)) {
					return true
				}
				before, after := c.World.BudgetStatus(c.Decode(from), i), c.World.BudgetStatus(c.Decode(to), i)
				return after.Current >= before.Current || after.Current >= before.Desired
			}
			claim := c.claim(Find("SEA1011"), subject, func(name string) statespace.Property[IDs] {
				return statespace.AlwaysStep(name, kept)
			}, happens("a voluntary disruption", func(k model.Kind, _ int) bool { return voluntary(k) }))
			claim.Message = func(s *model.State) string {
				status := c.World.BudgetStatus(s, i)
				return fmt.Sprintf("a voluntary disruption leaves %d healthy pods under %s, which wants %d", status.Current, subject, status.Desired)
			}
			claim.Refs = func(*model.State) []model.Ref { return []model.Ref{spec.Ref("spec", "is the budget that is broken")} }
			out = append(out, claim)
		}
		return out
	},
})
