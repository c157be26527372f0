package remedy

import "fmt"

var _ = register(&Remedy{
	Name: "replicas",
	Doc:  "runs one pod more: replicas, or minReplicas of the autoscaler",
	Candidates: func(c *Case) []Candidate {
		if !c.is("SEA1002", "SEA1004", "SEA1011") {
			return nil // for others it is luck: a number at which it does not happen
		}
		var out []Candidate
		for _, d := range c.deployments() {
			if h := c.autoscaler(d); h != nil {
				least := 1
				if h.Value.Spec.MinReplicas != nil {
					least = int(*h.Value.Spec.MinReplicas)
				}
				if more := least + 1; more <= int(h.Value.Spec.MaxReplicas) {
					out = append(out, Candidate{
						Title: fmt.Sprintf("raise minReplicas of %s from %d to %d", title("HorizontalPodAutoscaler", h.Value.Namespace, h.Value.Name), least, more),
						Cost:  "one pod more runs when there is little to do", Rank: 42,
						Edits: edits(in(h.Source, "spec", "minReplicas").set(number(more))),
					})
				}
				continue
			}
			now := 1
			if d.Value.Spec.Replicas != nil {
				now = int(*d.Value.Spec.Replicas)
			}
			out = append(out, Candidate{
				Title: fmt.Sprintf("raise replicas of %s from %d to %d", nameOf(d), now, now+1),
				Cost:  "one pod more runs", Rank: 40,
				Edits: edits(in(d.Source, "spec", "replicas").set(number(now + 1))),
			})
		}
		return out
	},
})
