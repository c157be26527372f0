package model

import (
	"encoding/json"
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kubernetes/pkg/controller/deployment/util"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/apply"
	"github.com/seatrial/seatrial/trace"
)

// Act is one write of a step as a trace says it to other programs, but for which
// pods it is about: their ordinals are known to the trace alone.
type Act struct {
	trace.Act
	// Pods, if set, are those that it is done to; Act.Pod is not.
	Pods *PodAct
}

// PodAct is what becomes of N pods that are alike.
type PodAct struct {
	// From and Before say where they are before and how, To and After afterwards.
	From, To      Place
	Before, After Pod
	N             int
	// Created: they were not there. Gone: they are not there any more.
	Created, Gone bool
}

// By is who acts, as other programs know it.
type By struct {
	Name string
	Role trace.Role
}

// Component acts by itself in a cluster; name is what its options call it.
func Component(name string) By { return By{name, trace.RoleController} }

// Outside is whatever a cluster does not do by itself.
func Outside(name string) By { return By{name, trace.RoleEnvironment} }

// Inner is an act of which nothing is written.
func (a Act) Inner() Act {
	a.Role = trace.RoleInner
	return a
}

func (b By) act(verb string) Act { return Act{Act: trace.Act{Verb: verb, By: b.Name, Role: b.Role}} }

// To is an act on an object, "Kind namespace/name".
func (b By) To(verb, object string) Act {
	a := b.act(verb)
	a.Object = object
	return a
}

// Condition is the act by which a component writes a condition into a status.
func (b By) Condition(object, condition string, status metav1.ConditionStatus, reason string) Act {
	a := b.To("status", object)
	a.Patch = raw(map[string]any{"status": map[string]any{"conditions": []any{
		map[string]any{"type": condition, "status": status, "reason": reason},
	}}})
	return a
}

// Creates a pod at a place.
func (b By) Creates(at Place, p Pod) Act {
	a := b.act(trace.VerbCreate)
	a.Pods = &PodAct{From: at, To: at, After: p, N: 1, Created: true}
	return a
}

// Moves p to another place.
func (b By) Moves(verb string, from Place, p Pod, to Place) Act {
	a := b.act(verb)
	a.Pods = &PodAct{From: from, Before: p, To: to, After: p, N: 1}
	return a
}

// Makes n pods like p, at a place, into pods like q.
func (b By) Makes(verb string, at Place, p, q Pod, n int) Act {
	a := b.act(verb)
	a.Pods = &PodAct{From: at, Before: p, To: at, After: q, N: n}
	return a
}

// Changed are the acts of a change to the pods on a node; those that stay as they
// are have none.
func Changed(b By, verb string, node int, pods Bag, change func(Pod) Pod) []Act {
	var out []Act
	for _, c := range pods {
		if q := change(c.Pod); q != c.Pod {
			out = append(out, b.Makes(verb, Place{Node: node}, c.Pod, q, c.N))
		}
	}
	return out
}

// Ends n pods like p: they are no more.
func (b By) Ends(verb string, at Place, p Pod, n int) Act {
	a := b.Makes(verb, at, p, p, n)
	a.Gone, a.Pods.Gone = true, true
	return a
}

// Deletes n pods like p, as World.DeleteAll does.
func (b By) Deletes(w *World, verb string, at Place, p Pod, n int, preempted bool) Act {
	q, gone := w.deleted(at, p, preempted)
	if gone {
		return b.Ends(verb, at, p, n)
	}
	return b.Makes(verb, at, p, q, n)
}

// Scales an object; from is negative if it was not there.
func (b By) Scales(object string, from, to int32) Act {
	a := b.To("scale", object)
	if from >= 0 {
		a.From = &from
	}
	a.Act.To = &to
	return a
}

