package pattern

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Pattern{
		Rule: finding.Rule{
			ID: "SEA2002", Name: "stale-state",
			Title: "a controller with an old view destroys what is there now",
			Fails: "examples/controllers/stale-finalizer/experiment.yaml", Holds: "examples/controllers/stale-finalizer/fixed.yaml",
			Means: `A controller whose view of one kind is an old one when it starts again, or when it takes over from the leader, does no harm with it: when it sees the present again, the cluster ends where it usually does, and nothing was created or deleted more often than usual.

The views that are tried are those at which, or right before which, it once deleted something or overwrote something, which was undone since; and those that show what users had made, and is gone.`,
			Excuses: "Deletes with a precondition and updates on a resourceVersion are not tried: the API server refuses them if the object is another by then. A kind is shown as it was only where a real cluster could do so: at a start if the controller lists it in a way that allows any version, and at a takeover if it watches it before it leads. That a controller does nothing, and waits, is well done; so is that what it makes for a resource that is gone goes again.",
			Why: `A list with resourceVersion=0 may be answered from the cache of any API server, however far that is behind: with several of them, a client that starts again can go back in time. Informers begin so with client-go before 0.35, and with any client-go on API servers before 1.34. Later ones begin with a stream that is consistent; but the caches of a standby that is about to lead can lag with any version.

With such a view a controller sees a deletionTimestamp, or a setting, of the past, and acts on it by name. Names are all that the API server then compares: the children of a resource that was created again under the same name are deleted, with what they hold.`,
			Mend: []string{
				"Delete with preconditions: the UID, and the resourceVersion where it matters what the object says (client.Preconditions, metav1.DeleteOptions).",
				"Before something is destroyed, read what that depends on from the API server, and not from the cache (mgr.GetAPIReader()).",
				"Take as a child only what has the UID of its owner in metadata.ownerReferences, not what has its name or labels.",
				"Leave it to the garbage collector to delete children: owner references have UIDs.",
				"Update on the resourceVersion that was read; a patch without one, and an apply, are done whatever is there.",
			},
			Links: []finding.Link{
				{Title: "Kubernetes API: resource versions and watches", URL: "https://kubernetes.io/docs/reference/using-api/api-concepts/"},
				{Title: "kubernetes#59848: clients that go back in time", URL: "https://github.com/kubernetes/kubernetes/issues/59848"},
				{Title: "KEP-3157: lists as streams", URL: "https://github.com/kubernetes/enhancements/blob/master/keps/sig-api-machinery/3157-watch-list/README.md"},
				{Title: "Garbage collection", URL: "https://kubernetes.io/docs/concepts/architecture/garbage-collection/"},
				{Title: "cluster-operator#648: a stale deletionTimestamp", URL: "https://github.com/rabbitmq/cluster-operator/issues/648"},
				{Title: "zookeeper-operator#312: volumes that are in use are deleted", URL: "https://github.com/pravega/zookeeper-operator/issues/312"},
				{Title: "Sun et al., Automatic Reliability Testing for Cluster Management Controllers (OSDI 2022)", URL: "https://www.usenix.org/conference/osdi22/presentation/sun"},
			},
		},
		Order: 2, Generate: stale,
	})
}

// burstsBefore is how many bursts of writes may lie between an event and the write
// that it causes: with 2, measured on instrumented controllers, no pair is missed.
const burstsBefore = 2

// stale restarts the controller on an old view, or lets a standby with one take
// over: as it was at an event behind which the controller did something that it
// would not be stopped from doing again, and that was undone since.
func stale(g *Generator) {
	g.own(func(w *reference.Event, _ plan.Trigger) {
		if !destructive(w) {
			return
		}
		undone := g.later(w, func(o *reference.Event) bool { return undoes(w, o) })
		if undone == nil {
			return
		}
		t, ok := undone.Trigger()
		if !ok {
			return
		}
		for _, n := range slices.Backward(g.Events[:w.Index]) {
			if n.Burst < w.Burst-burstsBefore {
				break
			}
			g.frozen(n, w, t)
		}
	})
	revived(g)
}

