// Package actor holds the controllers of the cluster, the kubelets and the
// clients that act on it: one file per actor, each registered by its own file.
// Where a decision is Kubernetes' own, an actor asks the real code, by
// internal/upstream or World.Kube, and turns the answer into steps.
package actor

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
)

// evict asks the eviction API to delete a pod. If a budget refuses, nothing
// changes, and there is no step; a caller that gives up instead handles that
// itself. It reports whether the eviction was granted.
func evict(x *model.Turn, by model.By, at model.Place, p model.Pod, note string) bool {
	to, refs := x.Evict(x.State, at, p, note != "" && mutation.On("descheduler-ignores-budgets"))
	if to == nil {
		return false
	}
	x.Emit(model.Step{
		Verb: "evict", A: int(p.Work), B: x.Nodes[at.Node].Pool, Work: int(p.Work), Kind: model.KindEvict, To: to,
		Explain: func() model.Explanation {
			return model.Explanation{
				Action: fmt.Sprintf("evicts a pod of %s from %s", x.Workloads[p.Work].Object(), x.Nodes[at.Node].Name()),
				Note:   note,
				Refs:   refs,
				Acts:   x.Evictions(by, to, at, p),
			}
		},
	})
	return true
}
