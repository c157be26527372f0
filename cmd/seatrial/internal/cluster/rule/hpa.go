package rule

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	ID: "SEA1013", Name: "hpa-can-act",
	Takes: []string{"workload"},
	Title: "an autoscaler can never act",
	Doc:   `No HorizontalPodAutoscaler ends up unable to act: because its selector is ambiguous (another autoscaler selects the same pods, and the controller disables both), or because a metric divides by a request that a container of the target does not have. A target at zero replicas, or metrics that are missing for a while, do not count.`,
	Fails: "examples/rules/SEA1013/fails", Holds: "examples/rules/SEA1013/holds",
	Claims: func(c *Context) []Claim {
		ambiguous, missing, invalid := model.ReasonID("AmbiguousSelector"), model.ReasonID(model.MissingRequest), model.ReasonID("InvalidSelector")
		why := map[uint8]string{
			ambiguous: "another autoscaler selects the same pods (AmbiguousSelector)",
			missing:   "its metric divides by a request that a container does not have",
			invalid:   "the selector of its target is empty",
		}
		var out []Claim
		for i := range c.World.HPAs {
			spec := &c.World.HPAs[i]
			if spec.Work < 0 || !slices.Contains(c.works(), spec.Work) {
				continue
			}
			claim := c.claim(Find("SEA1013"), "HorizontalPodAutoscaler "+spec.Name(), func(name string) statespace.Property[IDs] {
				return statespace.Never(name, statespace.Behaviour[IDs]{Within: func(ids IDs) bool {
					_, stuck := why[c.HPA(ids, i).Reason]
					return stuck
				}})
			}, c.running(spec.Work))
			claim.Message = func(s *model.State) string {
				return fmt.Sprintf("HorizontalPodAutoscaler %s can never act: %s", spec.Name(), why[s.HPA[i].Reason])
			}
			claim.Refs = func(*model.State) []model.Ref {
				return []model.Ref{spec.Ref("spec.scaleTargetRef", "is what the autoscaler cannot act on")}
			}
			out = append(out, claim)
		}
		return out
	},
})
