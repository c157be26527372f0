package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("restless-stamp", finding.Rule{
		ID: "SEA3005", Name: "hot-loop",
		Title:   "the operator writes on and on",
		Means:   "When nobody changes anything any more, the operator stops to write: the cluster does not come back to the same state by the same writes, the same fields are not updated again and again with another value each time and no pause of half a second in which it has nothing to do, no object is deleted and made anew four times behind one valid change, no field is set for the third time that somebody else has set back, and there are not very many more writes than in a run that had this resource from the beginning.",
		Excuses: "Circles of others alone. Writes that change nothing that counts, and leases and events.",
		Why: `The operator sends what it wants, the API server stores something else (a default, a quantity in another form, a list in another order), and the operator takes the difference for a change. Or two who write the same field want different things: an autoscaler and the operator, two controllers of one program, a webhook. Each write wakes the other.

It costs the API server and etcd, rolls pods again and again in the worst case, and hides all other work of the operator.`,
		Mend: []string{
			"Compare semantically, with defaults applied: equality.Semantic.DeepDerivative, or server-side apply and no comparison at all.",
			"Write a status only if it has changed, and without times in it.",
			"Leave a field to one writer: replicas to the autoscaler, if there is one.",
			"Sort what comes from a map.",
		},
		Links: []finding.Link{ssa, questions, controllers},
	})
}
