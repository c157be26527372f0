package oracle

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/history"
)

const onDelete = "OnDelete"

func init() {
	mask(Mask{
		Name:   "on-delete",
		Reason: "Kubernetes does not replace the pods of a workload whose update strategy is OnDelete, nor those of a StatefulSet below its partition: that is what the custom resource asks for, or the operator, which would, asks them first for what the campaign's file says that is not to be had (unreachable)",
		object: func(v *view, s history.State, key history.Key) bool {
			above := runner(s, key)
			return key.Resource == pods && (v.c.waits(s[above]) || v.outdated[above] && ordinal(key, above) < partition(s[above]))
		},
		change: func(v *view, d *history.Difference, ch history.Change) bool { return v.tells(d.Key, ch, v.outdated) },
	})
}

// waits tells whether the pods of a workload stay as they are until the operator deletes them, which it may not do
// here.
func (c *Case) waits(workload history.Object) bool {
	return len(c.Unreachable) > 0 && workload.Text("spec", "updateStrategy", "type") == onDelete
}

// outdated are the workloads of a state that have pods of an older template, and whose users want to delete these
// themselves, or to have them wait: the custom resource says OnDelete, or the partition.
func (c *Case) outdated(s history.State) map[history.Key]bool {
	out := map[history.Key]bool{}
	spec := c.Last().End[c.Key].At("spec")
	deletes := says(spec, onDelete)
	for key, o := range s {
		n, runs := wanted(key.Resource, o)
		updated := map[string]string{statefulSets: "updatedReplicas", daemonSets: "updatedNumberScheduled"}[key.Resource]
		if !runs || updated == "" || number(o, "status", updated) >= n {
			continue
		}
		if is := o.Text("spec", "updateStrategy", "type") == onDelete; is && deletes || !is && partition(o) > 0 && partitions(spec, partition(o)) {
			out[key] = true
		}
	}
	return out
}

// partition is the first ordinal of a StatefulSet whose pod is replaced; of one that replaces none by itself there is
// none.
func partition(o history.Object) int64 {
	if o.Text("spec", "updateStrategy", "type") == onDelete {
		return math.MaxInt64
	}
	return number(o, "spec", "updateStrategy", "rollingUpdate", "partition")
}

// ordinal is the number of a pod of a StatefulSet; 0 of any other.
func ordinal(pod, set history.Key) int64 {
	n, err := strconv.ParseInt(strings.TrimPrefix(pod.Name, set.Name+"-"), 10, 64)
	if set.Resource != statefulSets || err != nil {
		return 0
	}
	return n
}

// partitions tells whether a field with a name for that says a number anywhere in a value.
func partitions(v any, n int64) bool {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if inner == n && strings.Contains(strings.ToLower(name), "partition") || partitions(inner, n) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(inner any) bool { return partitions(inner, n) })
	}
	return false
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
