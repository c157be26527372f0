package remedy

import (
	"fmt"

	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var _ = register(&Remedy{
	Name: "budget",
	Doc:  "lets a PodDisruptionBudget give one pod away",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		for _, b := range c.budgets() {
			name, spec := title("PodDisruptionBudget", b.Value.Namespace, b.Value.Name), b.Value.Spec
			switch least, most := spec.MinAvailable, spec.MaxUnavailable; {
			case least != nil:
				if least.Type == intstr.Int && least.IntVal > 1 {
					out = append(out, Candidate{
						Title: fmt.Sprintf("lower minAvailable of %s from %d to %d", name, least.IntVal, least.IntVal-1),
						Cost:  "one pod fewer is promised to stay while nodes are drained", Rank: 20,
						Edits: edits(in(b.Source, "spec", "minAvailable").set(number(int(least.IntVal) - 1))),
					})
				}
				out = append(out, Candidate{
					Title: fmt.Sprintf("give %s maxUnavailable: 1 instead of minAvailable: %s", name, least.String()),
					Cost:  "one pod may always be evicted, even if it is the only one", Rank: 22, Fields: 2,
					Edits: edits(in(b.Source, "spec", "maxUnavailable").set(number(1)), in(b.Source, "spec", "minAvailable").remove()),
				})
			case most != nil:
				more := 1
				if most.Type == intstr.Int {
					more = int(most.IntVal) + 1
				}
				out = append(out, Candidate{
					Title: fmt.Sprintf("raise maxUnavailable of %s from %s to %d", name, most.String(), more),
					Cost:  "one pod more may be evicted at a time", Rank: 20,
					Edits: edits(in(b.Source, "spec", "maxUnavailable").set(number(more))),
				})
			}
		}
		return out
	},
})

var _ = register(&Remedy{
	Name: "unhealthy-pods",
	Doc:  "lets pods that are not Ready be evicted whatever their budget says",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		for _, b := range c.budgets() {
			if p := b.Value.Spec.UnhealthyPodEvictionPolicy; p != nil && *p == policyv1.AlwaysAllow {
				continue
			}
			out = append(out, Candidate{
				Title: "set unhealthyPodEvictionPolicy of " + title("PodDisruptionBudget", b.Value.Namespace, b.Value.Name) + " to AlwaysAllow",
				Cost:  "pods that are not Ready may be evicted before they had the chance to become so", Rank: 5,
				Edits: edits(in(b.Source, "spec", "unhealthyPodEvictionPolicy").set(text("AlwaysAllow"))),
			})
		}
		return out
	},
})

var _ = register(&Remedy{
	Name: "new-budget",
	Doc:  "gives a Deployment without a PodDisruptionBudget one that lets a pod go at a time",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		for _, d := range c.deployments() {
			if len(c.covering(d)) > 0 || d.Source.Node() == nil {
				continue
			}
			metadata := object("name", text(d.Value.Name))
			if d.Source.Has("metadata.namespace") {
				metadata = object("name", text(d.Value.Name), "namespace", text(d.Value.Namespace))
			}
			selector := child(d.Source.Node(), "spec", "selector")
			if selector == nil {
				continue
			}
			add, ok := document(d.Source, object("apiVersion", text("policy/v1"), "kind", text("PodDisruptionBudget"), "metadata", metadata,
				"spec", object("maxUnavailable", number(1), "selector", selector)))
			if !ok {
				continue
			}
			out = append(out, Candidate{
				Title: "add a PodDisruptionBudget with maxUnavailable: 1 for " + nameOf(d),
				Cost:  "drains wait until the pod that went before is replaced", Rank: 12, Fields: 1, Edits: edits(add),
			})
		}
		return out
	},
})

// covering are the budgets that select a deployment's pods.
func (c *Case) covering(d *deployment) []*budget {
	var out []*budget
	for i := range c.In.DisruptionBudgets {
		if b := &c.In.DisruptionBudgets[i]; covers(b.Value, d.Value) {
			out = append(out, b)
		}
	}
	return out
}
