package rule

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	Rule: finding.Rule{
		ID: "SEA1013", Name: "hpa-can-act",
		Title: "an autoscaler can never act",
		Fails: "examples/rules/SEA1013/fails", Holds: "examples/rules/SEA1013/holds",
		Means:   "No HorizontalPodAutoscaler ends up unable to act: because its selector is ambiguous (another autoscaler selects the same pods, and the controller disables both), or because a metric divides by a request that a container of the target does not have, or is about a container that is not there.",
		Excuses: "A target at zero replicas, or metrics that are missing for a while, do not count.",
		Why:     "Utilization is usage divided by the requests of all containers of the pod. One container without the request, often a sidecar that is injected, and there is no number: the condition ScalingActive is False and replicas stay where they are, under any load. An autoscaler finds its pods by the selector of its target. If two find the same pods, because both have one target or because the selectors overlap, the controller stops both with AmbiguousSelector.",
		Mend: []string{
			"Set resources.requests of the metric's resource in every container, in the sidecars too.",
			"Or use a metric of type ContainerResource with the name of the one container that matters, or a target of type AverageValue, which needs no request.",
			"Have one HorizontalPodAutoscaler for a workload, with several metrics.",
			"Make spec.selector of the workloads distinct: a label of its own for each.",
		},
		Links: []finding.Link{
			{Title: "Support for resource metrics", URL: "https://kubernetes.io/docs/concepts/workloads/autoscaling/horizontal-pod-autoscale/#support-for-resource-metrics"},
			{Title: "Container resource metrics", URL: "https://kubernetes.io/docs/concepts/workloads/autoscaling/horizontal-pod-autoscale/#container-resource-metrics"},
			{Title: "kubernetes#79365: missing request for cpu", URL: "https://github.com/kubernetes/kubernetes/issues/79365"},
			{Title: "kubernetes#112027: autoscalers whose pods overlap", URL: "https://github.com/kubernetes/kubernetes/issues/112027"},
		},
	},
	Takes: []string{"workload"},
	Claims: func(c *Context) []Claim {
		ambiguous, missing, invalid := model.ReasonID("AmbiguousSelector"), model.ReasonID(model.MissingRequest), model.ReasonID("InvalidSelector")
		absent := model.ReasonID(model.MissingContainer)
		why := map[uint8]string{
			ambiguous: "another autoscaler selects the same pods (AmbiguousSelector)",
			missing:   "its metric divides by a request that a container does not have",
			invalid:   "the selector of its target is empty",
			absent:    "its metric is about a container that the pods do not have",
		}
		var out []Claim
		for i := range c.World.HPAs {
			spec := &c.World.HPAs[i]
			target := slices.IndexFunc(spec.Revisions, func(r model.HPARevision) bool { return r.Work >= 0 && slices.Contains(c.works(), r.Work) })
			if target < 0 {
				continue
			}
			claim := c.claim("HorizontalPodAutoscaler "+spec.Name(), func(name string) statespace.Property[IDs] {
				return statespace.Never(name, statespace.Behaviour[IDs]{Within: func(ids IDs) bool {
					_, stuck := why[c.HPA(ids, i).Reason]
					return stuck
				}})
			}, c.running(spec.Revisions[target].Work))
			claim.Message = func(s *model.State) string {
				return fmt.Sprintf("HorizontalPodAutoscaler %s can never act: %s", spec.Name(), why[s.HPA[i].Reason])
			}
			claim.Refs = func(s *model.State) []model.Ref { return c.stuckRefs(s, i) }
			out = append(out, claim)
		}
		return out
	},
})

// stuckRefs are the places that keep an autoscaler from acting.
func (c *Context) stuckRefs(s *model.State, i int) []model.Ref {
	spec := c.World.AutoscalerSpec(s, i)
	if spec.Work < 0 {
		return []model.Ref{spec.Ref("spec.scaleTargetRef", "is not there")}
	}
	target := &c.World.Workloads[spec.Work]
	switch s.HPA[i].Reason {
	case model.ReasonID(model.MissingRequest), model.ReasonID(model.MissingContainer):
		return []model.Ref{
			spec.Ref("spec.metrics", "needs what the containers do not have"),
			target.Revisions[0].Ref("spec.containers", "have no such request, or no such name"),
		}
	case model.ReasonID("AmbiguousSelector"):
		var out []model.Ref
		for k := range c.World.HPAs {
			other := c.World.AutoscalerSpec(s, k)
			if other == nil || other.Work < 0 || other.HPA.Namespace != spec.HPA.Namespace {
				continue
			}
			pods := labels.Set(target.Revisions[0].Pod.Labels)
			theirs := labels.Set(c.World.Workloads[other.Work].Revisions[0].Pod.Labels)
			if c.World.Workloads[other.Work].Selector.Matches(pods) || target.Selector.Matches(theirs) {
				out = append(out, other.Ref("spec.scaleTargetRef", "selects the pods"))
			}
		}
		return append(out, target.Ref("spec.selector", "is the selector by which autoscalers find their pods"))
	}
	return []model.Ref{spec.Ref("spec.scaleTargetRef", "is what the autoscaler cannot act on")}
}
