package pattern

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
	"github.com/seatrial/seatrial/finding"
)

func init() {
	register(Pattern{
		Rule: finding.Rule{
			ID: "SEA2001", Name: "intermediate-state",
			Title: "a controller that is killed between two writes does not finish what it began",
			Fails: "examples/controllers/skipped-second-creation/experiment.yaml", Holds: "examples/controllers/skipped-second-creation/fixed.yaml",
			Means: `A controller that is killed right after any one of its writes, and started again, brings the cluster to where it usually ends, and creates and deletes each object as often as usual.

It is killed with SIGKILL when the API server has stored the write and before the answer is there: nothing that it held in memory is left, and no later write of it comes through.`,
			Excuses: "Writes that change nothing that counts are not tried, nor are leases and events. Of writes that are alike, with the same to follow, one is tried. What is different only until the controller is given any event is healed, and does not count.",
			Why: `A reconcile of several writes can end behind each of them: a kubelet restarts the pod, a node goes away, a rollout replaces the controller. What was stored stays, and the next process has nothing but the API server to learn from how far the last one came.

It goes wrong where one write is taken for the proof of all: a function returns because the first Secret exists, before it has looked at the second. Or where a write destroys the sign of what is to do: a StatefulSet is deleted to be made anew, and its old template was what showed that the volumes had to grow.`,
			Mend: []string{
				"Look at each child by itself in each reconcile, and create what is missing: no return between two of them.",
				"Derive what is to do from what stays, not from what a write is about to destroy.",
				"Where that cannot be, write down what is intended first, in the status or an annotation of the owner, and take it away last.",
				"Destroy last: do before it what needs the old object.",
				"Let each write be one that can be done again: a name that follows from the owner, apply or create-or-update in the place of create.",
			},
			Links: []finding.Link{
				{Title: "controller-runtime: questions on caches, names and idempotence", URL: "https://github.com/kubernetes-sigs/controller-runtime/blob/main/FAQ.md"},
				{Title: "Writing controllers", URL: "https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/controllers.md"},
				{Title: "cluster-operator#782: a crash between two writes", URL: "https://github.com/rabbitmq/cluster-operator/issues/782"},
				{Title: "Sun et al., Automatic Reliability Testing for Cluster Management Controllers (OSDI 2022)", URL: "https://www.usenix.org/conference/osdi22/presentation/sun"},
			},
		},
		Order: 1, Generate: intermediate,
	})
}

// intermediate kills the controller after each of its writes: those first behind
// which it would have written more, since a crash at the end of a burst is not
// much more than a restart.
func intermediate(g *Generator) {
	for _, last := range []bool{false, true} {
		g.own(func(e *reference.Event, t plan.Trigger) {
			if e.Last != last {
				return
			}
			g.add([]string{class(e), g.next(e)}, plan.Crash, t, plan.Fault{Kind: "crash"},
				"Kill the controller right after the %s, and start it again.", said(t))
		})
	}
}
