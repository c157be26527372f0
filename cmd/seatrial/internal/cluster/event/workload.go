package event

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

var (
	_ = model.Register(event{kind: scenario.EventLoad, start: changeLoad})
	_ = model.Register(event{kind: scenario.EventScale, start: change("is scaled")})
	_ = model.Register(event{kind: scenario.EventApply, start: func(x *model.Turn, i int) {
		if x.Events[i].Rewrite != nil {
			rewrite(x, i)
			return
		}
		create(x, i) // what is not there
		change("is applied")(x, i)
	}})
	_ = model.Register(event{kind: scenario.EventCreate, start: func(x *model.Turn, i int) {
		if x.Events[i].Rewrite != nil {
			rewrite(x, i)
			return
		}
		create(x, i)
	}})
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
				}
			})
		}
	}
}

// change writes replicas and template as the event says.
func change(verb string) func(*model.Turn, int) {
	return func(x *model.Turn, i int) {
		e := &x.Events[i]
		for k, w := range e.Works {
			before := x.State.Work[w]
			if !before.Exists {
				continue
			}
			to := x.Begin(i)
			after := to.EditWork(w)
			if e.Replicas != nil {
				after.Replicas = e.Replicas(before.Replicas)
			}
			if len(e.Rev) > k && e.Rev[k] != before.Rev {
				after.Before, after.Rev = before.Rev, e.Rev[k]
			}
			// An apply happens even if it changes nothing; a scale to the same size does not.
			if after.Replicas == before.Replicas && after.Rev == before.Rev && e.Type != scenario.EventApply {
				continue
			}
			said := model.Rewritten(before, after)
			emit(x, w, to, func() model.Explanation {
				return model.Explanation{
					Action: fmt.Sprintf("%s %s: %s", x.Workloads[w].Object(), verb, said),
					Refs:   ref(x, i),
				}
			})
		}
	}
}

// create brings the Deployment of a manifest if it is not there.
func create(x *model.Turn, i int) {
	for _, w := range x.Events[i].Works {
		if x.State.Work[w].Exists {
			continue
		}
		to := x.Begin(i)
		work := to.EditWork(w)
		work.Exists, work.Rev, work.Before = true, x.Events[i].Rev[0], x.Events[i].Rev[0]
		work.Replicas = x.Events[i].Replicas(work.Replicas)
		emit(x, w, to, func() model.Explanation {
			return model.Explanation{Action: fmt.Sprintf("%s is created", x.Workloads[w].Object()), Refs: ref(x, i)}
		})
	}
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
			return model.Explanation{Action: fmt.Sprintf("a rollout of %s begins: its pod template changes", x.Workloads[w].Object()), Refs: ref(x, i)}
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
			return model.Explanation{Action: fmt.Sprintf("%s is rolled back to its previous pod template", x.Workloads[w].Object()), Refs: ref(x, i)}
		})
	}
}
