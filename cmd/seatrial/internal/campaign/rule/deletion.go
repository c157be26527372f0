package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("stuck-finalizer", finding.Rule{
		ID: "SEA3010", Name: "deletion",
		Title:   "the custom resource is deleted and does not go",
		Means:   "When the custom resource is deleted, its finalizers are taken away and it goes, and stays away.",
		Excuses: "How long it takes within a step.",
		Why: `A finalizer is there so that something is cleaned up first. If that fails because there is nothing to clean up (it was never made, or is gone), or because it asks something that is deleted already, the finalizer stays; so does the resource, and its namespace.

It also stays if the code that takes it away looks at the spec first, finds it wrong, and returns; or if it stands behind a wait for what never becomes ready.`,
		Mend: []string{
			"Handle deletion first in a reconcile, before anything is validated or waited for.",
			"Take NotFound for success when something is deleted.",
			"Retry on conflicts, or patch the finalizers away.",
		},
		Links: []finding.Link{finalizers, controllers},
	})
}
