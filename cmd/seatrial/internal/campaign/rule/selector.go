package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("missed-label", finding.Rule{
		ID: "SEA3008", Name: "selector",
		Title:   "a Service or budget selects no pod while there are pods",
		Means:   "Each Service and PodDisruptionBudget that came with the custom resource selects a pod, or would select those of a workload that has none just now, as long as there are pods of the resource at all.",
		Excuses: "A Service without a selector, whose endpoints somebody else makes. One that selected nothing of the seed either: it is about something that seatrial does not know.",
		Why: `Labels of pods and selectors of Services are made in two places. A label that the resource gives is added to the pods, and to the selector; or a change of name reaches one of both. A workload's own selector cannot be changed, so that operators leave it, and its pods, as they were, and change the Service.

Nothing reports an error: connections are refused, and a drain takes all pods at once.`,
		Mend: []string{
			"Make selectors of a few fixed labels (name and instance), never of what users can change.",
			"Make labels and selectors in one function.",
			"Where a selector has to change, change it behind the pods.",
		},
		Links: []finding.Link{labels, services},
	})
}
