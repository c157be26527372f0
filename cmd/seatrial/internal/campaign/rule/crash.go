package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("unchecked-nil", finding.Rule{
		ID: "SEA3003", Name: "crash",
		Title:   "the operator panics or ends",
		Means:   "The operator's process lives as long as nobody ends it, and says of no panic: neither of one that ended it nor of one that was recovered and logged. Its output is read, in Go, Java, Python, Rust, Node and .NET.",
		Excuses: "Errors that are logged, with a stack trace or without. That a process ends which has lost its lease.",
		Why: `A part of the resource that users may leave out is a nil pointer in the program, an empty list, or a map that nobody has made. As long as examples have it, nobody sees that. The resource stays as it is, so each new process reads it first and panics again, and meanwhile nothing is done for any other resource.

controller-runtime recovers from panics since 0.19 and tries again: the operator seems to live, and this one resource is never done.`,
		Mend: []string{
			"Check optional parts before they are used.",
			"Give them defaults in the CustomResourceDefinition, and require what there is no default for.",
			"Bound numbers and lengths in the schema: a size of 0 or -1 is a panic in some library.",
			"Reject in a validating webhook or by CEL what only makes sense together.",
		},
		Links: []finding.Link{recoverpanic, defaults, validation},
	})
}
