package actor

import (
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/nodelifecycle"
	"github.com/seatrial/seatrial/statespace"
)

// nodeCondition is the half of the node lifecycle controller that notices a
// silent kubelet. It also marks the node's pods as not Ready, in one pass.
type nodeCondition struct{}

// nodeTaint is the half that writes taints, each effect in a pass of its own.
type nodeTaint struct{}

var (
	_ = model.Register(nodeCondition{})
	_ = model.Register(nodeTaint{})
)

var byNodeLifecycle = model.Component("node-lifecycle-controller")

func (nodeCondition) Name() string       { return "node-condition" }
func (nodeCondition) Title() string      { return "node-lifecycle" }
func (nodeCondition) Speed() model.Speed { return model.Free }
func (nodeCondition) Verbs() []model.Verb {
	return []model.Verb{{Name: "not-ready", Grain: model.ByPool, Fairness: statespace.Weak}}
}

func (nodeCondition) Steps(x *model.Turn) {
	for i, n := range x.State.Nodes {
		if n.Up || !n.Ready || mutation.On("node-loss-unnoticed") {
			continue
		}
		to := x.State.Clone()
		node := to.EditNode(i)
		node.Ready = false
		node.Pods = node.Pods.Map(silent)
		x.Emit(model.Step{
			Verb: "not-ready", A: x.Nodes[i].Pool, Work: model.NoWork, To: to,
			Explain: func() model.Explanation {
				return model.Explanation{
					Action: fmt.Sprintf("node %s is not Ready: its kubelet is silent", x.Nodes[i].Name()),
					Acts:   append([]model.Act{byNodeLifecycle.To("node-unready", x.NodeObject(i))}, model.Changed(byNodeLifecycle, "unready", i, n.Pods, silent)...),
				}
			},
		})
	}
}

// silent is a pod of a silent kubelet.
func silent(p model.Pod) model.Pod {
	p.Unready()
	return p
}

func (nodeTaint) Name() string       { return "node-taint" }
func (nodeTaint) Title() string      { return "node-lifecycle" }
func (nodeTaint) Speed() model.Speed { return model.Fast }
func (nodeTaint) Verbs() []model.Verb {
	return []model.Verb{
		{Name: "no-schedule", Grain: model.ByPool, Fairness: statespace.Weak},
		{Name: "no-execute", Grain: model.ByPool, Fairness: statespace.Weak},
	}
}

func (nodeTaint) Steps(x *model.Turn) {
	paces := x.Paces(x.State)
	for i, n := range x.State.Nodes {
		var want model.Taints
		if n.Unschedulable {
			want |= model.TaintUnschedulable
		}
		want |= n.NotReadyTaints()
		if mutation.On("node-taint-stays") {
			want |= n.Taints
		}
		const (
			noSchedule = model.TaintUnschedulable | model.TaintUnreachable | model.TaintNotReady
			noExecute  = model.TaintEvict | model.TaintNotReadyEvict
		)
		writeTaints(x, i, "no-schedule", n.Taints&^noSchedule|want&noSchedule)
		if paces != nil && (paces[i] == nodelifecycle.Withdrawn || paces[i] == nodelifecycle.Stopped && n.Taints&noExecute == 0) {
			want &^= noExecute
		}
		writeTaints(x, i, "no-execute", n.Taints&^noExecute|want&noExecute)
	}
}

func writeTaints(x *model.Turn, i int, verb string, taints model.Taints) {
	before := x.State.Nodes[i].Taints
	if before == taints {
		return
	}
	to := x.State.Clone()
	to.EditNode(i).Taints = taints
	x.Emit(model.Step{
		Verb: verb, A: x.Nodes[i].Pool, Work: model.NoWork, To: to,
		Explain: func() model.Explanation {
			var said []string
			if added := (taints &^ before).String(); added != "" {
				said = append(said, "taints node "+x.Nodes[i].Name()+" with "+added)
			}
			if removed := (before &^ taints).String(); removed != "" {
				said = append(said, "takes the taint "+removed+" from node "+x.Nodes[i].Name())
			}
			return model.Explanation{Action: strings.Join(said, ", "), Acts: x.Taints(byNodeLifecycle, i, before, taints)}
		},
	})
}
