package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("unset", finding.Rule{
		ID: "SEA5003", Name: "panics",
		Title:   "a reconcile panics",
		Means:   "No reconcile panics, whatever it reads and whichever of its requests fail. The trace shows the state that it is called in, and the answers that it had.",
		Excuses: "Panics of Match, Always and the other functions of a test: they end the search with an error, since nothing can be judged.",
		Why: `A map that is nil until somebody fills it; a pointer of the spec that users may leave out; the first item of a list that is empty after a failed request; an error that is checked after its result is used.

controller-runtime recovers from panics and counts them, unless it is told not to: the reconcile is tried again, and panics again, with what was done before done again each time. In a process that does not recover, one object stops the work for all.`,
		Mend: []string{
			"Check for what may be missing before it is used: nil maps, pointers and empty lists.",
			"Give fields defaults in the CustomResourceDefinition, and required where there is none.",
			"Return before what follows a failed request.",
		},
		Links: []finding.Link{
			{Title: "controller-runtime: RecoverPanic", URL: "https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/config#Controller"},
			{Title: "Defaults in CustomResourceDefinitions", URL: "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting"},
		},
	})
}
