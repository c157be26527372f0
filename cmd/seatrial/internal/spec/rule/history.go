package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("operator/twice.jsonl", "operator/once.jsonl", finding.Rule{
		ID: "SEA6007", Name: "history",
		Title:   "a recorded history is no behaviour of the specification",
		Means:   "What was observed of the variables, event by event, is what some behaviour of the specification shows. What is not observed may be anything, and may change at any time.",
		Excuses: "A history that begins when something is there already, and a specification that begins with nothing: let the initial condition admit it.",
		Why:     `A specification says what a controller does as long as somebody keeps the two together. A write that no step explains is either a defect of the controller, which does what was never meant, or of the specification, and then what was proved with it was proved of something else.`,
		Mend: []string{
			"If the controller did what it should not: the steps show how far it was right, and the event what came then.",
			"If it may do that: add the step to the specification, and check it again.",
			"If the operator that observes says something else than is meant: change that.",
		},
		Links: []finding.Link{book, learn},
	})
}
