package pattern

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
	"github.com/seatrial/seatrial/finding"
)

func init() {
	register(Pattern{
		Rule: finding.Rule{
			ID: "SEA2007", Name: "refused-write",
			Title: "a write that is refused once is never made up for",
			Fails: "examples/controllers/skipped-second-creation/experiment.yaml", Holds: "examples/controllers/skipped-second-creation/fixed.yaml",
			Means:   "A controller of which the API server refuses one request, once and without doing it, ends where it usually does. Each kind of write is refused with 500 InternalError, and an update with 409 Conflict, too, as if another writer had been first.",
			Excuses: "What the controller does in between, as to wait or to begin anew, is its own affair. Of writes that are alike one is tried.",
			Why: `API servers refuse writes for reasons that lie elsewhere: another writer was first (409), there are too many requests (429), a webhook does not answer (500), etcd has no leader, or the server is about to end (500, 503). A controller that has done half of its writes by then returns an error, and is called again on a world in which that half is there. It is a crash between two writes without a crash, and happens more often than those.

It goes wrong where the error is logged and not returned, where the first half is taken for all, and where a process ends by the error and forgets what it had in memory.`,
			Mend: []string{
				"Return the error, so that the work queue tries again, later and later; do not log it and go on.",
				"Look at each child by itself in each reconcile, and create what is missing.",
				"After a conflict read again from the API server and decide again (retry.RetryOnConflict); do not send the old decision with a new resourceVersion.",
				"Write the status last, and of what is there: it must not say what was not stored.",
			},
			Links: []finding.Link{
				{Title: "Writing controllers", URL: "https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/controllers.md"},
				{Title: "API priority and fairness", URL: "https://kubernetes.io/docs/concepts/cluster-administration/flow-control/"},
				{Title: "client-go: retry on conflict", URL: "https://pkg.go.dev/k8s.io/client-go/util/retry"},
				{Title: "API conventions", URL: "https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md"},
			},
		},
		Order: 6, Generate: refused,
	})
}

// refused has the API server refuse each kind of write once: with an error of its own,
// and an update with a conflict first, as if another writer had been there. Controllers
// expect a conflict, and some make up for that and for nothing else.
func refused(g *Generator) {
	for _, code := range []int{409, 500} {
		g.own(func(e *reference.Event, _ plan.Trigger) {
			t, ok := e.ByOrdinal()
			if !ok || code == 409 && e.Exchange.Verb != "update" {
				return
			}
			reason := map[int]string{409: "Conflict", 500: "InternalError"}[code]
			g.add([]string{class(e), reason}, plan.RefusedWrite, t, plan.Fault{Kind: "refuse", Verb: e.Exchange.Verb, Code: code, Reason: reason},
				"Refuse the request that would have been the %s, once, with %d %s.", said(t), code, reason)
		})
	}
}
