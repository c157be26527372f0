package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("kept-annotation", finding.Rule{
		ID: "SEA3001", Name: "twin",
		Title:   "what there is depends on what the resource was before",
		Means:   "When an operation is done and all is quiet, the cluster is as one in which the custom resource was never another: a second run, of the same operator on an empty cluster, which had this resource as its first. Both are compared object by object and field by field, the custom resource's own status too; what users see there is part of what they asked for. That a Secret or ConfigMap says something else to which the custom resource refers is an operation as well.",
		Excuses: "What differs between two such runs that had nothing else to do: passwords and names that are drawn. What Kubernetes itself keeps or counts, as old ReplicaSets, claims of a StatefulSet that became smaller, and revisions: the masks, which a report lists, each with its reason. A resource that the operator declines to follow, and says so in its status. Behind a misoperation nothing is compared.",
		Why: `A reconcile that only adds never takes back: labels and annotations of the resource are merged into those that a child has, and nobody knows any more which of them were whose. One that creates what is missing, and leaves alone what is there, is right for a new resource and wrong for a changed one. One that copies some of the fields of a child forgets others, mostly those that were added last, or those that cannot be changed and would need a new object. And a feature that is switched off leaves its objects behind, since no line of code is about what should not be.

Tests that begin with an empty cluster see none of this.`,
		Mend: []string{
			"Make the whole child of the resource, and compare or apply all of it: server-side apply takes away what you no longer send.",
			"Remember which labels, annotations and children were yours, as an owner's label or an applied configuration does, and delete what is not wanted any more.",
			"Where a field cannot be changed, make the object anew, or say in the status that it is not followed.",
			"Let the code for a feature have two branches: one that makes its objects, and one that deletes them.",
		},
		Links: []finding.Link{ssa, acto, conventions},
	})
}
