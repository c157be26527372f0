package actor

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
	"github.com/seatrial/seatrial/statespace"
)

// drain is the client that empties the nodes which a drain or maintenance
// event chose: it asks for the eviction of every pod again and again, and is
// done when none is left. In maintenance it then uncordons the node and turns
// to the next.
type drain struct{}

var _ = model.Register(drain{})

var byDrain = model.Outside("drain")

func (drain) Name() string       { return "drain" }
func (drain) Speed() model.Speed { return model.Free }
func (drain) Verbs() []model.Verb {
	return []model.Verb{
		{Name: "evict", Grain: model.ByWorkPool, Fairness: statespace.Weak},
		{Name: "done", Grain: model.ByPool, Fairness: statespace.Weak},
		{Name: "uncordon", Grain: model.ByPool, Fairness: statespace.Weak},
		{Name: "next", Grain: model.ByAll, Fairness: statespace.Weak},
	}
}

func (drain) Steps(x *model.Turn) {
	busy := false
	for i, n := range x.State.Nodes {
		maintained := x.State.Env.Maintenance > 0 && n.Event == x.State.Env.Maintenance
		switch n.Drain {
		case model.Draining:
			busy = busy || maintained
			drainNode(x, i)
		case model.Drained:
			if maintained {
				busy = true
				uncordon(x, i)
			}
		}
	}
	if x.State.Env.Maintenance > 0 && !busy {
		nextTurn(x)
	}
}

// drainNode asks for the next evictions, or ends the drain of an empty node.
func drainNode(x *model.Turn, i int) {
	n := x.State.Nodes[i]
	asked := n.Pods.Count(func(p model.Pod) bool { return !x.Stays(p) })
	if asked == 0 || mutation.On("drain-gives-up") && refused(x, i) {
		to := x.State.Clone()
		to.EditNode(i).Drain = model.Drained
		if !n.Unschedulable { // an actor of the scenario's own was quicker
			x.Uncordon(to, i)
		}
		left := ""
		if len(n.Pods) > asked {
			left = " but for pods that a drain leaves alone"
		}
		x.Emit(model.Step{
			Verb: "done", A: x.Nodes[i].Pool, Work: model.NoWork, To: to,
			Explain: func() model.Explanation {
				return model.Explanation{
					Action: fmt.Sprintf("node %s is empty%s: the drain is done", x.Nodes[i].Name(), left),
					Acts:   []model.Act{byDrain.To("drained", x.NodeObject(i)).Inner()},
				}
			},
		})
		return
	}
	for _, c := range n.Pods {
		if !c.Terminating && !x.Stays(c.Pod) {
			evict(x, byDrain, model.Place{Node: i}, c.Pod, "")
		}
	}
}

func uncordon(x *model.Turn, i int) {
	to := x.State.Clone()
	n := to.EditNode(i)
	n.Unschedulable, n.Drain, n.Event, n.Maintained = false, model.DrainNone, 0, true
	n.Unschedulable = n.Unschedulable || mutation.On("uncordon-forgotten")
	x.Emit(model.Step{
		Verb: "uncordon", A: x.Nodes[i].Pool, Work: model.NoWork, To: to,
		Explain: func() model.Explanation {
			return model.Explanation{
				Action: fmt.Sprintf("uncordons node %s", x.Nodes[i].Name()),
				Acts:   []model.Act{x.Cordons(byDrain, i, false)},
			}
		},
	})
}

// nextTurn starts on any node that the maintenance has not had yet, or ends it.
func nextTurn(x *model.Turn) {
	event := x.Events[x.State.Env.Maintenance-1]
	left := false
	for _, i := range event.Nodes {
		if n := x.State.Nodes[i]; n.Maintained || n.Event != 0 {
			continue
		}
		left = true
		to := x.State.Clone()
		n := to.EditNode(i)
		n.Unschedulable, n.Drain, n.Event = true, model.Draining, x.State.Env.Maintenance
		x.Emit(model.Step{
			Verb: "next", Work: model.NoWork, To: to,
			Explain: func() model.Explanation {
				return model.Explanation{
					Action: fmt.Sprintf("cordons node %s and begins to drain it", x.Nodes[i].Name()),
					Acts:   []model.Act{x.Cordons(byDrain, i, true)},
				}
			},
		})
	}
	if left {
		return
	}
	to := x.State.Clone()
	to.EditEnv().Maintenance = 0
	for i, n := range to.Nodes {
		if n.Maintained {
			to.EditNode(i).Maintained = false
		}
	}
	x.Emit(model.Step{
		Verb: "next", Work: model.NoWork, To: to,
		Explain: func() model.Explanation {
			return model.Explanation{Action: "every node has been drained in turn", Acts: []model.Act{byDrain.To("drained", "").Inner()}}
		},
	})
}
