package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("blocked-repair", finding.Rule{
		ID: "SEA3002", Name: "recovery",
		Title:   "a mistake in the resource is taken back, and what it did stays",
		Means:   "When a resource that could not work, or with which the operator failed, is set back to what it was, the cluster comes to be as if it had never been wrong, in the time that a step has. It is compared with a run that never had the mistake.",
		Excuses: "What a run that never had the mistake has as well; what the masks of SEA3001 leave out: also a StatefulSet that says again what is right, and whose broken pod Kubernetes waits for, in its order. How long it takes within a step.",
		Why: `Operators wait: for the pods to be ready before the next is updated, for a Job to succeed, for a claim to be bound. If what they wait for cannot come because of the mistake, they wait in front of the very write that would mend it. Kubernetes' own StatefulSets do that with OrderedReady, and so do operators that look at the health of what runs before they look at what is desired.

Users then have to delete pods by hand, in the middle of an outage.`,
		Mend: []string{
			"Write what is desired first, and wait for health only before what could do harm.",
			"Let a template that is newer than the one of the broken pod replace the pod, however unhealthy it is: delete pods that never were ready.",
			"Give every wait an end, and look at the resource again behind it.",
			"For StatefulSets, podManagementPolicy: Parallel, where the order does not matter.",
		},
		Links: []finding.Link{forced, acto, controllers},
	})
}
