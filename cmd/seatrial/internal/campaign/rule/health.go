package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("refused-migration", finding.Rule{
		ID: "SEA3004", Name: "health",
		Title:   "a valid change ends with something that does not run",
		Means:   "When a valid operation is done and nothing moves any more, all pods of what the operator made are ready, no Job has failed, no condition of the custom resource says that something is wrong, and, as far as its metrics are read, none of the operator's controllers has reconciles that go on failing. A condition that says that pods are under way becomes True when all of them are there, as they are to be.",
		Excuses: "What does not run in a run that had this resource from the beginning: then it is what was asked for, but for what is said to be under way and is done. What did not run of the seed already. A change that the operator declines, in words of its own. Words about what the campaign's file calls unreachable.",
		Why: `The change was written into objects where it cannot work: a selector that its pods do not match, a volume claim whose class is another now, a Service whose port was moved without that of the pods. Or the API server refused a write, since the field cannot be changed, and the operator says so in a condition and tries again for ever.

The same resource, created anew, works: it is the way from the old to the new that is missing.

Or what is there is compared with what is wanted in a form in which they are never equal: pointers, a default that the API server has set, another unit.`,
		Mend: []string{
			"Make anew what cannot be changed, in an order in which what runs goes on.",
			"Change things that belong together in one write, or in an order in which each moment works.",
			"If the way is not supported, refuse the change: by a transition rule in the schema (oldSelf), or a webhook.",
		},
		Links: []finding.Link{statefulset, transition, conventions},
	})
}
