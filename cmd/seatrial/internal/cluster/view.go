package cluster

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/trace"
)

// field is one thing that a user could see with kubectl.
type field struct{ object, name, value string }

// view lists what a state looks like from outside, in a fixed order. Fields
// that have nothing to say are left out.
func view(w *model.World, s *model.State) []field {
	var out []field
	add := func(object, name, format string, args ...any) {
		out = append(out, field{object, name, fmt.Sprintf(format, args...)})
	}
	for i, n := range s.Nodes {
		object := "Node " + w.Nodes[i].Name()
		add(object, "Ready", "%v", n.Ready)
		if !n.Up {
			add(object, "machine", "down")
		}
		if n.Unschedulable {
			add(object, "unschedulable", "true")
		}
		if n.Taints != 0 {
			add(object, "taints", "%s", n.Taints)
		}
	}
	for i := range s.Work {
		viewWorkload(w, s, i, add)
	}
	for i := range s.PDB {
		viewBudget(w, s, i, add)
	}
	for i := range s.HPA {
		viewAutoscaler(w, s, i, add)
	}
	return out
}

// viewBudget adds budget i, and what it promises if that may change.
func viewBudget(w *model.World, s *model.State, i int, add func(object, name, format string, args ...any)) {
	spec, b, object := w.BudgetSpec(s, i), s.PDB[i], "PodDisruptionBudget "+w.PDBs[i].Name()
	if spec == nil {
		return
	}
	if w.PDBs[i].Varies() {
		if n := spec.PDB.Spec.MinAvailable; n != nil {
			add(object, "minAvailable", "%s", n.String())
		}
		if n := spec.PDB.Spec.MaxUnavailable; n != nil {
			add(object, "maxUnavailable", "%s", n.String())
		}
	}
	add(object, "disruptionsAllowed", "%d", b.Allowed)
	if b.Stale {
		add(object, "status", "older than the spec")
	}
}

// viewAutoscaler adds autoscaler i, and its range if that may change.
func viewAutoscaler(w *model.World, s *model.State, i int, add func(object, name, format string, args ...any)) {
	spec, a, object := w.AutoscalerSpec(s, i), s.HPA[i], "HorizontalPodAutoscaler "+w.HPAs[i].Name()
	if spec == nil {
		return
	}
	if w.HPAs[i].Varies() {
		add(object, "minReplicas", "%d", spec.MinReplicas())
		add(object, "maxReplicas", "%d", spec.HPA.Spec.MaxReplicas)
	}
	if a.Reason != 0 {
		add(object, "cannot act", "%s", model.Reasons[a.Reason])
	}
}

// viewSettings adds the settings of a Deployment if they may change.
func viewSettings(spec *model.WorkloadSpec, work *model.Workload, add func(object, name, format string, args ...any)) {
	if len(spec.Settings) < 2 {
		return
	}
	d := &spec.Now(work).Deployment.Spec
	if rolling := d.Strategy.RollingUpdate; rolling != nil {
		add(spec.Object(), "maxSurge", "%s", rolling.MaxSurge)
		add(spec.Object(), "maxUnavailable", "%s", rolling.MaxUnavailable)
	} else {
		add(spec.Object(), "strategy", "%s", d.Strategy.Type)
	}
	add(spec.Object(), "minReadySeconds", "%d", d.MinReadySeconds)
	if d.Paused {
		add(spec.Object(), "paused", "true")
	}
}

// viewWorkload adds workload i, its ReplicaSets and its pods to a view.
func viewWorkload(w *model.World, s *model.State, i int, add func(object, name, format string, args ...any)) {
	spec, work := &w.Workloads[i], s.Work[i]
	if spec.Kind != "Pod" && work.Exists {
		add(spec.Object(), "replicas", "%d", work.Replicas)
		viewSettings(spec, work, add)
	}
	for r, set := range work.Sets {
		if set.Exists && spec.Kind == "Deployment" {
			object := "ReplicaSet " + spec.Namespace + "/" + spec.Revisions[r].Set.Name
			add(object, "replicas", "%d", set.Replicas)
			if len(spec.Waits) > 1 {
				add(object, "minReadySeconds", "%d", spec.Waits[set.Wait])
			}
		}
	}
	type site struct {
		at  model.Place
		rev uint8
	}
	var order []site
	said := map[site][]tally{}
	s.Each(func(at model.Place, c model.PodCount) {
		if int(c.Work) != i {
			return
		}
		key := site{at, w.Set(c.Pod)}
		if _, ok := said[key]; !ok {
			order = append(order, key)
		}
		said[key] = count(said[key], condition(c.Pod), c.N)
	})
	for _, key := range order {
		object := "Pods of " + spec.Namespace + "/" + spec.Name
		if spec.Held != "" {
			object = "Pods of " + spec.Object()
		}
		if severalSets(spec) && spec.Kind == "Deployment" {
			object = "Pods of " + spec.Namespace + "/" + spec.Revisions[key.rev].Set.Name
		}
		where := "without a node"
		switch {
		case key.at.Nominated:
			where = "waiting for room on " + w.Nodes[key.at.Node].Name()
		case key.at.Node >= 0:
			where = "on " + w.Nodes[key.at.Node].Name()
		}
		add(object, where, "%s", tell(said[key]))
	}
}

// tally is how many pods are in a condition.
type tally struct {
	condition string
	n         int
}

func count(all []tally, condition string, n int) []tally {
	for i := range all {
		if all[i].condition == condition {
			all[i].n += n
			return all
		}
	}
	return append(all, tally{condition, n})
}

func tell(all []tally) string {
	parts := make([]string, len(all))
	for i, t := range all {
		parts[i] = fmt.Sprintf("%d %s", t.n, t.condition)
	}
	return strings.Join(parts, ", ")
}

// severalSets: pods of the workload may belong to more than one ReplicaSet.
func severalSets(spec *model.WorkloadSpec) bool {
	return slices.ContainsFunc(spec.Revisions, func(r model.Revision) bool { return r.Of > 0 })
}

// condition says how a pod is, as kubectl's STATUS column would.
func condition(p model.Pod) string {
	switch {
	case p.Phase == model.Failed:
		return "Failed"
	case p.Terminating:
		return "Terminating"
	case p.Phase == model.Pending:
		return "Pending"
	case p.Crashing:
		return "CrashLoopBackOff"
	case !p.Ready:
		return "not Ready"
	case p.Chosen:
		return "to be evicted"
	}
	return "Ready"
}

// changes are the fields in which two views differ.
func changes(before, after []field) []trace.Change {
	type key struct{ object, name string }
	old, now := map[key]string{}, map[key]string{}
	for _, f := range before {
		old[key{f.object, f.name}] = f.value
	}
	for _, f := range after {
		now[key{f.object, f.name}] = f.value
	}
	var out []trace.Change
	for _, f := range before {
		k := key{f.object, f.name}
		if v := now[k]; v != f.value {
			out = append(out, trace.Change{Object: f.object, Field: f.name, From: f.value, To: orNone(v)})
		}
	}
	for _, f := range after {
		if _, ok := old[key{f.object, f.name}]; !ok {
			out = append(out, trace.Change{Object: f.object, Field: f.name, From: "none", To: f.value})
		}
	}
	return out
}

func orNone(v string) string {
	if v == "" {
		return "none"
	}
	return v
}

// lines are a view as text.
func lines(fields []field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = fmt.Sprintf("%s: %s: %s", f.object, f.name, f.value)
	}
	return out
}
