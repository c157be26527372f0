package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("shared-default", finding.Rule{
		ID: "SEA3006", Name: "restart",
		Title:   "an operator that is killed and started again does something else",
		Means:   "When all is quiet, and the operator is killed with SIGKILL and started again, it gets ready, comes to rest and writes nothing that counts: the new process comes to what the old one had done.",
		Excuses: "A status that is written and taken back. What the process does to objects that were there before the custom resource, such as its own certificates. What others write. That it does not get ready as it wants what cannot be reached, if the campaign names that in `unreachable`.",
		Why: `Something is kept in memory and nowhere else: what was seen first, a default that an earlier resource has set in a package variable, a set of names that were handled, a template that is changed in place. The process then knows more than the cluster says, and the result depends on how long it has lived and on what it saw.

Or the old process had not done it at all: it missed a change, since nothing that it watches told it, and only the list at its start did.

A process that does not get ready may wait at its start for what only it makes, which was not there yet when the first one started.`,
		Mend: []string{
			"Derive everything from the API server in each reconcile; take memory for a cache that may be empty.",
			"Copy package-level defaults before they are changed.",
			"Write down what has to be known later, in the status or an annotation.",
			"Watch everything that a reconcile reads.",
		},
		Links: []finding.Link{controllers, questions},
	})
}
