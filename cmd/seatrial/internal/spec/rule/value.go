package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("operator/careless.cfg", "operator/Operator.cfg", finding.Rule{
		ID: "SEA6005", Name: "defined-value",
		Title:   "an expression has no value",
		Means:   "Everything that has to be evaluated in a state that can be reached has a value. TLA+ leaves open what a function is outside of its domain, what CHOOSE chooses where nothing fits, and whether 1 equals \"a\"; whoever relies on that has most likely made a mistake, so that it is an error with a trace.",
		Excuses: "What is not evaluated: the second part of a conjunction whose first part is false, the branch that is not taken.",
		Why:     `A record has no such field in one of its forms; a sequence is empty and its head is asked for; a map has no entry yet for a process that comes late; CHOOSE looks for an object that somebody else has deleted. In a program each of these is a nil that is followed.`,
		Mend: []string{
			"Look at the place and at the last state, and decide which of the two is not as it should be.",
			"Ask first, and in the same conjunction: x \\in DOMAIN f /\\ f[x] > 0.",
			"Let a type invariant say of which form each variable is, so that the step is found that leaves it.",
		},
		Links: []finding.Link{book, learn},
	})
}
