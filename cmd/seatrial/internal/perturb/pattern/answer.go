package pattern

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Pattern{Name: "lost-answer", Rule: "SEA2006", Order: 5, Generate: lost})
	register(Pattern{Name: "refused-write", Rule: "SEA2007", Order: 6, Generate: refused})
	register(Pattern{Name: "slow-answer", Rule: "SEA2008", Order: 7, Generate: slow})
}

// lost breaks the connection when a write is stored, before the answer comes.
func lost(g *Generator) {
	g.own(func(e *reference.Event, t plan.Trigger) {
		g.add([]string{class(e)}, plan.LostAnswer, t, plan.Fault{Kind: "lose"},
			"Break the connection after the %s, so that the controller does not learn that it is done.", said(t))
	})
}

// refused has the API server refuse each kind of write once: with a conflict where
// another writer could have been first, else with an error of its own.
func refused(g *Generator) {
	g.own(func(e *reference.Event, _ plan.Trigger) {
		t, ok := e.ByOrdinal()
		if !ok {
			return
		}
		f := plan.Fault{Kind: "refuse", Verb: e.Exchange.Verb, Code: 500, Reason: "InternalError"}
		if f.Verb == "update" {
			f.Code, f.Reason = 409, "Conflict"
		}
		g.add([]string{class(e)}, plan.RefusedWrite, t, f,
			"Refuse the request that would have been the %s, once, with %d %s.", said(t), f.Code, f.Reason)
	})
}

// slow holds the answer to a write back where the controller would have written
// more: until all is quiet if others react to the write, and until users have gone
// on with their next step.
func slow(g *Generator) {
	g.own(func(e *reference.Event, t plan.Trigger) {
		next := g.next(e)
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
