package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("rollout/broken.cfg", "rollout/Rollout.cfg", finding.Rule{
		ID: "SEA6003", Name: "temporal-property",
		Title:   "a property of whole behaviours is false",
		Means:   "What the configuration names under PROPERTY is true of every behaviour of the specification, also of those without an end. The trace of one for which it is false ends in a loop, in a state that stays for ever, or at a step that is not allowed.",
		Excuses: "Behaviours that are not fair, as far as the specification asks for fairness: WF and SF in what the configuration names under SPECIFICATION.",
		Why: `Something good that is to happen at last does not: two processes undo what the other has done, for ever; one is never woken again; a retry comes too late each time. Or nothing happens any more, since the specification does not say that what can be done is done.

Safety and liveness fail differently: what never happens has no last step to look at. It is the loop that shows what goes on instead.`,
		Mend: []string{
			"Look which action could lead out of the loop, and whether it is possible at one place in it (then strong fairness is needed) or at all of them (then weak fairness does).",
			"Ask for the fairness that the system has, and for no more: that what is sent arrives, that a process goes on, not that users act.",
			"If each step of the loop is right, something has to give way: a back-off, an order, an owner of what both write.",
		},
		Links: []finding.Link{book, examples},
	})
}
