package campaign

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/history"
)

// atWork says which Job is not over, and has a pod that may still end it, or will have one: who waits for it writes
// nothing until then.
func atWork(s history.State) string {
	for _, k := range s.Keys() {
		o := s[k]
		if k.Resource != "jobs.batch" || o == nil || o.At("metadata", "deletionTimestamp") != nil || o.At("spec", "suspend") == true || ended(o) {
			continue
		}
		never := false
		for pod, p := range s {
			owners, _ := p.At("metadata", "ownerReferences").([]any)
			for _, each := range owners {
				owner, _ := each.(map[string]any)
				if pod.Resource == "pods" && pod.Namespace == k.Namespace && owner["kind"] == "Job" && owner["name"] == k.Name {
					never = never || neverReady(p)
				}
			}
		}
		if !never {
			return fmt.Sprintf("%s is not over", k)
		}
	}
	return ""
}

// ended tells whether a Job is complete or has failed.
func ended(job history.Object) bool {
	all, _ := job.At("status", "conditions").([]any)
	for _, each := range all {
		c, _ := each.(map[string]any)
		if (c["type"] == "Complete" || c["type"] == "Failed") && c["status"] == "True" {
			return true
		}
	}
	return false
}

// goesOn takes a step for over in which nothing moves but that a Job goes on: that may be what it is for.
func goesOn(rest *stage.Rest, s history.State) {
	if !rest.Quiet && rest.Why != "" && rest.Why == atWork(s) {
		rest.Quiet, rest.Why = true, ""
	}
}
