package remedy

import (
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var _ = register(&Remedy{
	Name: "rollout-room",
	Doc:  "lets a rollout take an old pod away before the new one runs, or makes it do so",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		for _, d := range c.deployments() {
			s := d.Value.Spec.Strategy
			if s.Type == appsv1.RecreateDeploymentStrategyType {
				continue
			}
			rolling := in(d.Source, "spec", "strategy", "rollingUpdate")
			one, none := intstr.FromInt32(1), intstr.FromInt32(0)
			surge, gone := intstr.FromString("25%"), intstr.FromString("25%")
			if r := s.RollingUpdate; r != nil && r.MaxSurge != nil && r.MaxUnavailable != nil {
				surge, gone = *r.MaxSurge, *r.MaxUnavailable
			}
			if gone != one {
				out = append(out, Candidate{
					Title: "set maxUnavailable of the rollouts of " + nameOf(d) + " to 1",
					Cost:  "one pod fewer may serve while a rollout goes on", Rank: 24,
					Edits: edits(rolling.at("maxUnavailable").set(number(1))),
				})
			}
			if surge != none {
				value := edits(rolling.at("maxSurge").set(number(0)))
				if gone != one {
					value = append(value, rolling.at("maxUnavailable").set(number(1)))
				}
				if s.RollingUpdate == nil || !d.Source.Has("spec.strategy.rollingUpdate") {
					value = edits(rolling.set(flow(object("maxSurge", number(0), "maxUnavailable", number(1)))))
				}
				out = append(out, Candidate{
					Title: "let rollouts of " + nameOf(d) + " take a pod away before they add one (maxSurge: 0, maxUnavailable: 1)",
					Cost:  "one pod fewer serves while a rollout goes on", Rank: 25, Fields: len(value), Edits: value,
				})
			}
		}
		return out
	},
})

var _ = register(&Remedy{
	Name: "rolling-update",
	Doc:  "replaces the strategy Recreate by RollingUpdate",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		for _, d := range c.deployments() {
			if d.Value.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType {
				out = append(out, Candidate{
					Title: "set the strategy of " + nameOf(d) + " to RollingUpdate",
					Cost:  "pods of the old and the new revision run side by side during a rollout", Rank: 28,
					Edits: edits(in(d.Source, "spec", "strategy", "type").set(text(string(appsv1.RollingUpdateDeploymentStrategyType)))),
				})
			}
		}
		return out
	},
})
