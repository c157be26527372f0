package cluster

import (
	"cmp"
	"encoding/json"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/hpa"
	"github.com/seatrial/seatrial/trace"
)

// setup is the cluster of r as its traces give it to other programs.
func (r *run) setup() *trace.Setup {
	if r.given != nil {
		return r.given
	}
	out := &trace.Setup{
		Kubernetes: Kubernetes, Strict: r.w.Strict, Objects: r.objects(), Components: r.components(), Workloads: []trace.Workload{},
	}
	for i := range r.w.Workloads {
		out.Workloads = append(out.Workloads, workloadOf(&r.w.Workloads[i]))
	}
	r.given = out
	return out
}

// objects are those of the cluster at the start, owners before what they own, and
// what acts on pods after them.
func (r *run) objects() []json.RawMessage {
	var out []json.RawMessage
	add := func(o runtime.Object) { out = append(out, model.Object(o)) }
	for _, o := range r.w.Namespaces {
		add(o)
	}
	for _, o := range r.w.PriorityClasses {
		add(o)
	}
	for i := range r.w.Nodes {
		add(machine(r.w.Nodes[i].Node))
	}
	for _, o := range r.w.Services {
		add(o)
	}
	for i := range r.in.DisruptionBudgets {
		add(r.in.DisruptionBudgets[i].Value)
	}
	for i := range r.in.Deployments {
		add(r.in.Deployments[i].Value)
	}
	for _, o := range bySeniority(r.in.ReplicaSets) {
		add(o)
	}
	for i := range r.w.Workloads {
		for _, g := range r.w.Workloads[i].Given {
			add(g.Object)
		}
	}
	for i := range r.in.Autoscalers {
		add(r.in.Autoscalers[i].Value)
	}
	return out
}

// machine is a node that has as much as it may give, if nothing else is said.
func machine(n *corev1.Node) *corev1.Node {
	if n.Status.Capacity != nil {
		return n
	}
	out := n.DeepCopy()
	out.Status.Capacity = out.Status.Allocatable
	return out
}

// bySeniority are ReplicaSets in the order of their creation, by which the
// Deployment controller knows them.
func bySeniority(all []manifest.Object[*appsv1.ReplicaSet]) []*appsv1.ReplicaSet {
	var out []*appsv1.ReplicaSet
	for i := range all {
		out = append(out, all[i].Value)
	}
	slices.SortStableFunc(out, func(a, b *appsv1.ReplicaSet) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(revisionNumber(a), revisionNumber(b)), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// components are the configurations that were read, and what is assumed of the
// others.
func (r *run) components() map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	if c := r.in.SchedulerConfig; c != nil {
		out["kube-scheduler"] = c.Raw
	}
	if d := r.in.DeschedulerPolicy; d != nil {
		out["descheduler"] = d.Value
	}
	if len(r.w.HPAs) > 0 {
		flags, err := json.Marshal(hpa.Flags())
		if err != nil {
			panic(err) // a map of strings
		}
		out["kube-controller-manager"] = flags
	}
	return out
}

// workloadOf is what a trace says of a workload beside its object.
func workloadOf(spec *model.WorkloadSpec) trace.Workload {
	out := trace.Workload{Object: spec.Object(), Held: spec.Held != "", Absent: spec.Absent}
	if load := &spec.Loads[0]; load.Text != "none" {
		out.Load = load.Raw(spec)
	}
	if spec.Kind == "Pod" {
		return out
	}
	for i, set := range initialWorkload(spec).Sets {
		r := &spec.Revisions[i]
		if int(r.Of) != i {
			out.Revisions = append(out.Revisions, trace.Revision{}) // of given pods that differ from their template
			continue
		}
		one := trace.Revision{Set: r.Set.Name}
		if set.Exists {
			one.Replicas = &set.Replicas
		}
		if i > 0 {
			one.Template = model.Template(r)
		}
		out.Revisions = append(out.Revisions, one)
	}
	return out
}
