package pattern

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Pattern{Name: "informer-lag", Rule: "SEA2005", Order: 4, Generate: lag})
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
