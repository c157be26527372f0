package remedy

import (
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

var _ = register(&Remedy{
	Name: "scale-window",
	Doc:  "lets an autoscaler wait longer before it believes its metrics (stabilizationWindowSeconds)",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		for _, d := range c.deployments() {
			h := c.autoscaler(d)
			if h == nil {
				continue
			}
			window := func(way string, rules *autoscalingv2.HPAScalingRules, least, want int32, cost string) {
				now := least
				if rules != nil && rules.StabilizationWindowSeconds != nil {
					now = *rules.StabilizationWindowSeconds
				}
				if now >= want {
					return
				}
				out = append(out, Candidate{
					Title: fmt.Sprintf("raise stabilizationWindowSeconds of %s of %s from %d to %d", way, title("HorizontalPodAutoscaler", h.Value.Namespace, h.Value.Name), now, want),
					Cost:  cost, Rank: 12,
					Edits: edits(in(h.Source, "spec", "behavior", way, "stabilizationWindowSeconds").set(number(int(want)))),
				})
			}
			b := h.Value.Spec.Behavior
			if b == nil {
				b = &autoscalingv2.HorizontalPodAutoscalerBehavior{}
			}
			// Those that an autoscaler has when nothing is said of them are 300 and 0.
			window("scaleDown", b.ScaleDown, 300, 300, "pods that are not needed any more stay for five minutes")
			window("scaleUp", b.ScaleUp, 0, 60, "more load is answered a minute later, and a rollout or start that takes longer is not waited for")
		}
		return out
	},
})

var _ = register(&Remedy{
	Name: "cpu-request",
	Doc:  "gives containers the request that an autoscaler measures against",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		for _, d := range c.deployments() {
			h := c.autoscaler(d)
			if h == nil {
				continue
			}
			for _, m := range h.Value.Spec.Metrics {
				if m.Resource == nil || m.Resource.Target.Type != autoscalingv2.UtilizationMetricType {
					continue
				}
				assumed := map[string]string{"cpu": "100m", "memory": "128Mi"}[string(m.Resource.Name)]
				candidate := Candidate{
					Title: fmt.Sprintf("request %s of %s for the containers of %s that say nothing of it", assumed, m.Resource.Name, nameOf(d)),
					Cost:  "nodes keep that much free for each pod; how much it needs is to be measured", Rank: 44,
				}
				for i := range d.Value.Spec.Template.Spec.Containers {
					if _, there := d.Value.Spec.Template.Spec.Containers[i].Resources.Requests[m.Resource.Name]; !there && assumed != "" {
						at := in(d.Source, "spec", "template", "spec", "containers", i, "resources", "requests", string(m.Resource.Name))
						candidate.Edits = append(candidate.Edits, at.set(text(assumed)))
					}
				}
				if len(candidate.Edits) > 0 {
					out = append(out, candidate)
				}
			}
		}
		return out
	},
})
