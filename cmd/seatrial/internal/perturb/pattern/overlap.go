package pattern

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
)

func init() {
	register(Pattern{Name: "leader-overlap", Rule: "SEA2004", Order: 8, Generate: overlap})
}

// overlap lets a write of a leader arrive that was paused while another led: each
// that the API server does whatever has happened since.
func overlap(g *Generator) {
	if !g.Experiment.Controller.LeaderElection {
		return
	}
	g.own(func(e *reference.Event, _ plan.Trigger) {
		t, ok := e.ByOrdinal()
		if !ok || e.Exchange.OnRevision() {
			return
		}
		g.add([]string{class(e), g.next(e)}, plan.PausedLeader, t, plan.Fault{Kind: "overlap", Verb: e.Exchange.Verb, Step: true},
			"Pause the leader when it has sent the request that would have been the %s; another leads, and users go on. Then the request arrives, and the old leader goes on.", said(t))
	})
}
