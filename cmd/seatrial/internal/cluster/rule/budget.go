package rule

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	Rule: finding.Rule{
		ID: "SEA1011", Name: "pdb-respected",
		Title: "a voluntary disruption takes healthy pods below a disruption budget",
		Fails: "examples/rules/SEA1011/fails", Holds: "examples/rules/SEA1011/holds",
		Means:   "Drains, the descheduler and preemption never take the healthy pods below the floor of a disruption budget. Evictions are held to it by the API; preemption respects it only as long as it finds other victims.",
		Excuses: "Rollouts, scale-downs and taint eviction are not bound by budgets and not judged. Nor is what is decided in the moment before the disruption controller has counted pods that have just stopped being healthy: that race is open to every cluster, whatever its configuration.",
		Why:     "A pod with a higher priority that fits nowhere makes the scheduler look for pods to drive out. It prefers nodes on which no budget is broken; if there is none it deletes the victims all the same, and does not ask the eviction API. What replaces a victim may drive out others in turn, if its own priority is above theirs.",
		Mend: []string{
			"Set preemptionPolicy: Never in the PriorityClass of pods that can wait: they come first in the queue and drive nobody out.",
			"Give the pods under the budget a priorityClassName that is as high.",
			"Have more replicas than the budget wants, so that one may go.",
			"Keep the two apart, by nodeSelector, affinity or taints, or have room for both.",
		},
		Links: []finding.Link{
			{Title: "Priority and preemption: disruption budgets are not guaranteed", URL: "https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/#poddisruptionbudget-is-supported-but-not-guaranteed"},
			{Title: "Disruptions", URL: "https://kubernetes.io/docs/concepts/workloads/pods/disruptions/"},
			{Title: "KEP-3280: guarantee budgets when preemption happens", URL: "https://www.kubernetes.dev/resources/keps/3280/"},
			{Title: "kubernetes#91492: preemption breaks budgets without need", URL: "https://github.com/kubernetes/kubernetes/issues/91492"},
		},
	},
	Takes: []string{"workload"},
	Claims: func(c *Context) []Claim {
		var out []Claim
		for i := range c.World.PDBs {
			all := c.Property.Workload == nil && c.World.Part == nil
			if !all && !slices.ContainsFunc(c.works(), func(w int) bool { return c.World.MayCover(i, model.Pod{Work: uint16(w)}) }) {
				continue
			}
			out = append(out, c.budgetKept(i))
		}
		return out
	},
})

// voluntary tells whether a disruption budget is to restrain steps of the kind.
func voluntary(k model.Kind) bool { return k == model.KindEvict || k == model.KindPreempt }

// budgetKept claims that voluntary disruptions respect budget i.
func (c *Context) budgetKept(i int) Claim {
	subject := "PodDisruptionBudget " + c.World.PDBs[i].Name()
	kept := func(from IDs, a statespace.Action, to IDs) bool {
		if !voluntary(model.LabelKind(a.Label)) {
			return true
		}
		before := c.Decode(from)
		if c.World.BudgetSpec(before, i) == nil {
			return true
		}
		was, is := c.World.BudgetStatus(before, i), c.World.BudgetStatus(c.Decode(to), i)
		lags := before.PDB[i].Allowed > was.Allowed
		return lags || is.Current >= was.Current || is.Current >= is.Desired
	}
	claim := c.claim(subject, func(name string) statespace.Property[IDs] {
		return statespace.AlwaysStep(name, kept)
	}, append(c.events(), happens("a voluntary disruption", voluntary))...)
	claim.Message = func(s *model.State) string {
		status := c.World.BudgetStatus(s, i)
		return fmt.Sprintf("a voluntary disruption leaves %d healthy under %s, which wants %d", status.Current, subject, status.Desired)
	}
	claim.Refs = func(s *model.State) []model.Ref {
		return []model.Ref{c.World.BudgetSpec(s, i).Ref("spec", "is the budget that is broken")}
	}
	return claim
}
