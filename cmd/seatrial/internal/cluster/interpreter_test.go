package cluster

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/trace"
)

// shape is a cluster as far as acts change it, with its pods counted by what they
// are but for their ordinals. It is made of a state of the model, or by following
// acts (trace.State), which knows nothing of actors.
type shape struct {
	*trace.State
	Pods map[string]int
}

func newShape() *shape { return &shape{trace.NewState(), map[string]int{}} }

func kindOfPod(p trace.Pod) string {
	p.Ordinal, p.Name = 0, ""
	return fmt.Sprintf("%+v", p)
}

// seen is what a state of the model looks like.
func seen(w *model.World, s *model.State) *shape {
	out := newShape()
	for _, p := range newRoster(w, s).start {
		out.Pods[kindOfPod(p)]++
	}
	for i, work := range s.Work {
		spec := &w.Workloads[i]
		object := spec.Object()
		out.Loads[object] = string(w.Load(s, i).Raw(spec))
		switch {
		case work.Never >= model.NeverRev:
			out.Doomed[object] = append(out.Doomed[object], fmt.Sprint(work.Never-model.NeverRev))
		case work.Never != model.NeverNone:
			out.Doomed[object] = append(out.Doomed[object], "all")
		}
		for r, set := range work.Sets {
			if set.Exists && spec.Kind == "Deployment" {
				out.Replicas[w.SetObject(i, uint8(r))] = int(set.Replicas)
			}
		}
		if spec.Kind == "Pod" || !work.Exists {
			continue
		}
		out.Replicas[object] = int(work.Replicas)
		if spec.Kind == "Deployment" {
			out.Revision[object] = int(work.Rev)
			out.Specs[object] = specIn(model.Object(w.Deployment(s, i)))
		}
	}
	for i := range s.HPA {
		if h := w.AutoscalerSpec(s, i); h != nil {
			out.Specs["HorizontalPodAutoscaler "+w.HPAs[i].Name()] = specIn(model.Object(h.HPA))
		}
	}
	for i, b := range s.PDB {
		if spec := w.BudgetSpec(s, i); spec != nil {
			object := "PodDisruptionBudget " + w.PDBs[i].Name()
			out.Specs[object] = specIn(model.Object(spec.PDB))
			out.Statuses[object] = status(b.Allowed, b.Current, b.Desired, b.Expected)
		}
	}
	for i, n := range s.Nodes {
		object := w.NodeObject(i)
		if n.Taints != 0 {
			out.Taints[object] = strings.Split(n.Taints.String(), ", ")
			slices.Sort(out.Taints[object])
		}
		for is, of := range map[*bool]map[string]bool{&n.Unschedulable: out.Cordoned, ptr(!n.Ready): out.Unready, ptr(!n.Up): out.Down} {
			if *is {
				of[object] = true
			}
		}
		if n.Sick > 0 {
			for _, k := range w.Events[n.Sick-1].Works {
				doomed := w.Workloads[k].Object()
				out.Doomed[doomed] = append(out.Doomed[doomed], w.Nodes[i].Name())
			}
		}
	}
	for _, d := range out.Doomed {
		slices.Sort(d)
	}
	return out
}

func ptr[T any](v T) *T { return &v }

func status(allowed, current, desired, expected int32) any {
	return map[string]any{"disruptionsAllowed": float64(allowed), "currentHealthy": float64(current), "desiredHealthy": float64(desired), "expectedPods": float64(expected)}
}

func specIn(o json.RawMessage) any {
	var fields map[string]any
	if err := json.Unmarshal(o, &fields); err != nil {
		panic(err)
	}
	return fields["spec"]
}

// follower is a state of a trace that follows acts.
type follower struct{ *trace.State }

// follow begins where a shape is, with these pods.
func follow(from *shape, pods []trace.Pod) *follower {
	for i := range pods {
		from.State.Pods[pods[i].ID()] = pods[i]
	}
	return &follower{from.State}
}

// now is the shape that acts have led to.
func (f *follower) now() *shape {
	out := *f.State
	out.Pods = map[trace.PodID]trace.Pod{}
	pods := map[string]int{}
	for _, p := range f.Pods {
		pods[kindOfPod(p)]++
	}
	// Of an autoscaler the model knows why it cannot act, and not its conditions.
	out.Statuses = maps.Clone(out.Statuses)
	maps.DeleteFunc(out.Statuses, func(object string, _ any) bool { return strings.HasPrefix(object, "HorizontalPodAutoscaler ") })
	return &shape{&out, pods}
}

func parsed(raw json.RawMessage) any {
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		panic(err)
	}
	return out
}

// like is f's shape, but for what it cannot know: the specs of objects that are
// created, and pods that the model counts no further.
func (f *follower) like(want *shape) *shape {
	got := f.now()
	for object, spec := range got.Specs {
		if _, there := want.Specs[object]; there && spec == nil {
			got.Specs[object] = want.Specs[object]
		}
	}
	for _, p := range f.Pods {
		counted := p.Phase == "Failed" || p.Phase == "Pending" && p.Terminating
		if kind := kindOfPod(p); counted && got.Pods[kind] > want.Pods[kind] {
			if got.Pods[kind] = want.Pods[kind]; want.Pods[kind] == 0 {
				delete(got.Pods, kind)
			}
		}
	}
	return got
}

// GoRound follows a trace that was written to its end and, if it has a loop, three
// times round it: each time the cluster is as it was, but for the pods' ordinals.
func GoRound(t *trace.Trace) error {
	const rounds = 3
	long, err := t.Rounds(rounds)
	if err != nil {
		return err
	}
	begin, err := long.Start()
	if err != nil {
		return err
	}
	f := &follower{begin}
	var shapes []string
	loop := len(t.Steps)
	if t.Loop != nil {
		loop = *t.Loop
	}
	for i := 0; ; i++ {
		if i >= loop && (i == loop || (i-loop)%(len(t.Steps)-loop) == 0) {
			now := f.now()
			for kind, n := range now.Pods {
				if strings.Contains(kind, "Phase:Failed") {
					now.Pods[kind] = min(n, model.SaturatedPods) // more with each round
				}
			}
			now.Statuses, now.Taints = nil, nil // not as they were built
			text, err := json.Marshal(now)
			if err != nil {
				return err
			}
			shapes = append(shapes, string(text))
		}
		if i == len(long.Steps) {
			break
		}
		for k := range long.Steps[i].Acts {
			if err := f.Act(&long.Steps[i].Acts[k]); err != nil {
				return fmt.Errorf("step %d: %w", i, err)
			}
		}
	}
	want := 1
	if loop < len(t.Steps) {
		want += rounds
	}
	for _, s := range shapes {
		if len(shapes) != want || s != shapes[0] {
			return fmt.Errorf("%d times round it is elsewhere:\n%s", len(shapes)-1, strings.Join(shapes, "\n"))
		}
	}
	return nil
}
