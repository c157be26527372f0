package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("hopeful-status", finding.Rule{
		ID: "SEA3016", Name: "status",
		Title:   "the status says that all is well while pods cannot become ready",
		Means:   "Where pods of what the operator made cannot become ready (no node is what they ask for, their image is nowhere) and none is, no condition Ready, Available or Healthy of the custom resource is True, and its phase is not Running or the like. A number of the status that counted the pods that are ready with the seed is no larger than that.",
		Excuses: "A status that says itself that it is about the resource as it was (observedGeneration), also of one condition. A change that the operator declines, in words of its own. What the status said of the seed, too, before any pod was ready: that is about what the operator has done. An operator that waits for what it cannot reach on a plane. Where some pods are ready, only numbers are looked at: what Ready means then, the operator decides.",
		Why: `The condition is set when all has been written, and not when it is there. Or the number of pods is copied from what is asked for. Or the status was right once, and nobody looks again when a workload changes, since the operator does not watch it.

Whoever waits for the condition goes on: a pipeline that deploys the next stage, kubectl wait, a GitOps tool that shows all green while nothing serves.`,
		Mend: []string{
			"Compute conditions from the status of the workloads in each reconcile: readyReplicas, updatedReplicas and their observedGeneration.",
			"Watch what is owned, so that a change of its status is a reconcile.",
			"Give each condition the generation that it is about.",
		},
		Links: []finding.Link{conventions, acto},
	})
}
