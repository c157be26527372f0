package actor

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
	"github.com/seatrial/seatrial/statespace"
)

// disruption is the disruption controller: it brings the status of budgets up
// to date, later than the pods change. It watches pods and budgets, and reads how
// many pods are wanted only when one of these has changed.
type disruption struct{}

var _ = model.Register(disruption{})

var byDisruption = model.Component("disruption-controller")

func (disruption) Name() string       { return "disruption" }
func (disruption) Speed() model.Speed { return model.Fast }
func (disruption) Verbs() []model.Verb {
	return []model.Verb{{Name: "recount", Grain: model.ByPDB, Fairness: statespace.Weak}}
}

func (disruption) Steps(x *model.Turn) {
	for i := range x.PDBs {
		status := x.BudgetStatus(x.State, i)
		if x.State.PDB[i].Unheard || status == *x.State.PDB[i] || mutation.On("pdb-never-recounted") {
			continue
		}
		to := x.State.Clone()
		*to.EditPDB(i) = status
		x.Emit(model.Step{
			Verb: "recount", A: i, Work: model.NoWork, To: to,
			Explain: func() model.Explanation {
				return model.Explanation{
					Action: fmt.Sprintf("recounts PodDisruptionBudget %s: %d healthy, %d wanted, %d may go",
						x.PDBs[i].Name(), status.Current, status.Desired, status.Allowed),
					Acts: []model.Act{x.Recounts(byDisruption, to, i)},
				}
			},
		})
	}
}
