package oracle

import (
	"maps"
	"slices"

	"github.com/seatrial/seatrial/history"
)

// Need is a Secret or ConfigMap that pods cannot be without, and that is not there.
type Need struct {
	Kind, Namespace, Name string
	// Keys are those that the pods ask for by name.
	Keys []string
}

// Needs are what pods wait for in a state that a resource names: nobody else may make it.
func Needs(s history.State, resource history.Object) (all []Need) {
	_, said := texts(resource.At("spec"))
	found := map[history.Key]map[string]bool{}
	for _, key := range s.Keys() {
		if key.Resource != pods || isReady(s[key]) {
			continue
		}
		spec, _ := s[key].At("spec").(map[string]any)
		for r, used := range referencesOf(spec) {
			at := history.Key{Resource: r.resource, Namespace: key.Namespace, Name: r.name}
			if _, there := s[at]; there || !said[r.name] {
				continue
			}
			for _, u := range used {
				if u.optional {
					continue
				}
				if found[at] == nil {
					found[at] = map[string]bool{}
				}
				for _, k := range u.keys {
					found[at][k] = true
				}
			}
		}
	}
	for _, at := range slices.SortedFunc(maps.Keys(found), history.Key.Compare) {
		kind := "Secret"
		if at.Resource == configMaps {
			kind = "ConfigMap"
		}
		all = append(all, Need{Kind: kind, Namespace: at.Namespace, Name: at.Name, Keys: slices.Sorted(maps.Keys(found[at]))})
	}
	return all
}

// unconfigured is the reason of a container that lacks what its environment is made of; its message says what that is.
const unconfigured = "CreateContainerConfigError"

// lacking is what a container waits for, in the words of its kubelet.
func lacking(status history.Object) string {
	reason := status.Text("state", "waiting", "reason")
	if message := status.Text("state", "waiting", "message"); reason == unconfigured && message != "" {
		return reason + ": " + message
	}
	return reason
}
