// Package actor holds the controllers of the cluster, the kubelets and the
// clients that act on it: one file per actor, each registered by its own file.
// Where a decision is Kubernetes' own, an actor asks the real code, by
// internal/upstream or World.Kube, and turns the answer into steps.
package actor

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
	upstream "github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/disruption"
)

// evict asks the eviction API to delete a pod. If a budget refuses, nothing
// changes, and there is no step; a caller that gives up instead handles that
// itself. It reports whether the eviction was granted.
func evict(x *model.Turn, at model.Place, p model.Pod, note string) bool {
	admission := upstream.Evict(x.Pod(p, at, 0), x.Budgets(x.State))
	if !admission.Allowed && !(note != "" && mutation.On("descheduler-ignores-budgets")) {
		return false
	}
	to := x.State.Clone()
	var refs []model.Ref
	if admission.Update != nil {
		for i := range x.PDBs {
			if x.PDBs[i].Name() == x.Workloads[p.Work].Namespace+"/"+admission.PDB {
				to.EditPDB(i).Allowed = admission.Update.Status.DisruptionsAllowed
				refs = append(refs, x.BudgetSpec(x.State, i).Ref("spec", "allows the eviction"))
			}
		}
	}
	x.Delete(to, at, p, false)
	x.Emit(model.Step{
		Verb: "evict", A: int(p.Work), B: x.Nodes[at.Node].Pool, Work: int(p.Work), Kind: model.KindEvict, To: to,
		Explain: func() model.Explanation {
			return model.Explanation{
				Action: fmt.Sprintf("evicts a pod of %s from %s", x.Workloads[p.Work].Object(), x.Nodes[at.Node].Name()),
				Note:   note,
				Refs:   refs,
			}
		},
	})
	return true
}
