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
			ID: "SEA2003", Name: "unobserved-state",
			Title: "a controller that misses a change, or a state which was soon overwritten, ends elsewhere",
			Fails: "examples/controllers/edge-trigger/experiment.yaml", Holds: "examples/controllers/edge-trigger/fixed.yaml",
			Means: `A controller that never sees one event, because the next one overwrites it before the controller hears of either, ends where it usually does.

The watch of that kind breaks off in between, and the controller lists anew: it sees what is there then, and not how it came to be. Nor does it matter if it is killed when users change or delete something, or others delete something, before it hears of that: started again, it knows what is there and not what was.`,
			Excuses: "Less may be done: what was wanted for a moment need not have been created, deleted or recorded. A plan is infeasible, and says nothing, if what should overwrite the event comes only after the controller has reacted to it, or if users cannot go on as usual without that.",
			Why: `A watch promises the newest state, not every state on the way. If it breaks off for longer than the API server keeps events, the client is told 410 Gone and lists anew; what was between is never delivered. Work queues do the same on a small scale: what changes twice before it is reconciled is reconciled once. A deletion and a creation in between look like an update, with another UID. And a process that starts, as after an upgrade of the operator, is told of all that there is as if it were new, and of nothing that was deleted or changed while there was none.

A controller goes wrong where it acts on the change that it saw, which is called edge-triggered: it compares what is wanted with what was wanted last, and refuses or leaves out what lies between.`,
			Mend: []string{
				"Decide by what is wanted and what is there now, not by how it changed: level-triggered.",
				"Compare with the children, or with status.observedGeneration, not with what the process remembers.",
				"Have what cannot be done refused when it is asked for, by a validation rule of the CRD (x-kubernetes-validations with oldSelf) or an admission webhook.",
				"Have a finalizer on what needs anything to be cleaned up when it is deleted: NotFound, or an event of a deletion, comes only to a process that was there.",
				"Compare UIDs: an object with the same name may be another one.",
				"Let predicates and UpdateFunc(old, new) decide whether to look, never what to do; and let an update through whose objects have different UIDs: GenerationChangedPredicate drops it if both have generation 1.",
			},
			Links: []finding.Link{
				{Title: "Kubernetes API: resource versions and watches", URL: "https://kubernetes.io/docs/reference/using-api/api-concepts/"},
				{Title: "Writing controllers", URL: "https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/controllers.md"},
				{Title: "API conventions", URL: "https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md"},
				{Title: "Validation rules of custom resources", URL: "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/"},
				{Title: "cluster-operator#758: a scale-up that is missed", URL: "https://github.com/rabbitmq/cluster-operator/issues/758"},
				{Title: "Sun et al., Automatic Reliability Testing for Cluster Management Controllers (OSDI 2022)", URL: "https://www.usenix.org/conference/osdi22/presentation/sun"},
			},
		},
		Order: 3, Generate: unobserved,
	})
}

// unobserved keeps an event from the controller until another one overwrites it.
// Events of users come first, then those of other controllers; of the
// controller's own writes only those that somebody else overwrites.
func unobserved(g *Generator) {
	for _, who := range []func(*reference.Event) bool{
		func(n *reference.Event) bool { return n.Actor == plan.User },
		func(n *reference.Event) bool { return n.Actor != plan.User && !n.Own() },
		func(n *reference.Event) bool { return n.Own() },
	} {
		for _, n := range g.Events {
			if !who(n) || !g.watched(n.Resource) {
				continue
			}
			over := g.later(n, func(o *reference.Event) bool { return overwrites(n, o) })
			if over == nil || n.Own() && over.Own() || onlyFinalizers(n, over) {
				continue
			}
			t, ok := n.Trigger()
			until, also := over.Trigger()
			if !ok || !also {
				continue
			}
			g.add([]string{asked(n, t), class(over)}, plan.LaggingWatch, t, plan.Fault{Kind: "hold", Resource: n.Resource, Until: &until, Relist: true},
				"Keep %s from the controller from the %s on, until the %s; it then lists anew and never sees what was between.",
				n.Resource, said(t), said(until))
		}
	}
	absent(g)
}

// asked is the class of an event. What users ask for is another thing with each value:
// to enable is not to disable.
func asked(n *reference.Event, t plan.Trigger) string {
	if n.Actor == plan.User {
		return t.Signature()
	}
	return class(n)
}

// absent kills the controller before it hears that users have changed something, or
// that others than itself have deleted something: what is there afterwards is all that
// its next process is told.
func absent(g *Generator) {
	for _, n := range g.Events {
		if n.Own() || !g.watched(n.Resource) || n.Type != history.Delete && (n.Type != history.Update || n.Actor != plan.User) {
			continue
		}
		if t, ok := n.Trigger(); ok {
			g.add([]string{asked(n, t), "absent"}, plan.Crash, t, plan.Fault{Kind: "crash"},
				"Kill the controller before it hears of the %s, and start it again.", said(t))
		}
	}
}

// onlyFinalizers: an object that is being deleted goes when the controller lets it,
// which it cannot without seeing that.
func onlyFinalizers(n, over *reference.Event) bool {
	return terminates(n) && over.Type == history.Delete && over.Own()
}
