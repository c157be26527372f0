package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("trusted-size", finding.Rule{
		ID: "SEA3007", Name: "misoperation",
		Title:   "a resource that cannot work is taken, and ends what ran",
		Means:   "A resource that cannot work (an image that is not there, a claim that no node can satisfy, a size of 0) is refused, or leaves enough of what runs: of no workload all ready pods go.",
		Excuses: "Pods that stay as they were while new ones do not start. Workloads that have no pods because they are to have none, if the operator says that it is meant, or warns of it; that nothing is ready only follows. A StatefulSet or DaemonSet of one pod: Kubernetes takes that away before it makes another. A DaemonSet whose nodes are none any more. What did not run before. A workload that is deleted because its number is 0, beside others that run on: it is optional.",
		Why:     "The schema takes any text, and the operator passes it on: deletes the old objects to make new ones that nobody can start, or replaces all pods at once. Kubernetes' own controllers are careful with that, as long as they are left to it: a Deployment keeps its old pods until new ones are ready, a StatefulSet stops at the first that is not.",
		Mend: []string{
			"Bound values in the schema, by enum, pattern, minimum and CEL rules.",
			"Leave updates to the workload's own rolling update, and do not delete workloads or pods to change them.",
			"Check what can be checked before anything is written: that a class or Secret is there.",
			"Say what is wrong in a condition, so that people see it before they look at pods.",
		},
		Links: []finding.Link{validation, deployment, acto},
	})
}
