package replay

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// request is a write that is parked at the gate, with the object as it is now.
type request struct {
	admin.Parked
	body history.Object
	now  history.Object
	// seen: the object is or was in the view. The history may come a little later
	// than what somebody wants to write upon it.
	seen bool
}

// held are the writes of components that are actions, or on which actions depend:
// the others pass.
var held = []admin.Match{
	{Actor: "replicaset-controller", Resource: "pods"},
	{Actor: "deployment-controller", Resource: "replicasets.apps"},
	{Actor: "kube-scheduler", Resource: "pods"},
	{Actor: "kube-scheduler", Resource: "pods/binding"},
	{Actor: "kube-scheduler", Resource: "pods/status"},
	{Actor: "horizontal-pod-autoscaler-controller", Resource: "deployments.apps/scale"},
	{Actor: "horizontal-pod-autoscaler-controller", Resource: "replicasets.apps/scale"},
	{Actor: "node-lifecycle-controller", Resource: "nodes"},
	{Actor: "node-lifecycle-controller", Resource: "nodes/status"},
	{Actor: "node-lifecycle-controller", Resource: "pods/status"},
	{Actor: "taint-eviction-controller", Resource: "pods"},
	{Actor: "garbage-collector-controller", Resource: "pods"},
	{Actor: "garbage-collector-controller", Resource: "replicasets.apps"},
	{Actor: "pod-garbage-collector-controller", Resource: "pods"},
	{Actor: "disruption-controller", Resource: "poddisruptionbudgets.policy/status"},
	{Actor: "descheduler", Resource: "pods/eviction"},
	{Actor: "kubelet", Resource: "pods"},
	{Actor: "kubelet", Resource: "pods/status"},
	{Actor: "kubelet", Resource: "nodes/status"},
}

// read makes a request of what is parked.
func (r *run) read(p admin.Parked) (request, error) {
	out := request{Parked: p}
	if len(p.Body) > 0 {
		if err := json.Unmarshal(p.Body, &out.body); err != nil {
			return out, fmt.Errorf("%s %s %s: %w", p.Actor, p.Verb, p.Resource, err)
		}
	}
	out.now = r.view.object(out.base(), p.Namespace, p.Name)
	out.seen = r.view.seen[history.Key{Resource: out.base(), Namespace: p.Namespace, Name: p.Name}]
	return out, nil
}

// base is the resource without the subresource.
func (q request) base() string {
	base, _, _ := strings.Cut(q.Resource, "/")
	return base
}

func (q request) pod() name { return name{q.Namespace, q.Name} }

// effective tells whether a request does something that a trace could tell of:
// what it does not, such as a condition's new message, is let through at once. Of
// an object that the history has not shown yet, nothing is known.
func (q request) effective() bool {
	if q.now == nil && q.Name != "" && q.Verb != "create" {
		return !q.seen // of what is gone a write does nothing
	}
	switch q.Resource {
	case "pods":
		return q.Verb == "create" || q.Verb == "delete"
	case "replicasets.apps":
		return q.Verb == "create" || q.Verb == "delete" || q.replicas()
	case "pods/status":
		return q.status()
	case "nodes":
		return q.taints()
	case "nodes/status":
		return q.conditioned() && !q.sameReady()
	case "poddisruptionbudgets.policy/status":
		return q.budget()
	}
	return true
}

// replicas tells whether spec.replicas changes.
func (q request) replicas() bool {
	wanted, ok := whole(q.body, "spec", "replicas")
	is, known := whole(q.now, "spec", "replicas")
	return ok && (!known || wanted != is)
}

// status tells whether a pod's status changes in what the trace knows of: its
// phase, whether it is ready, its nomination. What is being deleted is not ready
// any more whatever its status says.
func (q request) status() bool {
	if phase := text(q.body, "status", "phase"); phase != "" && phase != text(q.now, "status", "phase") && !terminating(q.now) {
		return true
	}
	if nominated, ok := q.body.At("status", "nominatedNodeName").(string); ok && nominated != text(q.now, "status", "nominatedNodeName") {
		return true
	}
	return !terminating(q.now) && q.conditioned() && !q.sameReady()
}

