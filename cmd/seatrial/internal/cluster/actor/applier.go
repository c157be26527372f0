package actor

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/statespace"
)

// applier writes a manifest again and again, as GitOps tools do.
type applier struct{}

var _ = model.Register(applier{})

func (applier) Name() string       { return "applier" }
func (applier) Speed() model.Speed { return model.Slow }
func (applier) Verbs() []model.Verb {
	return []model.Verb{{Name: "apply", Grain: model.ByApplier, Fairness: statespace.Weak}}
}

func (applier) Steps(x *model.Turn) {
	for i, a := range x.Appliers {
		if a.Rewrite != nil {
			rewrite(x, i)
			continue
		}
		work := x.State.Work[a.Work]
		if after := *work; !work.Exists && !x.NothingLeft(x.State, a.Work) || !a.Apply.Write(&after) {
			continue
		}
		to := x.State.Clone()
		a.Apply.Write(to.EditWork(a.Work))
		kind := model.KindOther
		if to.Work[a.Work].Replicas != work.Replicas {
			kind = model.KindScale
		}
		x.Emit(model.Step{
			Verb: "apply", A: i, Work: a.Work, Kind: kind, To: to,
			Explain: func() model.Explanation {
				e := model.Explanation{
					Action: fmt.Sprintf("%s creates %s", a.Name, x.Workloads[a.Work].Object()),
					Acts:   []model.Act{x.Rewrites(model.Outside(a.Name), "apply", a.Work, to, x.Scenario.Appliers[i].Manifest)},
					Refs:   []model.Ref{{Source: a.Source, Path: a.Path, Message: "is applied again and again"}},
				}
				if work.Exists {
					e.Action = fmt.Sprintf("%s applies %s: %s", a.Name, x.Workloads[a.Work].Object(), x.Workloads[a.Work].Rewritten(work, to.Work[a.Work]))
				}
				return e
			},
		})
	}
}

// rewrite writes the manifest of an autoscaler or a budget over what is there.
func rewrite(x *model.Turn, i int) {
	a := &x.Appliers[i]
	before, after, _ := a.Rewrite.Turns(x.State)
	if before == after {
		return
	}
	to := x.State.Clone()
	x.Write(to, a.Rewrite, after)
	x.Emit(model.Step{
		Verb: "apply", A: i, Work: x.Subject(to, a.Rewrite), To: to,
		Explain: func() model.Explanation {
			refs := []model.Ref{{Source: a.Source, Path: a.Path, Message: "is applied again and again"}}
			acts := []model.Act{x.Revises(model.Outside(a.Name), "apply", a.Rewrite, before, after, x.Scenario.Appliers[i].Manifest)}
			if before == model.Absent {
				return model.Explanation{Action: fmt.Sprintf("%s creates %s", a.Name, x.Object(a.Rewrite)), Refs: refs, Acts: acts}
			}
			return model.Explanation{
				Action: fmt.Sprintf("%s applies %s: %s", a.Name, x.Object(a.Rewrite), x.Differences(a.Rewrite, before, after)),
				Refs:   refs,
				Acts:   acts,
			}
		},
	})
}
