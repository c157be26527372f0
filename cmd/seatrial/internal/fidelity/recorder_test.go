package fidelity

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// recorder writes what a control plane would record if the acts of a trace happened
// on it, with names of its own. Of pods that cannot be told apart it may take
// another one than the trace.
type recorder struct {
	random *rand.Rand // nil takes those of the trace
	start  map[history.Key]trace.Pod
	events []history.Event
	names  map[string]history.Key
	now    map[history.Key]history.Object
	sets   map[string]string // the ReplicaSet of a revision
	// renamed are the ReplicaSets that have another name than in the trace.
	renamed map[string]string
	// rename, if set, names the ReplicaSets that the trace creates.
	rename func(string) string
}

func podID(owner string, revision, ordinal int) string {
	return fmt.Sprintf("%s %d %d", owner, revision, ordinal)
}

func newRecorder(t *trace.Trace, random *rand.Rand) *recorder {
	r := &recorder{
		random: random, start: map[history.Key]trace.Pod{}, names: map[string]history.Key{}, now: map[history.Key]history.Object{}, sets: map[string]string{}, renamed: map[string]string{},
	}
	for _, w := range t.Setup.Workloads {
		for i, rev := range w.Revisions {
			r.sets[fmt.Sprint(w.Object, i)] = rev.Set
		}
	}
	for i, p := range t.Pods {
		key := r.key("pods", p.Owner, fmt.Sprintf("given-%d", i))
		r.names[podID(p.Owner, p.Revision, p.Ordinal)], r.start[key] = key, p
		r.now[key] = r.pod(&p)
	}
	return r
}

func (r *recorder) key(resource, owner, name string) history.Key {
	_, of := cut(owner)
	namespace, _, _ := strings.Cut(of, "/")
	return history.Key{Resource: resource, Namespace: namespace, Name: name}
}

func (r *recorder) pod(p *trace.Pod) history.Object {
	o := history.Object{"metadata": map[string]any{}, "spec": map[string]any{}}
	if set := r.sets[fmt.Sprint(p.Owner, p.Revision)]; set != "" {
		o["metadata"].(map[string]any)["ownerReferences"] = []any{map[string]any{"kind": "ReplicaSet", "name": set, "controller": true}}
	}
	if p.Node != "" {
		o["spec"].(map[string]any)["nodeName"] = p.Node
	}
	if p.Terminating {
		o["metadata"].(map[string]any)["deletionTimestamp"] = "now"
	}
	return o
}

// write records one write; nil is a deletion.
func (r *recorder) write(key history.Key, o history.Object) {
	e := history.Event{Revision: int64(len(r.events) + 100), Key: key, Type: history.Update, Object: o, Previous: r.now[key]}
	if e.Previous == nil {
		e.Type = history.Create
	}
	if r.now[key] = o; o == nil {
		e.Type = history.Delete
		delete(r.now, key)
	}
	r.events = append(r.events, e)
}

// record records the acts of a trace.
func (r *recorder) record(t *trace.Trace) {
	for i := range t.Steps {
		for k := range t.Steps[i].Acts {
			r.act(&t.Steps[i].Acts[k], i, k)
		}
	}
}

func (r *recorder) act(a *trace.Act, step, k int) {
	switch {
	case a.Role == trace.RoleInner:
	case a.Pod != nil:
		r.actOnPod(a, step, k)
	case a.Taint != "":
		r.taint(a)
	case a.To != nil:
		r.scale(a)
	}
}

func (r *recorder) actOnPod(a *trace.Act, step, k int) {
	id := podID(a.Pod.Owner, a.Pod.Revision, a.Pod.Ordinal)
	if a.Verb == trace.VerbCreate {
		r.names[id] = r.key("pods", a.Pod.Owner, fmt.Sprintf("pod-%d-%d", step, k))
	}
	if r.random != nil && len(a.Among) > 0 {
		other := podID(a.Pod.Owner, a.Pod.Revision, a.Among[r.random.IntN(len(a.Among))])
		r.names[id], r.names[other] = r.names[other], r.names[id]
	}
	if a.Gone {
		r.write(r.names[id], nil)
		return
	}
	r.write(r.names[id], r.pod(a.Pod))
}

func (r *recorder) taint(a *trace.Act) {
	_, node := cut(a.Object)
	key := history.Key{Resource: "nodes", Name: node}
	if r.now[key] == nil {
		r.now[key] = history.Object{"spec": map[string]any{}}
	}
	taints := []any{}
	old, _ := r.now[key].At("spec", "taints").([]any)
	name, effect, _ := strings.Cut(a.Taint, ":")
	for _, t := range old {
		if one := t.(map[string]any); one["key"] != name || one["effect"] != effect {
			taints = append(taints, t)
		}
	}
	if a.Verb == "taint" {
		taints = append(taints, map[string]any{"key": name, "effect": effect})
	}
	r.write(key, history.Object{"spec": map[string]any{"taints": taints}})
}

func (r *recorder) scale(a *trace.Act) {
	kind, name := cut(a.Object)
	resource := map[string]string{"Deployment": "deployments.apps", "ReplicaSet": "replicasets.apps"}[kind]
	_, base, _ := strings.Cut(name, "/")
	key := r.key(resource, a.Object, base)
	spec := func(n int32) history.Object {
		return history.Object{"metadata": map[string]any{}, "spec": map[string]any{"replicas": int64(n)}}
	}
	if a.From != nil && r.now[key] == nil {
		r.now[key] = spec(*a.From)
	}
	o := spec(*a.To)
	if kind == "ReplicaSet" {
		owner := "Deployment " + key.Namespace + "/" + base[:strings.LastIndex(base, "-")]
		o["metadata"].(map[string]any)["ownerReferences"] = []any{map[string]any{"kind": "Deployment", "name": base[:strings.LastIndex(base, "-")], "controller": true}}
		if r.rename != nil && a.From == nil {
			for id, set := range r.sets {
				if set == base && strings.HasPrefix(id, owner) {
					r.sets[id], r.renamed[base] = r.rename(base), r.rename(base)
				}
			}
		}
		if other := r.renamed[base]; other != "" {
			key.Name = other
		}
	}
	r.write(key, o)
}
