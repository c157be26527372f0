package pattern

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
)

func init() {
	register(Pattern{Name: "intermediate-state", Rule: "SEA2001", Order: 1, Generate: intermediate})
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