// Resizes are the acts that make a ReplicaSet of workload i, a Deployment, into
// another: it is created, has other replicas, or only other fields.
func (w *World) Resizes(b By, i int, rev uint8, before, after Set) []Act {
	object := w.SetObject(i, rev)
	if !before.Exists {
		a := b.Scales(object, -1, after.Replicas)
		a.Verb = trace.VerbCreate
		return []Act{a}
	}
	var out []Act
	patch := map[string]any{}
	if before.Wait != after.Wait {
		patch["spec"] = map[string]any{"minReadySeconds": w.Workloads[i].Waits[after.Wait]}
	}
	if before.Desired != after.Desired || before.Max != after.Max {
		patch["metadata"] = map[string]any{"annotations": map[string]string{
			util.DesiredReplicasAnnotation: fmt.Sprint(after.Desired), util.MaxReplicasAnnotation: fmt.Sprint(after.Max),
		}}
	}
	switch {
	case before.Replicas != after.Replicas:
		out = append(out, b.Scales(object, before.Replicas, after.Replicas))
	case len(patch) > 0:
		out = append(out, b.To("patch", object))
	default:
		return []Act{b.To("wait", object).Inner()} // only the order in which it is come to
	}
	if len(patch) > 0 {
		out[0].Patch = raw(patch)
	}
	return out
}

// apiServer writes what an eviction takes from a budget.
var apiServer = Component("kube-apiserver")

// Evictions are the acts of an eviction that leads from the state to another, with
// what it takes from budgets.
func (x *Turn) Evictions(b By, to *State, at Place, p Pod) []Act {
	out := []Act{b.Deletes(x.World, "evict", at, p, 1, false)}
	for i := range x.PDBs {
		if to.PDB[i].Allowed != x.State.PDB[i].Allowed {
			out = append(out, x.Recounts(apiServer, to, i))
		}
	}
	return out
}

// Recounts is the act that writes the status that budget i has in a state.
func (w *World) Recounts(b By, to *State, i int) Act {
	a, s := b.To("status", "PodDisruptionBudget "+w.PDBs[i].Name()), to.PDB[i]
	a.Patch = raw(map[string]any{"status": map[string]any{
		"disruptionsAllowed": s.Allowed, "currentHealthy": s.Current, "desiredHealthy": s.Desired, "expectedPods": s.Expected,
	}})
	return a
}

// NodeObject is how acts name node i.
func (w *World) NodeObject(i int) string { return "Node " + w.Nodes[i].Name() }

// SetObject is how acts name the ReplicaSet of a revision of workload i.
func (w *World) SetObject(i int, rev uint8) string {
	spec := &w.Workloads[i]
	return "ReplicaSet " + spec.Namespace + "/" + spec.Revisions[rev].Set.Name
}

// Cordons writes spec.unschedulable of node i.
func (w *World) Cordons(b By, i int, unschedulable bool) Act {
	verb := "uncordon"
	if unschedulable {
		verb = "cordon"
	}
	a := b.To(verb, w.NodeObject(i))
	a.Patch = raw(map[string]any{"spec": map[string]any{"unschedulable": unschedulable}})
	return a
}

// Taints are the acts that make the managed taints of node i into others.
func (w *World) Taints(b By, i int, before, after Taints) []Act {
	var out []Act
	for _, m := range managedTaints {
		verb := "taint"
		switch {
		case before&m.bit == after&m.bit:
			continue
		case before&m.bit != 0:
			verb = "untaint"
		}
		a := b.To(verb, w.NodeObject(i))
		a.Taint = m.taint.ToString()
		out = append(out, a)
	}
	return out
}

// Uses is the act by which the pods of workload i have another load.
func (w *World) Uses(b By, i int, load *Load) Act {
	a := b.To("load", w.Workloads[i].Object())
	a.Load = load.Raw(&w.Workloads[i])
	return a
}

// StartUp is what p uses by itself in its phase of the start-up load.
func (w *World) StartUp(s *State, p Pod) json.RawMessage {
	phases := w.Load(s, int(p.Work)).StartUp
	return raw(map[string]any{"perPod": phases[min(int(p.Stage), len(phases)-1)].Use})
}

// Raw is a load of a workload as a Scenario says it.
func (l *Load) Raw(w *WorkloadSpec) json.RawMessage {
	out := l.Load
	out.Workload = scenario.Workload{Kind: w.Kind, Namespace: w.Namespace, Name: w.Name}
	return raw(out)
}

