package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("eviction/impossible.cfg", "eviction/Eviction.cfg", finding.Rule{
		ID: "SEA6006", Name: "assumption",
		Title:   "an assumption about the constants is false",
		Means:   "Each ASSUME of the modules is true of the constants that the configuration gives. Nothing is explored otherwise.",
		Excuses: "Assumptions that a proof rests on, and that need no value here: give them names that no configuration reaches, or leave them to the module of the proof.",
		Why:     `The model is not of what the specification is about: two limits that contradict each other, a set that has to have a member and has none, names that are to be different and are not. Whatever was found with it would say nothing.`,
		Mend: []string{
			"Change the constants in the configuration.",
			"If they are as they should be, the assumption asks for too much.",
		},
		Links: []finding.Link{book, learn},
	})
}
