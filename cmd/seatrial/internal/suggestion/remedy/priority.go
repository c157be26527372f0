package remedy

import corev1 "k8s.io/api/core/v1"

var _ = register(&Remedy{
	Name: "never-preempt",
	Doc:  "lets pods of a priority wait for room instead of taking that of others (preemptionPolicy: Never)",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		for i := range c.In.PriorityClasses {
			p := &c.In.PriorityClasses[i]
			if p.Value.PreemptionPolicy != nil && *p.Value.PreemptionPolicy == corev1.PreemptNever {
				continue
			}
			out = append(out, Candidate{
				Title: "set preemptionPolicy of PriorityClass " + p.Value.Name + " to Never",
				Cost:  "its pods wait until there is room", Rank: 36,
				Edits: edits(in(p.Source, "preemptionPolicy").set(text(string(corev1.PreemptNever)))),
			})
		}
		return out
	},
})