// Template is the pod template of a revision, without what its ReplicaSet adds.
func Template(r *Revision) json.RawMessage {
	template := r.Set.Spec.Template.DeepCopy()
	delete(template.Labels, appsv1.DefaultDeploymentUniqueLabelKey)
	return raw(template)
}

// Rewrites is the act that makes workload i, a Deployment, as to has it: a write
// of what is there, or another one. Verb is that of a write; without a manifest
// one that is created is created as it is.
func (x *Turn) Rewrites(b By, verb string, i int, to *State, manifest json.RawMessage) Act {
	spec, before, after := &x.Workloads[i], x.State.Work[i], to.Work[i]
	a := b.To(verb, spec.Object())
	a.Manifest = manifest
	revision := int(after.Rev)
	a.Act.To, a.Revision = &after.Replicas, &revision
	if !before.Exists {
		if a.Verb = trace.VerbCreate; manifest == nil {
			a.Manifest = Object(x.Deployment(to, i))
		}
		a.created(verb)
		return a
	}
	a.From = &before.Replicas
	a.Patch = between(Object(x.Deployment(x.State, i)), Object(x.Deployment(to, i)))
	return a
}

// Revises is the act that makes the object of r, an autoscaler or a budget, of one
// revision into that of another; either may be Absent.
func (w *World) Revises(b By, verb string, r *Rewrite, before, after uint8, manifest json.RawMessage) Act {
	a := b.To(verb, w.Object(r))
	a.Manifest = manifest
	switch {
	case after == Absent:
		a.Gone = true
	case before != Absent:
		a.Patch = between(Object(w.Version(r, before).Object), Object(w.Version(r, after).Object))
	default:
		if a.Verb = trace.VerbCreate; manifest == nil {
			a.Manifest = Object(w.Version(r, after).Object)
		}
		a.created(verb)
	}
	return a
}

// created notes on what an apply creates that it was applied, as kubectl does.
func (a *Act) created(verb string) {
	if verb != "apply" {
		return
	}
	if annotated, err := apply.Annotated(a.Manifest); err == nil { // a manifest that was read
		a.Manifest = annotated
	}
}

// Waits is an inner act: time passes for an object.
func (b By) Waits(object string, seconds int64) Act {
	a := b.To("wait", object).Inner()
	if seconds != Ages {
		a.Seconds = seconds
	}
	return a
}

// between is the merge patch that makes one object into another.
func between(before, after json.RawMessage) json.RawMessage {
	patch, err := jsonpatch.CreateMergePatch(before, after)
	if err != nil {
		panic(err) // both are JSON objects
	}
	return patch
}

func raw(v any) json.RawMessage {
	out, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("model: %T has no JSON: %v", v, err))
	}
	return out
}

// bookkeeping are the fields of metadata that an API server fills in itself.
var bookkeeping = []string{"uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink", "deletionTimestamp", "deletionGracePeriodSeconds"}

// Object is an API object as JSON that an API server takes: with apiVersion and
// kind, without what the server keeps for itself.
func Object(o runtime.Object) json.RawMessage {
	var fields map[string]any
	if err := json.Unmarshal(raw(o), &fields); err != nil {
		panic(err) // it was just made
	}
	kinds, _, err := scheme.Scheme.ObjectKinds(o)
	if err == nil && len(kinds) > 0 {
		fields["apiVersion"], fields["kind"] = kinds[0].GroupVersion().String(), kinds[0].Kind
	}
	meta, _ := fields["metadata"].(map[string]any)
	for _, name := range bookkeeping {
		delete(meta, name)
	}
	owners, _ := meta["ownerReferences"].([]any)
	for _, owner := range owners {
		if fields, ok := owner.(map[string]any); ok {
			delete(fields, "uid")
		}
	}
	if status, ok := fields["status"].(map[string]any); ok && len(status) == 0 {
		delete(fields, "status")
	}
	return raw(fields)
}
