package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("operator/buggy.cfg", "operator/Operator.cfg", finding.Rule{
		ID: "SEA6001", Name: "invariant",
		Title:   "an invariant of a specification is false",
		Means:   "What the configuration names under INVARIANT is true in every state that can be reached, from the initial ones on. The trace is a shortest behaviour to a state in which it is false.",
		Excuses: "What happens between two states: a step is atomic. States that a constraint keeps out are not explored further.",
		Why: `Two steps that were thought of as one: a process reads, another writes, and the first acts on what it has read. A process ends between two of its writes and begins again. A message comes late, twice, or after its answer was given up.

Each of these is a few lines of the specification, and the orders of them are what nobody goes through by hand.`,
		Mend: []string{
			"Look for the last step after which all was still as meant: the one behind it is mostly right, and relies on something that no longer is.",
			"Let what is decided be written down in the step that decides.",
			"Let one step look again at what another may have changed, and make both conflict: a version, a name that only one can have.",
			"If the state is harmless, let the invariant say which states are.",
		},
		Links: []finding.Link{book, learn},
	})
}
