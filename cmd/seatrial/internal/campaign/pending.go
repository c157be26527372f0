package campaign

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// starting says which pod has not started yet: one that nothing else counts, since the operator has made
// it itself.
func starting(s history.State) string {
	for _, k := range s.Keys() {
		if k.Resource == "pods" && s[k].Text("status", "phase") == "Pending" {
			return fmt.Sprintf("%s has not started", k)
		}
	}
	return ""
}

// orphan says what is still there of a custom resource that is gone. The garbage collector of a cluster looks only
// twice a minute whether there are new kinds of owners, and the campaign may have brought this one.
func orphan(s history.State, key history.Key) string {
	if s[key] != nil {
		return ""
	}
	_, group, _ := strings.Cut(key.Resource, ".")
	for _, k := range s.Keys() {
		owners, _ := s[k].At("metadata", "ownerReferences").([]any)
		for _, each := range owners {
			owner, _ := each.(map[string]any)
			version, _ := owner["apiVersion"].(string)
			if of, _, _ := strings.Cut(version, "/"); of == group && owner["name"] == key.Name {
				return fmt.Sprintf("%s is still there, and its owner is gone", k)
			}
		}
	}
	return ""
}

// pending says which workload is not ready, has not been seen by its controller or is to be scaled, which namespace is
// being deleted, or which Job is not over: what Kubernetes still has to do.
func pending(s history.State) string {
	for _, k := range s.Keys() {
		if _, runs := saysOf[k.Resource]; !runs || s[k] == nil {
			continue
		}
		if why := unready(k.Resource, s[k]); why != "" {
			return fmt.Sprintf("%s: %s", k, why)
		}
	}
	return cmp.Or(scaling(s), emptied(s), atWork(s))
}

// passing tells whether a pod is being deleted that its kubelet ends before long, or counted as such: what is read of
// workloads, and said of them, is not as it will be until it has gone.
func passing(s history.State) bool {
	for k, o := range s {
		switch k.Resource {
		case "pods":
			held, _ := o.At("metadata", "finalizers").([]any)
			if o.At("metadata", "deletionTimestamp") != nil && o.Text("spec", "nodeName") != "" && len(held) == 0 {
				return true
			}
		case "deployments.apps":
			if n, _ := o.Number("status", "terminatingReplicas"); n > 0 {
				return true
			}
		}
	}
	return false
}

// others says what others than the operator have to bring about.
func others(s history.State) string {
	if why := pending(s); why != "" || !passing(s) {
		return why
	}
	return "pods are being deleted"
}

// emptied says which namespace is being deleted.
func emptied(s history.State) string {
	for _, k := range s.Keys() {
		if k.Resource == "namespaces" && s[k].At("metadata", "deletionTimestamp") != nil {
			return fmt.Sprintf("%s is being deleted", k)
		}
	}
	return ""
}

// waits says what is not there yet: workloads, and what was not observed or is being deleted.
func waits(s history.State, key history.Key) string {
	if why := pending(s); why != "" {
		return why
	}
	for _, k := range s.Keys() {
		o := s[k]
		if o == nil {
			continue
		}
		if k == key && o.At("metadata", "deletionTimestamp") != nil {
			return fmt.Sprintf("%s is being deleted", k)
		}
		if seen, ok := o.Number("status", "observedGeneration"); ok {
			if generation, _ := o.Number("metadata", "generation"); seen < generation {
				return fmt.Sprintf("%s: generation %d is not observed, %d is", k, generation, seen)
			}
		}
	}
	return ""
}

// unready says what of a workload is not as it will be: its controller has not seen it, not all of its pods are ready
// or of its last template, or they do not count as available yet. It is empty if nothing is left to do.
func unready(resource string, o history.Object) string {
	if generation, ok := o.Number("metadata", "generation"); ok {
		if seen, _ := o.Number("status", "observedGeneration"); seen < generation {
			return "its controller has not seen it"
		}
	}
	said := saysOf[resource]
	want, ok := o.Number(said.want...)
	if !ok {
		return ""
	}
	if ready, _ := o.Number("status", said.ready); ready != want {
		return fmt.Sprintf("%d of %d pods are ready", ready, want)
	}
	paused, _ := o.At("spec", "paused").(bool)
	if said.updated != "" && !paused && o.Text("spec", "updateStrategy", "type") != "OnDelete" {
		partition, _ := o.Number("spec", "updateStrategy", "rollingUpdate", "partition")
		if updated, _ := o.Number("status", said.updated); updated < want-partition {
			return fmt.Sprintf("%d of %d pods are updated", updated, want-partition)
		}
	}
	if least, _ := o.Number("spec", "minReadySeconds"); least > 0 && least <= availableMost {
		if available, _ := o.Number("status", said.available); available != want {
			return fmt.Sprintf("%d of %d pods are available", available, want)
		}
	}
	return ""
}

// availableMost is the longest minReadySeconds behind which it is waited for pods to be available.
const availableMost = 10

// saysOf is where workloads say how many pods they want and have; what is 0 is not there.
var saysOf = map[string]struct {
	want                      []string
	ready, updated, available string
}{
	"deployments.apps":  {[]string{"spec", "replicas"}, "readyReplicas", "updatedReplicas", "availableReplicas"},
	"statefulsets.apps": {[]string{"spec", "replicas"}, "readyReplicas", "updatedReplicas", "availableReplicas"},
	"replicasets.apps":  {[]string{"spec", "replicas"}, "readyReplicas", "", "availableReplicas"},
	"daemonsets.apps":   {[]string{"status", "desiredNumberScheduled"}, "numberReady", "updatedNumberScheduled", "numberAvailable"},
}