// revived shows what users had made and is gone as it was before that: a controller that
// makes what belongs to it once more has to take it away again.
func revived(g *Generator) {
	for _, n := range g.Events {
		if n.Type != history.Create || n.Actor != plan.User {
			continue
		}
		gone := g.later(n, func(o *reference.Event) bool { return o.Type == history.Delete })
		end := g.later(n, func(o *reference.Event) bool { return o.Type == history.Delete || terminates(o) })
		if gone == nil {
			continue
		}
		t, ok := gone.Trigger()
		if seen, also := end.Trigger(); ok && also {
			g.view([]string{class(gone)}, t, plan.Fault{Resource: n.Resource, Seen: &seen, Before: true})
		}
	}
}

// destructive tells whether the API server does what a write says whatever the
// object is by then.
func destructive(e *reference.Event) bool {
	switch {
	case e.Exchange.Verb == "delete" || e.Exchange.Verb == "deletecollection":
		return !e.Exchange.Conditional()
	case e.Type != history.Update || strings.HasSuffix(e.Exchange.Resource, "/status"):
		return false
	}
	return !e.Exchange.OnRevision()
}

// undoes tells whether an event makes the effect of a write undone: the object is
// there again, or a field has another value again.
func undoes(w, o *reference.Event) bool {
	if w.Type == history.Delete || terminates(w) {
		return o.Type == history.Create
	}
	return overwrites(w, o)
}

// overwrites tells whether an event changes a field that another one has changed,
// or removes the object.
func overwrites(n, o *reference.Event) bool {
	if o.Type != history.Update {
		return o.Type != n.Type
	}
	for _, c := range n.Exact.Changes {
		for _, d := range o.Exact.Changes {
			if c.Path == d.Path || strings.HasPrefix(c.Path, d.Path+".") || strings.HasPrefix(d.Path, c.Path+".") {
				return true
			}
		}
	}
	return false
}

// relevant tells whether an event could make a controller destroy something: it
// is about what is wanted, about the end of an object, or somebody removed one.
func relevant(n *reference.Event) bool {
	if n.Type != history.Update {
		return true
	}
	return slices.ContainsFunc(n.Exact.Changes, func(c history.Change) bool { return !strings.HasPrefix(c.Path, "status") })
}

// frozen makes the plans in which the view ends with an event, or before it.
func (g *Generator) frozen(n, w *reference.Event, t plan.Trigger) {
	seen, ok := n.Trigger()
	if !ok || !relevant(n) || n.Key == w.Key && n.Own() && n.Type == history.Create {
		return
	}
	for _, before := range []bool{false, true} {
		// A view without an object that is created says no more than that it is gone.
		if before && n.Type == history.Create {
			continue
		}
		g.view([]string{class(n), class(w), t.Key()}, t, plan.Fault{Resource: n.Resource, Seen: &seen, Before: before})
	}
}

// view makes the plans in which a process starts or takes over at t with an old view of
// one resource.
func (g *Generator) view(id []string, t plan.Trigger, f plan.Fault) {
	where := "as they were right after"
	if f.Before {
		where = "as they were right before"
	}
	if g.Exposed[f.Resource] {
		f.Kind = "stale"
		g.add(append(slices.Clone(id), where, "list"), plan.OldList, t, f,
			"After the %s, kill the controller and start it again; its first list shows %s %s the %s. Show the present when all is quiet.",
			said(t), f.Resource, where, said(*f.Seen))
	}
	if slices.Contains(g.StandbyStreams, f.Resource) {
		f.Kind = "standby"
		g.add(append(slices.Clone(id), where, "standby"), plan.LaggingStandby, t, f,
			"After the %s, kill the leader; a standby takes over that has seen %s %s the %s. Show the present when all is quiet.",
			said(t), f.Resource, where, said(*f.Seen))
	}
}
