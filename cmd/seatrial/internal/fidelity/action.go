// Package fidelity compares what a trace says with what a control plane recorded:
// how many of the actions are on both sides. An action is the creation, binding,
// eviction or deletion of a pod, a write of replicas, or a taint. Pods are compared
// under one renaming, which the record fixes: a pod is its ReplicaSet and the place
// of its creation there. It is never the best of several.
package fidelity

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/trace"
)

// Action is one action of either side.
type Action struct {
	// Verb is create, bind, delete (an eviction is one), scale, taint or untaint.
	Verb string
	// Object is the workload of a pod or ReplicaSet, the Node of a taint: "Kind
	// namespace/name". Revision is the number of the template of a pod or
	// ReplicaSet, -1 for the workload itself.
	Object   string
	Revision int
	// Ordinal counts the pods of a ReplicaSet by their creation, from 1; it is 0
	// for what is no pod. Among are those that it could equally be.
	Ordinal int
	Among   []int
	// Node is where a pod is bound, or created.
	Node string
	// From and To are replicas; From is -1 for a ReplicaSet that is created.
	From, To int64
	// Taint is key=value:effect.
	Taint string
	// At is the index of the step in the trace, or the revision of the write.
	At int64
}

// String is an action in words.
func (a Action) String() string {
	object := a.Object
	if a.Revision >= 0 {
		object += fmt.Sprintf(", revision %d", a.Revision)
	}
	switch {
	case a.Ordinal > 0 && a.Node != "":
		return fmt.Sprintf("%s pod %d of %s on %s", a.Verb, a.Ordinal, object, a.Node)
	case a.Ordinal > 0:
		return fmt.Sprintf("%s pod %d of %s", a.Verb, a.Ordinal, object)
	case a.Taint != "":
		return fmt.Sprintf("%s %s with %s", a.Verb, object, a.Taint)
	case a.From < 0:
		return fmt.Sprintf("%s %s to %d", a.Verb, object, a.To)
	}
	return fmt.Sprintf("%s %s from %d to %d", a.Verb, object, a.From, a.To)
}

// of are the pod or object that an action is about.
func (a Action) of() thing { return thing{a.Object, a.Revision, a.Ordinal} }

type thing struct {
	object            string
	revision, ordinal int
}

// Expected are the actions of a trace, in its order. A loop is gone through once:
// trace.Trace.Rounds writes more rounds out.
func Expected(t *trace.Trace) []Action {
	sets := newSets(t)
	// Which of several pods the descheduler has chosen shows when it evicts one.
	chosen := map[thing][]int{}
	var out []Action
	for i := range t.Steps {
		for k := range t.Steps[i].Acts {
			act := &t.Steps[i].Acts[k]
			if act.Verb == "choose" && act.Pod != nil {
				chosen[podOf(act.Pod)] = act.Among
			}
			a, ok := expected(act, sets)
			if !ok {
				continue
			}
			if act.Verb == "evict" && len(a.Among) == 0 && act.Pod != nil {
				a.Among = chosen[podOf(act.Pod)]
			}
			a.At = int64(i)
			out = append(out, a)
		}
	}
	return out
}

// podOf is a pod as a trace knows it.
func podOf(p *trace.Pod) thing { return thing{p.Owner, p.Revision, p.Ordinal} }

// expected is the action of an act, if it is one.
func expected(a *trace.Act, sets *sets) (Action, bool) {
	if a.Role == trace.RoleInner {
		return Action{}, false
	}
	if p := a.Pod; p != nil {
		out := Action{Verb: a.Verb, Object: p.Owner, Revision: p.Revision, Ordinal: p.Ordinal, Among: a.Among}
		switch a.Verb {
		case "create", "bind":
			out.Node = p.Node
		case "evict":
			out.Verb = "delete"
		case "delete":
		default:
			return Action{}, false
		}
		return out, true
	}
	switch {
	case a.Taint != "":
		return Action{Verb: a.Verb, Object: a.Object, Revision: -1, Taint: shortTaint(a.Taint)}, true
	case a.To == nil || a.From != nil && *a.From == *a.To:
		return Action{}, false
	}
	out := Action{Verb: "scale", Object: a.Object, Revision: -1, From: -1, To: int64(*a.To)}
	if a.From != nil {
		out.From = int64(*a.From)
	}
	if kind, name, _ := strings.Cut(a.Object, " "); kind == "ReplicaSet" {
		if set, known := sets.named[name]; known {
			set = owned(set)
			out.Object, out.Revision = set.object, set.revision
		}
	}
	return out, true
}

// shortTaint leaves out an empty value: key=:effect is key:effect.
func shortTaint(taint string) string { return strings.Replace(taint, "=:", ":", 1) }

// sets know which ReplicaSet is which template of which workload.
type sets struct {
	// named are the ReplicaSets by namespace/name.
	named map[string]thing
	// fresh are, by workload, the revisions whose ReplicaSets the trace creates, in
	// that order: for those that a control plane names otherwise.
	fresh map[string][]int
}

func newSets(t *trace.Trace) *sets {
	out := &sets{named: map[string]thing{}, fresh: map[string][]int{}}
	if t.Setup == nil {
		return out
	}
	for _, w := range t.Setup.Workloads {
		_, name, _ := strings.Cut(w.Object, " ")
		namespace, _, _ := strings.Cut(name, "/")
		for i, r := range w.Revisions {
			if r.Set != "" {
				out.named[namespace+"/"+r.Set] = thing{object: w.Object, revision: i}
			}
		}
	}
	for _, s := range t.Steps {
		for _, a := range s.Acts {
			kind, name, _ := strings.Cut(a.Object, " ")
			set, known := out.named[name]
			if kind == "ReplicaSet" && a.Verb == trace.VerbCreate && known && !slices.Contains(out.fresh[set.object], set.revision) {
				out.fresh[set.object] = append(out.fresh[set.object], set.revision)
			}
		}
	}
	return out
}
