package pattern

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
	"github.com/seatrial/seatrial/finding"
)

func init() {
	register(Pattern{
		Rule: finding.Rule{
			ID: "SEA2006", Name: "lost-answer",
			Title: "a write whose answer is lost is done twice, or not gone on from",
			Fails: "examples/controllers/lost-acknowledgement/experiment.yaml", Holds: "examples/controllers/lost-acknowledgement/fixed.yaml",
			Means:   "A controller whose connection breaks after the API server has stored a write, and before it hears so, ends where it usually does, and creates and deletes nothing more often than usual. Each kind of its writes is tried.",
			Excuses: "That the controller sends the request again is no violation by itself; what comes of it may be. Requests that change nothing that counts are not tried.",
			Why: `Between the storage of a write and its answer lie a network, load balancers, and an API server that may be restarted. The client sees a reset or a timeout, and cannot know whether the write is done. Clients repeat reads by themselves, and not writes; controllers do, when the work queue has them reconcile again.

A creation with generateName, or with a name that is drawn, has another name the second time: both objects stay. What was drawn and sent, as a password, is known to nobody. And a step that is only taken when the one before has succeeded may never be taken, if that one now says AlreadyExists or NotFound.`,
			Mend: []string{
				"Let names follow from the owner, not from chance: AlreadyExists then says that the first request came through.",
				"Take AlreadyExists of a create, and NotFound of a delete, for success, after a look at whether the object is yours.",
				"Before a second attempt, list by label or owner from the API server, and take what is there.",
				"Keep what was drawn before it is used, in a Secret or the status, and use the same again.",
			},
			Links: []finding.Link{
				{Title: "API conventions", URL: "https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md"},
				{Title: "controller-runtime: questions on caches, names and idempotence", URL: "https://github.com/kubernetes-sigs/controller-runtime/blob/main/FAQ.md"},
				{Title: "Kubernetes API: resource versions and watches", URL: "https://kubernetes.io/docs/reference/using-api/api-concepts/"},
			},
		},
		Order: 5, Generate: lost,
	})
}

// lost breaks the connection when a write is stored, before the answer comes.
func lost(g *Generator) {
	g.own(func(e *reference.Event, t plan.Trigger) {
		g.add([]string{class(e)}, plan.LostAnswer, t, plan.Fault{Kind: "lose"},
			"Break the connection after the %s, so that the controller does not learn that it is done.", said(t))
	})
}
