package campaign

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// hopeless tells whether every workload that is not ready has a pod that will never be, whatever others than the
// operator do: its image is nowhere, or it asks for a node that there is not. A plane's registry and its nodes stay as
// they are.
func hopeless(s history.State) bool {
	some := false
	var never []history.Key
	for _, k := range s.Keys() {
		if o := s[k]; k.Resource == "pods" && o != nil && o.At("metadata", "deletionTimestamp") == nil && neverReady(o) {
			never = append(never, k)
		}
	}
	for _, k := range s.Keys() {
		o := s[k]
		if _, runs := saysOf[k.Resource]; !runs {
			continue
		}
		if o == nil || unready(k.Resource, o) == "" {
			continue
		}
		generation, _ := o.Number("metadata", "generation")
		if seen, _ := o.Number("status", "observedGeneration"); seen < generation || !slices.ContainsFunc(never, func(pod history.Key) bool {
			return pod.Namespace == k.Namespace && selects(o, s[pod])
		}) {
			return false
		}
		some = true
	}
	return some
}

// selects tells whether a workload's matchLabels are all labels of a pod.
func selects(workload, pod history.Object) bool {
	want, _ := workload.At("spec", "selector", "matchLabels").(map[string]any)
	has, _ := pod.At("metadata", "labels").(map[string]any)
	for name, v := range want {
		if has[name] != v {
			return false
		}
	}
	return len(want) > 0
}

// pulling are the reasons for which a container waits for an image that nobody has.
var pulling = []string{"ErrImagePull", "ImagePullBackOff", "InvalidImageName"}

// noNode is how the scheduler says that none of so many nodes is what a pod asks for, with how many are not.
var noNode = regexp.MustCompile(`^0/(\d+) nodes are available: (\d+) node\(s\) didn't match Pod's node affinity/selector\.`)

// neverReady tells whether a pod will never be ready.
func neverReady(pod history.Object) bool {
	for _, field := range []string{"initContainerStatuses", "containerStatuses"} {
		all, _ := pod.At("status", field).([]any)
		for _, each := range all {
			status, _ := each.(map[string]any)
			if slices.Contains(pulling, history.Object(status).Text("state", "waiting", "reason")) {
				return true
			}
		}
	}
	all, _ := pod.At("status", "conditions").([]any)
	return slices.ContainsFunc(all, func(each any) bool {
		c, _ := each.(map[string]any)
		if fmt.Sprint(c["type"]) != "PodScheduled" || c["status"] != "False" {
			return false
		}
		said, _ := c["message"].(string)
		m := noNode.FindStringSubmatch(strings.TrimSpace(said))
		return m != nil && m[1] == m[2]
	})
}
