package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("eviction/unguarded.cfg", "eviction/Eviction.cfg", finding.Rule{
		ID: "SEA6004", Name: "assertion",
		Title:   "something that is asserted is false",
		Means:   "Each Assert of TLC, and each assert of PlusCal, is true whenever it is evaluated; a POSTCONDITION of the configuration is when all is explored. The trace leads to the state in which it is not.",
		Excuses: "Assertions of steps that are never possible: they are never evaluated.",
		Why:     `An assertion is what its author knew at this place of the algorithm. That it is false says that a step comes here in another way than was thought of, which is mostly an order of processes, and that what follows rests on something that is not so.`,
		Mend: []string{
			"Go back in the trace to the first step after which the asserted condition cannot come true any more.",
			"Let the step wait for the condition (await), if that is what was meant.",
			"If it may be false here, handle that case, and take the assertion out.",
		},
		Links: []finding.Link{pluscal, book},
	})
}
