package oracle

import (
	"slices"

	"github.com/seatrial/seatrial/history"
)

const onDelete = "OnDelete"

func init() {
	mask(Mask{
		Name:   "on-delete",
		Reason: "Kubernetes does not replace the pods of a workload whose update strategy is OnDelete: that is what the custom resource asks for, or the operator, which would, asks them first for what the campaign's file says that is not to be had (unreachable)",
		object: func(v *view, s history.State, key history.Key) bool {
			above := runner(s, key)
			return key.Resource == pods && (v.c.waits(s[above]) || v.outdated[above])
		},
		change: func(v *view, d *history.Difference, ch history.Change) bool { return v.tells(d.Key, ch, v.outdated) },
	})
}

// waits tells whether the pods of a workload stay as they are until the operator deletes them, which it may not do
// here.
func (c *Case) waits(workload history.Object) bool {
	return len(c.Unreachable) > 0 && workload.Text("spec", "updateStrategy", "type") == onDelete
}

// outdated are the workloads of a state that have pods of an older template, and whose users want to delete these themselves: the custom
// resource says OnDelete.
func (c *Case) outdated(s history.State) map[history.Key]bool {
	out := map[history.Key]bool{}
	if !says(c.Last().End[c.Key].At("spec"), onDelete) {
		return out
	}
	for key, o := range s {
		n, runs := wanted(key.Resource, o)
		updated := map[string]string{statefulSets: "updatedReplicas", daemonSets: "updatedNumberScheduled"}[key.Resource]
		if runs && updated != "" && o.Text("spec", "updateStrategy", "type") == onDelete && number(o, "status", updated) < n {
			out[key] = true
		}
	}
	return out
}

// says tells whether a text stands anywhere in a value.
func says(v any, text string) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, inner := range v {
			if says(inner, text) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(inner any) bool { return says(inner, text) })
	}
	return v == text
}
