package pattern

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Pattern{Name: "stale-state", Rule: "SEA2002", Order: 2, Generate: stale})
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
		where := "as they were right after"
		if before {
			where = "as they were right before"
		}
		f := plan.Fault{Kind: "stale", Resource: n.Resource, Seen: &seen, Before: before}
		id := []string{class(n), class(w), t.Key(), where}
		if g.Exposed[n.Resource] {
			g.add(append(id, "list"), plan.OldList, t, f,
				"After the %s, kill the controller and start it again; its first list shows %s %s the %s. Show the present when all is quiet.",
				said(t), n.Resource, where, said(seen))
		}
		if slices.Contains(g.StandbyStreams, n.Resource) {
			f.Kind = "standby"
			g.add(append(id, "standby"), plan.LaggingStandby, t, f,
				"After the %s, kill the leader; a standby takes over that has seen %s %s the %s. Show the present when all is quiet.",
				said(t), n.Resource, where, said(seen))
		}
	}
}
