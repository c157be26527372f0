package oracle

import (
	"slices"

	"github.com/seatrial/seatrial/history"
)

const forcedName = "forced-rollback"

func init() {
	mask(Mask{
		Name:   forcedName,
		Reason: "a StatefulSet says what its pods are to be, and Kubernetes waits for a broken one of before to become ready (OrderedReady): a limit of Kubernetes that its documentation has, where the operator has done its part",
		object: func(v *view, s history.State, key history.Key) bool {
			return key.Resource == pods && v.forced[v.above(key.Generic(s[key]))]
		},
		change: func(v *view, d *history.Difference, ch history.Change) bool {
			return v.tells(d.Key, ch, v.forced)
		},
	})
}

// forced are the StatefulSets that have a pod of an older template which is not ready, and in whose order
// nothing happens before it is.
func forced(s history.State) map[history.Key]bool {
	out := map[history.Key]bool{}
	for key, o := range s {
		newest := o.Text("status", "updateRevision")
		if key.Resource != statefulSets || newest == "" || o.Text("spec", "podManagementPolicy") == "Parallel" || o.Text("spec", "updateStrategy", "type") == "OnDelete" {
			continue
		}
		out[key] = slices.ContainsFunc(podsOf(s, key), func(pod history.Key) bool {
			return !isReady(s[pod]) && s[pod].Text("metadata", "labels", "controller-revision-hash") != newest
		})
		if !out[key] {
			delete(out, key)
		}
	}
	return out
}

// forced are those of the end of the last step, unless that mask is taken away.
func (c *Case) forced() map[history.Key]bool {
	if slices.Contains(c.Keep, forcedName) {
		return nil
	}
	return forced(c.Last().End)
}

// unforced are the problems of the end of the last step but for StatefulSets that need a forced rollback, and what
// the custom resource says then.
func (c *Case) unforced() []problem {
	sets := c.forced()
	return slices.DeleteFunc(c.problems(c.Last().End), func(p problem) bool {
		return sets[p.key] || p.key == c.Key && len(sets) > 0
	})
}
