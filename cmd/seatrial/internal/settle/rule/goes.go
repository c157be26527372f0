package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("finalizer", finding.Rule{
		ID: "SEA5006", Name: "goes",
		Title:   "what is deleted does not go, or something of it stays",
		Means:   "When users have deleted what they asked for, it goes: its finalizers are removed, whatever has happened on the way. And with Gone, nothing is left of it: what that says is in the end nothing, after what has no owner any more was collected.",
		Excuses: "How long it takes. Objects whose owner is gone are collected, and do not count as long as that can still happen. Where users ask for it again at once, the old one has to go first.",
		Why: `A finalizer is removed by a controller that has come to the end of its cleaning up. Cleaning up that fails because there is nothing to clean up any more (NotFound, the second time) never comes to its end, and the object stays for ever; so does its namespace.

The other way round, a finalizer that is added after the first thing to clean up was made, or removed before the cleaning is done, leaves what nobody knows of when the process is killed between the two.`,
		Mend: []string{
			"Take NotFound for success when something is deleted: client.IgnoreNotFound.",
			"Add the finalizer, and wait for the answer, before anything is made that it is to clean up.",
			"Remove it as the last write, after a look at whether all is gone.",
			"Give children an owner reference instead, where they are in the same namespace: what has no owner is collected.",
		},
		Links: []finding.Link{finalizers, owners, controllers},
	})
}
