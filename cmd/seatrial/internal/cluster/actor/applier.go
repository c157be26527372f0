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
	return []model.Verb{{Name: "apply", Grain: model.ByWork, Fairness: statespace.Weak}}
}

func (applier) Steps(x *model.Turn) {
	for _, a := range x.Appliers {
		work := x.State.Work[a.Work]
		replicas := a.Replicas(work.Replicas)
		if !work.Exists || replicas == work.Replicas && a.Rev == work.Rev {
			continue
		}
		to := x.State.Clone()
		w := to.EditWork(a.Work)
		w.Replicas = replicas
		if w.Rev != a.Rev {
			w.Before, w.Rev = w.Rev, a.Rev
		}
		kind := model.KindOther
		if replicas != work.Replicas {
			kind = model.KindScale
		}
		x.Emit(model.Step{
			Verb: "apply", A: a.Work, Work: a.Work, Kind: kind, To: to,
			Explain: func() model.Explanation {
				return model.Explanation{
					Action: fmt.Sprintf("%s applies %s: %s", a.Name, x.Workloads[a.Work].Object(), model.Rewritten(work, to.Work[a.Work])),
					Refs:   []model.Ref{{Source: a.Source, Path: a.Path, Message: "is applied again and again"}},
				}
			},
		})
	}
}
