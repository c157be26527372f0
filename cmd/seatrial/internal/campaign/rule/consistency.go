package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("wrong-role", finding.Rule{
		ID: "SEA3012", Name: "consistency",
		Title:   "a value of the resource is not where it belongs, or still is where it no longer does",
		Means:   "Values that stand nowhere else in the cluster are written into the resource and followed. One that the resource does not say any more is nowhere else, and if nothing comes of a property, no other property's values go to its place. What an item of a list or a key of a map says is somewhere, as what the others say is, also where their names differ in little; and what one role says stays where it was when another one says something of the same name, as what an item says does when something else is changed. Where a number of it stood there is 0 when it is 0, if the schema says by a minimum that it may be, and no 0 when it is 100%; what has a number of it is there with another number and with a percentage. What is set stays as it was set in the resource itself. And where a quantity is written in another form (1536Mi, 1.50Gi), nothing changes.",
		Excuses: "What a run that had this resource from the beginning has in the same place. Claims and old revisions, which Kubernetes keeps. Numbers are followed only where they are new. Items that are of another kind, or have something else switched on. What is said for all, and gives way to what one says. What the operator takes out of the resource or switches off there: that may have been asked for once. A 0 of which the description says that it stands for something else.",
		Why: `The same as of SEA3001, seen from the value: a merge keeps what was taken away, an update forgets a field.

And one that no twin shows, since it is wrong from the beginning: code that was copied from one role to another (primary and replica, client and server), and reads the field of the first in both; names that are cut off or written with other signs, and then are one; a part that only the first item is asked for; a slice that several items append to; a percentage of which the number is asked for, which is 0; a quantity of which AsInt64 is asked, which has none for 1.5Gi.`,
		Mend: []string{
			"Look for the two places that the finding names, and for what they read.",
			"Make both roles by one function that is given its part of the resource.",
			"Where names are made of names, tell those apart that become one, or refuse them in the status.",
			"Have the whole child follow from the resource, each time.",
		},
		Links: []finding.Link{acto, ssa},
	})
}
