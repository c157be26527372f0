package actor

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/statespace"
)

// scheduler is kube-scheduler: the real framework says where a pending pod may
// go; every node it may pick is a step. A pod that fits nowhere has no step
// until something changes, as the real queue retries it then. Where room can
// be made by preemption, each choice of the real plugin is a step.
type scheduler struct{}

var _ = model.Register(scheduler{})

var byScheduler = model.Component("kube-scheduler")

func (scheduler) Name() string       { return "scheduler" }
func (scheduler) Speed() model.Speed { return model.Fast }
func (scheduler) Verbs() []model.Verb {
	return []model.Verb{
		{Name: "bind", Grain: model.ByWork, Fairness: statespace.Weak},
		{Name: "preempt", Grain: model.ByWork, Fairness: statespace.Weak},
	}
}

func (scheduler) Steps(x *model.Turn) {
	x.State.Each(func(at model.Place, c model.PodCount) {
		if at.Node >= 0 && !at.Nominated || c.Terminating || c.Phase != model.Pending {
			return
		}
		if !x.Kube.Schedules(x.World, c.Pod) || orphan(x, at, c.Pod) {
			return
		}
		d := x.Kube.Schedule(x.World, x.State, at, c.Pod)
		for i, node := range d.Nodes {
			alike := func(other int) bool { return x.Alike()[other] == x.Alike()[node] }
			if !slices.ContainsFunc(d.Nodes[:i], alike) {
				bind(x, at, c.Pod, node, d)
			}
		}
		if len(d.Nodes) == 0 {
			for _, p := range x.Kube.Preempt(x.World, x.State, at, c.Pod) {
				preempt(x, at, c.Pod, p)
			}
		}
	})
}

func bind(x *model.Turn, at model.Place, p model.Pod, node int, d model.Decision) {
	to := x.State.Clone()
	to.SetBag(at, to.Bag(at).Remove(p))
	here := model.Place{Node: node}
	to.SetBag(here, to.Bag(here).Add(p, 1))
	x.Emit(model.Step{
		Verb: "bind", A: int(p.Work), Work: int(p.Work), Kind: model.KindBind, To: to,
		Explain: func() model.Explanation {
			e := model.Explanation{Action: fmt.Sprintf("binds a pod of %s to node %s", x.Workloads[p.Work].Object(), x.Nodes[node].Name())}
			act := byScheduler.Moves("bind", at, p, here)
			for _, tie := range d.Nodes {
				if len(d.Nodes) > 1 {
					act.Ties = append(act.Ties, x.Nodes[tie].Name())
				}
			}
			e.Acts = []model.Act{act}
			var why []string
			rejected := d.Rejected(x.World)
			for _, name := range slices.Sorted(maps.Keys(rejected)) {
				why = append(why, fmt.Sprintf("not %s: %s", name, rejected[name].Message))
			}
			switch {
			case len(d.Nodes) > 1:
				why = append(why, fmt.Sprintf("one of %d nodes with the best score", len(d.Nodes)))
			case len(rejected)+1 < len(x.Nodes):
				why = append(why, "it has the best score")
			}
			e.Note = strings.Join(why, "; ")
			e.Refs = x.Workloads[p.Work].Revisions[p.Rev].PluginRefs(rejected)
			return e
		},
	})
}

func preempt(x *model.Turn, at model.Place, p model.Pod, choice model.Preemption) {
	to := x.State.Clone()
	for _, v := range choice.Victims {
		if !v.Pod.Terminating {
			x.Delete(to, v.At, v.Pod, true)
		}
	}
	to.SetBag(at, to.Bag(at).Remove(p))
	for _, lower := range choice.Cleared {
		to.SetBag(lower.At, to.Bag(lower.At).Remove(lower.Pod))
		to.Free = to.Free.Add(lower.Pod, 1)
	}
	there := model.Place{Node: choice.Node, Nominated: true}
	to.SetBag(there, to.Bag(there).Add(p, 1))
	work := int(p.Work)
	if len(choice.Victims) > 0 {
		work = int(choice.Victims[0].Pod.Work)
	}
	x.Emit(model.Step{
		Verb: "preempt", A: int(p.Work), Work: work, Kind: model.KindPreempt, To: to,
		Explain: func() model.Explanation {
			spec := &x.Workloads[p.Work]
			e := model.Explanation{Action: fmt.Sprintf("preempts %s for a pod of %s", x.Sites(choice.Victims), spec.Object())}
			var names []string
			for _, v := range choice.Victims {
				o := x.Workloads[v.Pod.Work].Object()
				if !slices.Contains(names, o) {
					names = append(names, o)
				}
			}
			e.Note = fmt.Sprintf("priority %d goes before that of %s", spec.Priority(p.Rev), strings.Join(names, ", "))
			e.Acts = preemption(x, at, p, there, choice)
			e.Refs = append(e.Refs, spec.Revisions[p.Rev].Ref("spec.priorityClassName", "gives these pods a higher priority"))
			return e
		},
	})
}

// preemption are the acts of a preemption for p, which waits for room there then.
func preemption(x *model.Turn, at model.Place, p model.Pod, there model.Place, choice model.Preemption) []model.Act {
	var out []model.Act
	for _, v := range choice.Victims {
		if !v.Pod.Terminating {
			out = append(out, byScheduler.Deletes(x.World, "delete", v.At, v.Pod, 1, true))
		}
	}
	for _, lower := range choice.Cleared {
		out = append(out, byScheduler.Moves("nominate", lower.At, lower.Pod, model.Unassigned))
	}
	return append(out, byScheduler.Moves("nominate", at, p, there))
}
