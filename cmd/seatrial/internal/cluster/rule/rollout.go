package rule

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	Rule: finding.Rule{
		ID: "SEA1003", Name: "rollout-completes",
		Title: "a rollout or rollback never ends",
		Fails: "examples/rules/SEA1003/fails", Holds: "examples/rules/SEA1003/holds",
		Means:   "A rollout that starts with all replicas available, and every rollback, ends with all replicas on the wanted template and available. So does one that a dump of a running cluster shows in the middle, if no more pods are missing than maxUnavailable allows.",
		Excuses: "Excused are a Deployment while it is paused, pods that are declared never to become Ready, and, if a node was lost or cordoned or the Deployment scaled up since the rollout began, lack of room.",
		Why:     "A rolling update keeps within two limits: at most maxSurge pods above spec.replicas, at most maxUnavailable below. It waits for a new pod to become available before the next old one goes. It sticks if the surge pod has no place, because of required anti-affinity, a spread constraint or lack of room, and no old pod may go. The default of maxUnavailable, 25%, rounds down: it is 0 up to three replicas.",
		Mend: []string{
			"Set strategy.rollingUpdate.maxUnavailable: 1, with maxSurge: 0 or 1: an old pod goes first and leaves its place.",
			"Make the anti-affinity preferredDuringSchedulingIgnoredDuringExecution, or a topology spread constraint with ScheduleAnyway.",
			"Have one node, or room for one pod, more than replicas.",
			"Use strategy.type: Recreate where all pods may be gone for a moment.",
		},
		Links: []finding.Link{
			{Title: "Deployment: max unavailable", URL: "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#max-unavailable"},
			{Title: "Assigning pods to nodes: affinity and anti-affinity", URL: "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/"},
			{Title: "kubernetes#116891: a rolling update and pod anti-affinity", URL: "https://github.com/kubernetes/kubernetes/issues/116891"},
			{Title: "argo-cd#16627: the manifest for high availability on three nodes", URL: "https://github.com/argoproj/argo-cd/issues/16627"},
		},
	},
	Takes: []string{"workload"},
	Watch: func(w *model.World, _ *scenario.Property) { w.Watched.Rollout = true },
	Claims: func(c *Context) []Claim {
		var out []Claim
		for _, i := range c.works("Deployment") {
			w := &c.World.Workloads[i]
			if !slices.ContainsFunc(w.Revisions, func(r model.Revision) bool { return r.Of > 0 }) || !slices.ContainsFunc(w.Settings, func(s model.Settings) bool { return !s.Paused() }) {
				continue
			}
			asked := func(work *model.Workload) bool {
				never := work.Never == model.NeverAll || work.Never == model.NeverRev+model.Never(work.Rev)
				return !never && !w.Now(work).Paused() && (work.Rolling == model.RollingOut || work.Rolling == model.RollingBack)
			}
			within := func(ids IDs) bool {
				work := c.Work(ids, i)
				return asked(work) && !c.crashing(ids, i, work.Rev) && !(work.Excused && c.lacksRoom(ids, i))
			}
			began := fmt.Sprintf("a rollout of %s begins", w.Object())
			claim := c.claim(w.Object(), func(name string) statespace.Property[IDs] {
				return statespace.Never(name, statespace.Behaviour[IDs]{Within: within})
			}, c.running(i), Witness{began, statespace.Sometimes(began, func(ids IDs) bool { return asked(c.Work(ids, i)) })})
			claim.Message = func(s *model.State) string {
				what := "rollout"
				if s.Work[i].Rolling == model.RollingBack {
					what = "rollback"
				}
				return fmt.Sprintf("the %s of %s never ends%s", what, w.Object(), c.pendingWhy(s, i))
			}
			claim.Refs = func(s *model.State) []model.Ref {
				return append(c.pendingRefs(s, i), w.Now(s.Work[i]).Ref("spec.strategy", "decides how many old pods may go before new ones are available"))
			}
			out = append(out, claim)
		}
		return out
	},
})

// crashing tells whether a pod of the wanted template crash-loops: nothing
// makes it Ready again.
func (c *Context) crashing(ids IDs, work int, rev uint8) bool {
	for i := range c.World.Nodes {
		if c.Node(ids, i).Pods.Count(func(p model.Pod) bool {
			return int(p.Work) == work && c.World.Set(p) == rev && p.Crashing && !p.Terminating
		}) > 0 {
			return true
		}
	}
	return false
}

// lacksRoom tells whether a pod of a workload waits and no node has room for one.
func (c *Context) lacksRoom(ids IDs, work int) bool {
	return c.mayPend(ids, work) && !c.hasRoom(c.Decode(ids), work)
}
