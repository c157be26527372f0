package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

func init() {
	mask(Mask{
		Name:   "versions",
		Reason: "earlier versions of a ConfigMap or Secret whose name ends with a sum of what is in it, which nothing else names any more: an operator keeps some, as Kubernetes keeps revisions of a workload, up to ten",
		object: func(v *view, s history.State, key history.Key) bool { return v.version(s, key) },
	})
}

// versionsMost is how many earlier versions there may be: as many as Deployments and StatefulSets keep by default
// (revisionHistoryLimit).
const versionsMost = 10

// version tells whether an object is an earlier version of the one that is there in the twin, too.
func (v *view) version(s history.State, key history.Key) bool {
	stem, last := stemOf(key), v.c.Last()
	_, was := last.Start[key]
	if stem == "" || !was && (last.Operation == nil || len(last.Operation.Overtakes) == 0) { // of what was overtaken there was one in between
		return false
	}
	if _, both := v.want.state[key]; both {
		return false
	}
	current, left := 0, 0
	for other := range s {
		alike := other.Resource == key.Resource && other.Namespace == key.Namespace && len(other.Name) == len(key.Name) && strings.HasPrefix(other.Name, stem)
		if !alike || stemOf(other) != stem {
			continue
		}
		if _, both := v.want.state[other]; both {
			current++
		} else {
			left++
		}
	}
	return current == 1 && left <= versionsMost && !v.spoken(key.Name[len(stem)+1:]) && !mentioned(s, key)
}

// spoken tells whether the custom resource has a text in its spec, or had it before the last operation.
func (v *view) spoken(text string) bool {
	last := v.c.Last()
	return strings.Contains(fmt.Sprint(last.Start[v.c.Key].At("spec")), text) || strings.Contains(fmt.Sprint(last.Resource.At("spec")), text)
}

// mentioned tells whether anything else in the namespace has the name of an object in it, but for what Kubernetes keeps
// of workloads as they were, and events.
func mentioned(s history.State, key history.Key) bool {
	for other, o := range s {
		if other == key || other.Namespace != key.Namespace || slices.Contains([]string{replicaSets, revisions, events, "events.events.k8s.io"}, other.Resource) {
			continue
		}
		for field, v := range o {
			if field == "metadata" {
				v = o.At("metadata", "annotations")
			}
			if strings.Contains(fmt.Sprint(v), key.Name) {
				return true
			}
		}
	}
	return false
}

// stemOf is that of the name of a ConfigMap or Secret; empty for another object.
func stemOf(key history.Key) string {
	if key.Resource != configMaps && key.Resource != secrets {
		return ""
	}
	return beforeSum(key.Name)
}
