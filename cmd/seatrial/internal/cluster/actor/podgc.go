package actor

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/statespace"
)

// podGC is the pod garbage collector: it deletes pods that are bound to a node
// which does not exist (gcOrphaned, pkg/controller/podgc/gc_controller.go). Its
// quarantine of 40 s passes sooner or later.
type podGC struct{}

var _ = model.Register(podGC{})

var byPodGC = model.Component("pod-garbage-collector-controller")

func (podGC) Name() string       { return "pod-gc" }
func (podGC) Speed() model.Speed { return model.Free }
func (podGC) Verbs() []model.Verb {
	return []model.Verb{{Name: "delete", Grain: model.ByWork, Fairness: statespace.Weak}}
}

func (podGC) Steps(x *model.Turn) {
	for _, c := range x.State.Free {
		if !orphan(x, model.Unassigned, c.Pod) {
			continue
		}
		to := x.State.Clone()
		to.Free = to.Free.Remove(c.Pod)
		x.Emit(model.Step{
			Verb: "delete", A: int(c.Work), Work: int(c.Work), Kind: model.KindDelete, Seconds: 40, To: to,
			Explain: func() model.Explanation {
				rev := &x.Workloads[c.Work].Revisions[c.Rev]
				return model.Explanation{
					Action: fmt.Sprintf("deletes a pod of %s: its node %s does not exist", x.Workloads[c.Work].Object(), rev.Pod.Spec.NodeName),
					Refs:   []model.Ref{rev.Ref("spec.nodeName", "names a node that is not there")},
					Acts:   []model.Act{byPodGC.Ends("delete", model.Unassigned, c.Pod, 1)},
				}
			},
		})
	}
}

// orphan tells whether a pod is bound to a node that does not exist. The model
// keeps it with the pods that have no node.
func orphan(x *model.Turn, at model.Place, p model.Pod) bool {
	return at.Node < 0 && x.Workloads[p.Work].Revisions[p.Rev].Pod.Spec.NodeName != ""
}
