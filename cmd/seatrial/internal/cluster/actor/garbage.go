package actor

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/statespace"
)

// garbageCollector deletes what a deleted Deployment owned, as a background
// deletion does: its ReplicaSets, then their pods
// (pkg/controller/garbagecollector). Until a ReplicaSet is gone, its controller
// goes on working for it.
type garbageCollector struct{}

var _ = model.Register(garbageCollector{})

var byGarbageCollector = model.Component("garbage-collector-controller")

func (garbageCollector) Name() string       { return "garbage-collector" }
func (garbageCollector) Speed() model.Speed { return model.Fast }
func (garbageCollector) Verbs() []model.Verb {
	return []model.Verb{
		{Name: "collect", Grain: model.ByWork, Fairness: statespace.Weak},
		{Name: "delete", Grain: model.ByWork, Fairness: statespace.Weak},
	}
}

func (garbageCollector) Steps(x *model.Turn) {
	for i, work := range x.State.Work {
		if work.Exists || x.Workloads[i].Kind != "Deployment" {
			continue
		}
		for _, r := range work.Revs() {
			collect(x, i, r)
		}
		x.State.Each(func(at model.Place, c model.PodCount) {
			if int(c.Work) == i && !c.Terminating && !work.Sets[c.Rev].Exists {
				deleteOrphan(x, at, c.Pod)
			}
		})
	}
}

// collect deletes a ReplicaSet whose Deployment is gone.
func collect(x *model.Turn, i int, rev uint8) {
	to := x.State.Clone()
	to.EditWork(i).Bury(rev)
	x.Emit(model.Step{
		Verb: "collect", A: i, Work: i, To: to,
		Explain: func() model.Explanation {
			spec := &x.Workloads[i]
			act := byGarbageCollector.To("delete", x.SetObject(i, rev))
			act.Gone = true
			return model.Explanation{
				Action: fmt.Sprintf("deletes ReplicaSet %s/%s: its %s is gone", spec.Namespace, spec.Revisions[rev].Set.Name, spec.Object()),
				Acts:   []model.Act{act},
			}
		},
	})
}

// deleteOrphan deletes a pod whose ReplicaSet is gone.
func deleteOrphan(x *model.Turn, at model.Place, p model.Pod) {
	to := x.State.Clone()
	x.Delete(to, at, p, false)
	x.Emit(model.Step{
		Verb: "delete", A: int(p.Work), Work: int(p.Work), Kind: model.KindDelete, To: to,
		Explain: func() model.Explanation {
			return model.Explanation{
				Action: fmt.Sprintf("deletes a pod of %s: its ReplicaSet is gone", x.Workloads[p.Work].Object()),
				Acts:   []model.Act{byGarbageCollector.Deletes(x.World, "delete", at, p, 1, false)},
			}
		},
	})
}
