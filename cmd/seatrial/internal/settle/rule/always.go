package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("overlap", finding.Rule{
		ID: "SEA5002", Name: "always",
		Title:   "what must never be, is, if only for a moment",
		Means:   "The functions and expressions of Always say nothing in any state that can be reached, from the first on: between any two requests, and also while a fault lasts. The subject names the test and the property.",
		Excuses: "Only what the API server holds is judged: not what a reconciler has in mind, and not what is outside of the cluster.",
		Why: `Between two writes of a reconcile others see what there is, and the process may be killed there, so that the moment lasts. A new object is created before the old one is gone; a number is raised before what it counts is there; a member is removed before its data is moved.

Many such moments are harmless, and then the property is too strong. Where they are not, settling is no comfort: data that was deleted and is made again settles, too.`,
		Mend: []string{
			"Change the order: what makes room comes first, and what needs it only when a later reconcile sees that it is done.",
			"Let one write do both, where they are of one object.",
			"Give an object a name that only one can have, so that the API server refuses the second.",
			"If the moment does no harm, let the property say which moments do.",
		},
		Links: []finding.Link{conventions, controllers, concepts},
	})
}
