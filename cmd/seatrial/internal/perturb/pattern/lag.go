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
			ID: "SEA2005", Name: "informer-lag",
			Title: "a controller that hears of one kind late does something twice",
			Fails: "examples/controllers/informer-lag/experiment.yaml", Holds: "examples/controllers/informer-lag/fixed.yaml",
			Means:   "A controller that hears of one kind later than of the others, its own writes included, ends where it usually does, and creates and deletes nothing more often than usual. The lag begins with an object that is created or deleted, or with a write of its own. It ends when all is quiet, or when users have done their next step; then everything arrives, in order, or is listed anew.",
			Excuses: "Less may be done than usual. What others change begins no lag, unless it sets a deletionTimestamp. Kinds that the controller does not watch cannot lag.",
			Why: `Each kind is watched by a stream of its own, and nothing orders one against the other: a controller can know the third version of an owner, and not yet the pods that it created for the second. The answer to its own write says that the pod is there; its cache does not know. It counts, finds one too few, and creates one more.

Kubernetes' own controllers keep expectations against that: they remember what they created, and wait until the cache shows it. Since 1.36 some of them wait until their caches have their own writes; controller-runtime can do so from 0.25 on, if it is asked to.`,
			Mend: []string{
				"Give children names that follow from the owner and a number (web-0, web-1): a second creation is refused with AlreadyExists.",
				"Count by a read from the API server (mgr.GetAPIReader()) before something is created or destroyed by that count.",
				"Keep expectations, as the ReplicaSet controller does: remember what was created or deleted, and wait until the cache shows it.",
				"Have caches wait for your own writes, where the library offers that.",
			},
			Links: []finding.Link{
				{Title: "How the cache of controller-runtime works", URL: "https://kubernetes.io/blog/2026/07/29/controller-runtime-cache-explained/"},
				{Title: "Kubernetes v1.36: staleness in controllers", URL: "https://kubernetes.io/blog/2026/04/28/kubernetes-v1-36-staleness-mitigation-for-controllers/"},
				{Title: "KEP-5647: stale controllers", URL: "https://www.kubernetes.dev/resources/keps/5647/"},
				{Title: "controller-runtime: questions on caches, names and idempotence", URL: "https://github.com/kubernetes-sigs/controller-runtime/blob/main/FAQ.md"},
			},
		},
		Order: 4, Generate: lag,
	})
}

// lag lets the view of one kind fall behind those of the others, from an event on
// that creates or deletes an object: until all is quiet, and until users have gone
// on with their next step. Everything is delivered then.
func lag(g *Generator) {
	for _, own := range []bool{true, false} {
		for _, n := range g.Events {
			if n.Own() != own || !g.watched(n.Resource) || n.Type == history.Update && !terminates(n) {
				continue
			}
			t, ok := n.Trigger()
			if !ok {
				continue
			}
			g.add([]string{class(n), "quiet"}, plan.LaggingWatch, t, plan.Fault{Kind: "hold", Resource: n.Resource},
				"Keep %s from the controller from the %s on, until all is quiet; then everything arrives.", n.Resource, said(t))
			g.add([]string{class(n), "step"}, plan.LaggingWatch, t, plan.Fault{Kind: "hold", Resource: n.Resource, Step: true},
				"Keep %s from the controller from the %s on, until users have gone on and all is quiet; then everything arrives.", n.Resource, said(t))
		}
	}
	echo(g)
}

// echo keeps from the controller what it wrote itself, and what users do next to
// objects of that kind, while it hears of all others: it decides on what was before its
// own write. It then lists anew, as after a watch that broke.
func echo(g *Generator) {
	g.own(func(n *reference.Event, t plan.Trigger) {
		if n.Type != history.Update || terminates(n) || !g.watched(n.Resource) {
			return
		}
		g.add([]string{class(n), "echo"}, plan.LaggingWatch, t, plan.Fault{Kind: "hold", Resource: n.Resource, Step: true, Relist: true},
			"Keep %s from the controller from the %s on, which it wrote itself, until users have gone on and all is quiet; it then lists anew.", n.Resource, said(t))
	})
}
