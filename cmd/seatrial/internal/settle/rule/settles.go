package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("generatedname", finding.Rule{
		ID: "SEA5001", Name: "settles",
		Title:   "what is desired does not come to be, or does not stay",
		Means:   "When users stop to change what they desire, and faults end, the cluster comes to match it (Match) and stays so, whatever has happened before: in every order of requests, with the process killed at each of them, answers lost, and each other fault that the test names. This is eventually stable reconciliation, the property that verified controllers are proved to have.",
		Excuses: "How long it takes, and what there is on the way. Faults and users that never stop. That a reconcile comes only because somebody restarts the process, or resyncs: nobody does.",
		Why: `The trace ends in a state that stays (it is stuck) or in a loop (a livelock). Stuck are reconcilers that have done one of two writes when they are killed, and take the first, which they find done, as a sign of both; that return without an error and without a requeue where something is missing that no watch of theirs tells of; that note in the status what they wanted to do, and do not look again.

Loops are an error that each attempt meets again (AlreadyExists of one's own create, whose answer was lost; a refused write), or two who write the same field with different values, each woken by the write of the other.`,
		Mend: []string{
			"Decide on what there is, not on what was noted: look for the children at each reconcile, and take the status for a report to others.",
			"Let names of children follow from their owner, and take AlreadyExists for success after a look at whose object it is.",
			"Watch what is created (Owns), so that its deletion brings a reconcile.",
			"Return an error, or RequeueAfter, as long as anything is missing that no watch tells of.",
		},
		Links: []finding.Link{
			{Title: "Anvil: verifying liveness of cluster management controllers", URL: "https://www.usenix.org/conference/osdi24/presentation/sun-xudong"},
			controllers, questions,
		},
	})
}
