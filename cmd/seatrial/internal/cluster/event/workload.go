package event

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

var (
	_ = model.Register(event{kind: scenario.EventLoad, start: changeLoad})
	_ = model.Register(event{kind: scenario.EventScale, start: scale})
	_ = model.Register(event{kind: scenario.EventApply, start: write})
	_ = model.Register(event{kind: scenario.EventCreate, start: write})
	_ = model.Register(event{kind: scenario.EventRollout, start: rollOut})
	_ = model.Register(event{kind: scenario.EventRollback, start: rollBack})
)

func changeLoad(x *model.Turn, i int) {
	for _, w := range x.Events[i].Works {
		for _, level := range x.Events[i].Levels {
			if x.State.Work[w].Load == level || !x.State.Work[w].Exists {
				continue
			}
			to := x.Begin(i)
			to.EditWork(w).Load = level
			emit(x, w, to, func() model.Explanation {
				spec := &x.Workloads[w]
				return model.Explanation{
					Action: fmt.Sprintf("the load of %s becomes %s", spec.Object(), spec.Loads[level].Text), Refs: ref(x, i),
					Acts: []model.Act{x.Uses(by(x, i), w, &spec.Loads[level])},
				}
			})
		}
	}
}

// scale writes the replicas that the event says.
func scale(x *model.Turn, i int) {
	e := &x.Events[i]
	for _, w := range e.Works {
		before := x.State.Work[w]
		if !before.Exists || e.Replicas == nil || e.Replicas(before.Replicas) == before.Replicas {
			continue
		}
		to := x.Begin(i)
		after := to.EditWork(w)
		after.Replicas = e.Replicas(before.Replicas)
		said := x.Workloads[w].Rewritten(before, after)
		emit(x, w, to, func() model.Explanation {
			return model.Explanation{
				Action: fmt.Sprintf("%s is scaled: %s", x.Workloads[w].Object(), said), Refs: ref(x, i),
				Acts: []model.Act{by(x, i).Scales(x.Workloads[w].Object(), before.Replicas, after.Replicas)},
			}
		})
	}
}

// write applies or creates the object of a manifest.
func write(x *model.Turn, i int) {
	e := &x.Events[i]
	if e.Rewrite != nil {
		rewrite(x, i)
		return
	}
	w := e.Works[0]
	before := x.State.Work[w]
	if before.Exists && e.Type == scenario.EventCreate || !before.Exists && !x.NothingLeft(x.State, w) {
		return
	}
	to := x.Begin(i)
	after := to.EditWork(w)
	e.Apply.Write(after) // an apply happens even if it changes nothing
	emit(x, w, to, func() model.Explanation {
		spec, acts := &x.Workloads[w], []model.Act{x.Rewrites(by(x, i), "apply", w, to, e.Manifest)}
		if !before.Exists {
			return model.Explanation{Action: spec.Object() + " is created", Refs: ref(x, i), Acts: acts}
		}
		changed := changeRefs(x.ScenarioSource.Within(e.Path+".manifest"), spec.Now(before).Written, spec.Now(after).Written)
		return model.Explanation{
			Action: fmt.Sprintf("%s is applied: %s", spec.Object(), spec.Rewritten(before, after)), Refs: append(ref(x, i), changed...), Acts: acts,
		}
	})
}

// rollOut turns to the event's template, and from there back to the first one.
func rollOut(x *model.Turn, i int) {
	e := &x.Events[i]
	for k, w := range e.Works {
		before := x.State.Work[w]
		if !before.Exists {
			continue
		}
		rev := e.Rev[k]
		if rev == before.Rev {
			rev = 0
		}
		if rev == before.Rev {
			continue // a manifest with the present template changes nothing
		}
		to := x.Begin(i)
		after := to.EditWork(w)
		after.Before, after.Rev = before.Rev, rev
		emit(x, w, to, func() model.Explanation {
			return model.Explanation{Action: fmt.Sprintf("a rollout of %s begins: its pod template changes", x.Workloads[w].Object()), Refs: ref(x, i), Acts: []model.Act{x.Rewrites(by(x, i), "patch", w, to, nil)}}
		})
	}
}

func rollBack(x *model.Turn, i int) {
	for _, w := range x.Events[i].Works {
		before := x.State.Work[w]
		if !before.Exists || before.Before == before.Rev {
			continue
		}
		to := x.Begin(i)
		after := to.EditWork(w)
		after.Rev, after.Before = before.Before, before.Rev
		emit(x, w, to, func() model.Explanation {
			return model.Explanation{Action: fmt.Sprintf("%s is rolled back to its previous pod template", x.Workloads[w].Object()), Refs: ref(x, i), Acts: []model.Act{x.Rewrites(by(x, i), "patch", w, to, nil)}}
		})
	}
}
