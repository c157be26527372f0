package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("", finding.Rule{
		ID: "SEA3014", Name: "custom",
		Fails: "examples/operators/first-service/campaign.yaml", Holds: "examples/operators/first-service/campaign-fixed.yaml",
		Title:   "an oracle of yours finds something",
		Means:   "Expressions in CEL and programs that a campaign is given judge each step as well, with the custom resource, what it was, the objects and the events.",
		Excuses: "What they leave out. One that fails gives no verdict, and the step is inconclusive.",
		Why:     "What is right for an application, nobody else can know: that a quorum is never lost, that two settings go together, that a backup exists before something is deleted.",
		Mend: []string{
			"Look at what the oracle says of the objects of that step.",
			"Run it by hand with the state of the finding, and make it smaller.",
		},
		Links: []finding.Link{cel, acto},
	})
}
