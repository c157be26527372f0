package pattern

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
	"github.com/seatrial/seatrial/finding"
)

func init() {
	register(Pattern{
		Rule: finding.Rule{
			ID: "SEA2004", Name: "leader-overlap",
			Title: "a late write of an old leader undoes what the new one did",
			Fails: "examples/controllers/leader-overlap/experiment.yaml", Holds: "examples/controllers/leader-overlap/fixed.yaml",
			Means:   "A leader that is paused with a write under way, for longer than its lease lasts, does no harm when that write arrives and it goes on, or ends: another one leads by then, and users have gone on. The cluster ends where it usually does.",
			Excuses: "Only experiments with controller.leaderElection have plans of it. Updates on a resourceVersion are not tried: the API server refuses them if the object has changed. That the old leader ends when it finds that it leads no more is as it should be.",
			Why: `Election by a Lease keeps two from leading at once only as long as both get to look at their clocks. A process that is paused, because its machine is suspended, overloaded or collecting garbage, does not know that its lease has run out. The request that it has sent, or sends first when it goes on, looks like any other: the API server knows nothing of leases. client-go says so of its package: it does not guarantee that only one client acts as a leader.

Only a condition in the write itself stops it. Otherwise what the old leader wanted stands in the place of what the new one did, and stays there if the new one believes that it has done its work.`,
			Mend: []string{
				"Put the condition into the write: update on the resourceVersion that was read, delete with preconditions.",
				"Compare what is there with what is wanted in each reconcile, and not only once for each change: the new leader then puts right what an old write did.",
				"Fence what has no version, as systems outside of Kubernetes: with a number that grows with each leader, and that is refused if it is lower than the last.",
				"End the process when the lease is lost, and keep renewDeadline well below leaseDuration: that makes an overlap short, not impossible.",
			},
			Links: []finding.Link{
				{Title: "client-go: leader election", URL: "https://pkg.go.dev/k8s.io/client-go/tools/leaderelection"},
				{Title: "Leases", URL: "https://kubernetes.io/docs/concepts/architecture/leases/"},
				{Title: "Kleppmann, How to do distributed locking", URL: "https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html"},
				{Title: "Server-side apply", URL: "https://kubernetes.io/docs/reference/using-api/server-side-apply/"},
			},
		},
		Order: 8, Generate: overlap,
	})
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
		for _, ends := range []bool{false, true} {
			then := map[bool]string{false: "goes on", true: "ends"}[ends]
			g.add([]string{class(e), g.next(e), then}, plan.PausedLeader, t, plan.Fault{Kind: "overlap", Verb: e.Exchange.Verb, Step: true, Ends: ends},
				"Pause the leader when it has sent the request that would have been the %s; another leads, and users go on. Then the request arrives, and the old leader %s.", said(t), then)
		}
	})
}
