package fidelity

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// Start says who is who when a trace begins.
type Start struct {
	// Pods are those that are there.
	Pods map[history.Key]trace.Pod
	// Sets are the ReplicaSets with another name than in the trace, which is the
	// value.
	Sets map[history.Key]string
}

// Seen are the actions of a record, in its order, in the names of the trace; events
// are the writes from its start on.
func Seen(t *trace.Trace, start Start, events []history.Event) []Action {
	r := &record{sets: newSets(t), pods: map[history.Key]thing{}, last: map[thing]int{}, ended: map[history.Key]bool{}}
	for key, name := range start.Sets {
		if set, known := r.sets.named[key.Namespace+"/"+name]; known {
			r.sets.named[key.Namespace+"/"+key.Name] = set
		}
	}
	for key, p := range start.Pods {
		of := thing{p.Owner, p.Revision, p.Ordinal}
		set := thing{object: p.Owner, revision: p.Revision}
		r.pods[key], r.last[set] = of, max(r.last[set], p.Ordinal)
	}
	for i := range events {
		for _, a := range r.read(&events[i]) {
			a.At = events[i].Revision
			r.out = append(r.out, a)
		}
	}
	return r.out
}

// record is a record being read.
type record struct {
	sets *sets
	pods map[history.Key]thing
	// last is the greatest ordinal of a ReplicaSet, ended the pods that were deleted
	// and are still there.
	last  map[thing]int
	ended map[history.Key]bool
	out   []Action
}

func (r *record) read(e *history.Event) []Action {
	switch e.Resource {
	case "pods":
		return r.pod(e)
	case "deployments.apps":
		return replicas(e, thing{object: "Deployment " + e.Namespace + "/" + e.Name, revision: -1})
	case "replicasets.apps":
		if e.Type == history.Delete {
			return nil
		}
		return replicas(e, r.set(e))
	case "nodes":
		return taints(e)
	}
	return nil
}

// pod are the actions on a pod: it may be created, bound and deleted in one write.
func (r *record) pod(e *history.Event) []Action {
	var out []Action
	_, before := r.pods[e.Key]
	if e.Type == history.Create || !before && e.Type == history.Update {
		r.pods[e.Key] = r.named(e)
		delete(r.ended, e.Key)
	}
	of := r.pods[e.Key]
	add := func(verb, node string) {
		out = append(out, Action{Verb: verb, Object: of.object, Revision: of.revision, Ordinal: of.ordinal, Node: node})
	}
	node := e.Object.Text("spec", "nodeName")
	switch {
	case e.Type == history.Create:
		add("create", node)
	case e.Type == history.Update && node != "" && e.Previous.Text("spec", "nodeName") == "":
		add("bind", node)
	}
	going := e.Type == history.Delete || e.Object.Text("metadata", "deletionTimestamp") != ""
	if going && !r.ended[e.Key] && e.Previous.Text("metadata", "deletionTimestamp") == "" {
		add("delete", "")
		r.ended[e.Key] = true
	}
	if e.Type == history.Delete {
		delete(r.pods, e.Key)
	}
	return out
}

// named is a new pod: the next of its ReplicaSet, or of its own.
func (r *record) named(e *history.Event) thing {
	set := thing{object: "Pod " + e.Namespace + "/" + e.Name}
	if kind, name := controllerOf(e.Object); kind == "ReplicaSet" {
		known, ok := r.sets.named[e.Namespace+"/"+name]
		if set = known; !ok {
			set = thing{object: "ReplicaSet " + e.Namespace + "/" + name}
		}
	} else if kind != "" {
		set = thing{object: kind + " " + e.Namespace + "/" + name}
	}
	set.ordinal = 0
	r.last[set]++
	out := set
	out.ordinal = r.last[set]
	return out
}

// set is the ReplicaSet of a write. One with a name that the trace does not have is
// the first of those that its Deployment creates in the trace and has not yet.
func (r *record) set(e *history.Event) thing {
	name := e.Namespace + "/" + e.Name
	if set, known := r.sets.named[name]; known {
		return owned(set)
	}
	kind, owner := controllerOf(e.Object)
	object := kind + " " + e.Namespace + "/" + owner
	set := thing{object: "ReplicaSet " + name}
	if fresh := r.sets.fresh[object]; kind == "Deployment" && e.Type == history.Create && len(fresh) > 0 {
		set = thing{object: object, revision: fresh[0]}
		r.sets.fresh[object] = fresh[1:]
	}
	r.sets.named[name] = set
	return owned(set)
}

// owned is a ReplicaSet as the object of a write of replicas; one that nobody owns
// is a workload itself.
func owned(set thing) thing {
	if kind, _ := cut(set.object); kind == "ReplicaSet" {
		set.revision = -1
	}
	return set
}

// replicas is a write of spec.replicas.
func replicas(e *history.Event, of thing) []Action {
	to, ok := e.Object.Number("spec", "replicas")
	from, before := e.Previous.Number("spec", "replicas")
	if !ok || e.Type == history.Delete || e.Type == history.Update && (!before || from == to) {
		return nil
	}
	if e.Type == history.Create {
		from = -1
	}
	return []Action{{Verb: "scale", Object: of.object, Revision: of.revision, From: from, To: to}}
}

// taints are the taints that a write adds to a node or takes from it, sorted.
func taints(e *history.Event) []Action {
	if e.Type != history.Update {
		return nil
	}
	before, after := taintsOf(e.Previous), taintsOf(e.Object)
	var out []Action
	for _, step := range []struct {
		verb     string
		has, not map[string]bool
	}{{"taint", after, before}, {"untaint", before, after}} {
		for _, taint := range slices.Sorted(maps.Keys(step.has)) {
			if !step.not[taint] {
				out = append(out, Action{Verb: step.verb, Object: "Node " + e.Name, Revision: -1, Taint: taint})
			}
		}
	}
	return out
}

func taintsOf(o history.Object) map[string]bool {
	out := map[string]bool{}
	all, _ := o.At("spec", "taints").([]any)
	for _, one := range all {
		if taint, ok := one.(map[string]any); ok {
			value := ""
			if v, _ := taint["value"].(string); v != "" {
				value = "=" + v
			}
			out[fmt.Sprintf("%v%s:%v", taint["key"], value, taint["effect"])] = true
		}
	}
	return out
}

// controllerOf is the owner that controls an object; empty if there is none.
func controllerOf(o history.Object) (kind, name string) {
	owners, _ := o.At("metadata", "ownerReferences").([]any)
	for _, one := range owners {
		if owner, ok := one.(map[string]any); ok && owner["controller"] == true {
			kind, _ = owner["kind"].(string)
			name, _ = owner["name"].(string)
		}
	}
	return kind, name
}
