package pattern

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Pattern{Name: "unobserved-state", Rule: "SEA2003", Order: 3, Generate: unobserved})
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
			g.add([]string{class(n), class(over)}, plan.LaggingWatch, t, plan.Fault{Kind: "hold", Resource: n.Resource, Until: &until, Relist: true},
				"Keep %s from the controller from the %s on, until the %s; it then lists anew and never sees what was between.",
				n.Resource, said(t), said(until))
		}
	}
}

// onlyFinalizers: an object that is being deleted goes when the controller lets it,
// which it cannot without seeing that.
func onlyFinalizers(n, over *reference.Event) bool {
	return terminates(n) && over.Type == history.Delete && over.Own()
}
