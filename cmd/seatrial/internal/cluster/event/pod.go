package event

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

var (
	_ = model.Register(event{kind: scenario.EventPodCrash, start: eachReady("restart", "a pod of %s on %s crashes and is started again", false, func(p *model.Pod) {
		p.Unready()
		p.Stage = 0
		p.Restarts = min(p.Restarts+1, model.SaturatedRestarts)
	})})
	_ = model.Register(event{kind: scenario.EventReadinessFlap, start: eachReady("unready", "a pod of %s on %s stops being Ready for a while", true, (*model.Pod).Unready)})
	_ = model.Register(event{kind: scenario.EventNeverReady, start: neverReady})
)

// eachReady strikes one Ready pod, with a readiness probe if it must be probed;
// becoming Ready again is the kubelet's fair step.
func eachReady(verb, format string, probed bool, hit func(*model.Pod)) func(*model.Turn, int) {
	return func(x *model.Turn, i int) {
		for _, w := range x.Events[i].Works {
			for k, n := range x.State.Nodes {
				for _, c := range n.Pods {
					if int(c.Work) != w || !c.Ready || c.Terminating || !n.Up {
						continue
					}
					if probed && !x.Workloads[w].Revisions[c.Rev].Probed {
						continue
					}
					q := c.Pod
					hit(&q)
					to := x.Begin(i)
					at := model.Place{Node: k}
					to.SetBag(at, to.Bag(at).Replace(c.Pod, q))
					emit(x, w, to, func() model.Explanation {
						return model.Explanation{
							Action: fmt.Sprintf(format, x.Workloads[w].Object(), x.Nodes[k].Name()), Refs: ref(x, i),
							Acts: []model.Act{by(x, i).Makes(verb, at, c.Pod, q, 1)},
						}
					})
				}
			}
		}
	}
}

// neverReady makes pods crash-loop from now on: all of the workload, those of
// one template, or those on one node.
func neverReady(x *model.Turn, i int) {
	e := &x.Events[i]
	if len(e.Event.Nodes) > 0 {
		sicken(x, i)
		return
	}
	for _, w := range e.Works {
		before := x.State.Work[w]
		if !before.Exists || before.Never != model.NeverNone {
			continue
		}
		scope, what := model.NeverAll, ""
		switch e.Template {
		case "current":
			scope, what = model.NeverRev+model.Never(before.Rev), " of the present template"
		case "new":
			scope, what = model.NeverRev+model.Never(x.NewRev(w)), " of the new template"
		}
		to := x.Begin(i)
		to.EditWork(w).Never = scope
		emit(x, w, to, func() model.Explanation {
			return model.Explanation{Action: fmt.Sprintf("from now on pods of %s%s crash and do not become Ready", x.Workloads[w].Object(), what), Refs: ref(x, i), Acts: []model.Act{dooms(x, i, w, scope)}}
		})
	}
}

// sicken makes the pods of the event's workloads crash on one of its nodes,
// those that are there and those that come.
func sicken(x *model.Turn, i int) {
	acts := func(k int) []model.Act {
		var out []model.Act
		for _, w := range x.Events[i].Works {
			act := by(x, i).To("doom", x.Workloads[w].Object())
			act.Node = x.Nodes[k].Name()
			out = append(out, act)
		}
		return out
	}
	for _, k := range x.Events[i].Nodes {
		if x.State.Nodes[k].Sick != 0 {
			continue
		}
		to := x.Begin(i)
		to.EditNode(k).Sick = uint8(i) + 1
		emit(x, x.Events[i].Works[0], to, func() model.Explanation {
			return model.Explanation{Action: fmt.Sprintf("from now on pods crash on node %s and do not become Ready", x.Nodes[k].Name()), Refs: ref(x, i), Acts: acts(k)}
		})
	}
}

// dooms is the act by which pods of workload w crash from now on: all, or those of
// one template.
func dooms(x *model.Turn, i, w int, scope model.Never) model.Act {
	act := by(x, i).To("doom", x.Workloads[w].Object())
	if scope >= model.NeverRev {
		revision := int(scope - model.NeverRev)
		act.Revision = &revision
	}
	return act
}
