package replay

import (
	"encoding/json"
	"fmt"

	"github.com/seatrial/seatrial/trace"
)

// usable tells whether a trace says enough, and does not contradict itself in what
// a replay relies on.
func usable(t *trace.Trace) error {
	if t.Setup == nil {
		return Unusable{"the trace has no setup: it was written by an older version, or cut out of a report; give the whole report (traces of reconcilers have none: see seatrial settle export)"}
	}
	if t.Setup.Kubernetes != Kubernetes {
		return Unusable{fmt.Sprintf("the trace is of Kubernetes %s, and this replays %s: check again with this version", t.Setup.Kubernetes, Kubernetes)}
	}
	on, err := placed(t)
	if err != nil {
		return err
	}
	for i := range t.Steps {
		for j := range t.Steps[i].Acts {
			a := &t.Steps[i].Acts[j]
			if _, known := verbs[a.Verb]; !known && a.Role != trace.RoleInner {
				return Unusable{fmt.Sprintf("step %d: verb %q is not known", i+1, a.Verb)}
			}
			if a.Verb == "bind" && (a.Pod == nil || a.Pod.Node == "") {
				return Unusable{fmt.Sprintf("step %d: a bind without a node", i+1)}
			}
			if a.Pod == nil {
				continue
			}
			id := identityOf(a.Pod)
			if a.Verb != "bind" && a.Verb != trace.VerbCreate && on[id] != a.Pod.Node {
				return Unusable{fmt.Sprintf("step %d: %s is on %q, and by the steps before on %q", i+1, id, a.Pod.Node, on[id])}
			}
			on[id] = a.Pod.Node
		}
	}
	return nil
}

// placed is where each pod is at the start; its node has to be one of the setup.
func placed(t *trace.Trace) (map[identity]string, error) {
	nodes := map[string]bool{"": true}
	for _, raw := range t.Setup.Objects {
		var object struct {
			Kind     string
			Metadata struct{ Name string }
		}
		if err := json.Unmarshal(raw, &object); err != nil {
			return nil, Unusable{"an object of the setup: " + err.Error()}
		}
		if object.Kind == "Node" {
			nodes[object.Metadata.Name] = true
		}
	}
	on := map[identity]string{}
	for i := range t.Pods {
		p := &t.Pods[i]
		if !nodes[p.Node] {
			return nil, Unusable{fmt.Sprintf("at the start %s is on node %q, which the setup does not have", podName(p), p.Node)}
		}
		on[identityOf(p)] = p.Node
	}
	return on, nil
}
