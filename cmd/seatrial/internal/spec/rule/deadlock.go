package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("rollout/stuck.cfg", "rollout/Rollout.cfg", finding.Rule{
		ID: "SEA6002", Name: "no-deadlock",
		Title:   "a state is reached in which no action is possible",
		Means:   "In every state that can be reached some action is possible, if only one that changes nothing. It is looked for unless the configuration says CHECK_DEADLOCK FALSE, or --deadlock=false is given.",
		Excuses: "States in which everything is done: an action that is possible there, and changes nothing, says that they are meant.",
		Why: `Each process waits for another: for a lock, a message that was lost, room that is only made by what waits for it. Or a guard is too strong: of two limits that are both 0, neither lets anything begin.

A behaviour of a specification may stop at any time without fairness. A deadlock is more: nothing could go on.`,
		Mend: []string{
			"Look which guard should be true in the last state, and why it is not.",
			"Where the last state is the end that was meant, give the specification an action for it: Done == finished /\\ UNCHANGED vars.",
			"Where ends are of no interest, say CHECK_DEADLOCK FALSE in the configuration.",
		},
		Links: []finding.Link{book, learn},
	})
}