// ends tells whether a kubelet says of a pod that is being deleted that its containers have
// ended. It deletes the pod then; to the scheduler it is as good as gone already.
func (q request) ends() bool {
	phase := text(q.body, "status", "phase")
	return q.Actor == "kubelet" && q.Resource == "pods/status" && terminating(q.now) && (phase == "Succeeded" || phase == "Failed")
}

// taints tells whether a node's taints are written: also as none, or as a
// directive about some.
func (q request) taints() bool {
	spec, _ := q.body.At("spec").(map[string]any)
	for key := range spec {
		if strings.HasSuffix(key, "taints") {
			return true
		}
	}
	return false
}

// conditioned tells whether the body says something of the condition Ready.
func (q request) conditioned() bool {
	conditions, _ := q.body.At("status", "conditions").([]any)
	for _, c := range conditions {
		if condition, ok := c.(map[string]any); ok && condition["type"] == "Ready" && condition["status"] != nil {
			return true
		}
	}
	return false
}

func (q request) sameReady() bool { return ready(q.body) == ready(q.now) }

// budgetFields are those of a budget's status that count pods.
var budgetFields = []string{"disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"}

// budget tells whether the counts of a budget's status change.
func (q request) budget() bool {
	for _, field := range budgetFields {
		wanted, ok := whole(q.body, "status", field)
		is, known := whole(q.now, "status", field)
		if ok && (!known || wanted != is) {
			return true
		}
	}
	return false
}

// becomes is what a pod's status becomes.
func (q request) becomes() string {
	said := ""
	if phase := text(q.body, "status", "phase"); phase != "" && phase != text(q.now, "status", "phase") {
		said += ", " + phase
	}
	if q.conditioned() && !q.sameReady() {
		said += map[bool]string{true: ", ready", false: ", not ready"}[ready(q.body)]
	}
	if node := text(q.body, "status", "nominatedNodeName"); node != "" {
		said += ", nominated to " + node
	}
	return said
}

// shown is a request in the trace's words.
func (r *run) shown(q request) string {
	text := q.Actor + " "
	switch q.Resource {
	case "pods/binding":
		node, _ := q.body.At("target", "name").(string)
		return text + "bind " + r.pods.shown(q.pod()) + " on " + node
	case "pods/eviction":
		return text + "evict " + r.pods.shown(q.pod())
	case "pods", "pods/status":
		if q.Verb == "create" {
			_, set := controller(q.body)
			return text + "create pod of ReplicaSet " + q.Namespace + "/" + set
		}
		return text + q.Verb + " " + strings.TrimPrefix(q.Resource, "pods/") + " " + r.pods.shown(q.pod()) + q.becomes()
	}
	text += q.Verb + " " + q.Resource + " " + strings.TrimPrefix(q.Namespace+"/"+q.Name, "/")
	if replicas, ok := whole(q.body, "spec", "replicas"); ok {
		text += fmt.Sprintf(" -> %d", replicas)
	}
	if q.Resource == "nodes" && q.taints() {
		before, after := slices.Sorted(maps.Keys(taints(q.now, "spec", "taints"))), slices.Sorted(maps.Keys(taints(q.body, "spec", "taints")))
		text += fmt.Sprintf(", taints %v -> %v", before, after)
	}
	if q.Resource == "poddisruptionbudgets.policy/status" {
		for _, field := range budgetFields {
			is, _ := whole(q.now, "status", field)
			wanted, _ := whole(q.body, "status", field)
			if is != wanted {
				text += fmt.Sprintf(", %s %d -> %d", field, is, wanted)
			}
		}
	}
	return text
}
