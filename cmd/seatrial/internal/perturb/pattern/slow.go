package pattern

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Pattern{
		Rule: finding.Rule{
			ID: "SEA2008", Name: "slow-answer",
			Title: "what others do while a write is not answered is overlooked",
			Fails: "examples/controllers/late-orphan/experiment.yaml", Holds: "examples/controllers/late-orphan/fixed.yaml",
			Means:   "A controller one of whose writes is answered late ends where it usually does. Until then others have reacted to the write, or users have done their next step; the controller then goes on with what it was about to write.",
			Excuses: "Only writes are tried behind which the controller writes more without a pause. That it gives a request up, and does it again, is its own affair.",
			Why: `A reconcile is no transaction. Between two of its writes anything can happen, and does whenever the API server, etcd or a webhook is slow: client-go waits without limit unless it is told otherwise. Meanwhile users change or delete the resource, and the garbage collector, the StatefulSet controller or another worker of the same process goes on.

What the reconcile has read at its beginning is then out of date, and the rest of its writes rests on it. A child is created whose owner is gone; nobody deletes it, since the finalizer that should have has run already.`,
			Mend: []string{
				"Read again from the API server before a write that must not be out of date, and stop if the owner is being deleted, or is another by its UID.",
				"Set an owner reference on every child: what has no living owner is collected.",
				"Take the finalizer away only after the children were listed anew from the API server, and create nothing once there is a deletionTimestamp.",
				"Do one write in each reconcile, and return: the next one begins with what is there.",
				"Give requests a timeout (context.WithTimeout), and reconcile anew.",
			},
			Links: []finding.Link{
				{Title: "Finalizers", URL: "https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/"},
				{Title: "Garbage collection", URL: "https://kubernetes.io/docs/concepts/architecture/garbage-collection/"},
				{Title: "Writing controllers", URL: "https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/controllers.md"},
				{Title: "Sun et al., Automatic Reliability Testing for Cluster Management Controllers (OSDI 2022)", URL: "https://www.usenix.org/conference/osdi22/presentation/sun"},
			},
		},
		Order: 7, Generate: slow,
	})
}

// slow holds the answer to a write back where the controller would have written
// more: until all is quiet if others react to the write, and until users have gone
// on with their next step.
func slow(g *Generator) {
	g.own(func(e *reference.Event, t plan.Trigger) {
		next := g.beforeUsers(e)
		if next == "" {
			return
		}
		g.add([]string{class(e), next, "step"}, plan.SlowAnswer, t, plan.Fault{Kind: "stall", Step: true},
			"Hold back the answer to the %s until users have gone on and all is quiet.", said(t))
		if g.react(e) {
			g.add([]string{class(e), next, "quiet"}, plan.SlowAnswer, t, plan.Fault{Kind: "stall"},
				"Hold back the answer to the %s until others have reacted and all is quiet.", said(t))
		}
	})
}

// beforeUsers is the class of the controller's next write before users go on.
func (g *Generator) beforeUsers(e *reference.Event) string {
	for _, o := range g.Events[e.Index+1:] {
		switch {
		case o.Own():
			return class(o)
		case o.Actor == plan.User:
			return ""
		}
	}
	return ""
}

// react tells whether somebody else writes to something new or to the same object
// before the next burst.
func (g *Generator) react(e *reference.Event) bool {
	for _, o := range g.Events[e.Index+1:] {
		if o.Burst > e.Burst {
			return false
		}
		if !o.Own() && o.Actor != plan.User && (o.Key == e.Key || o.Type != history.Update) {
			return true
		}
	}
	return false
}
