package event

import (
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/statespace"
)

var (
	_ = model.Register(event{kind: scenario.EventDrain, start: startDrain})
	_ = model.Register(event{kind: scenario.EventCordon, start: startCordon})
	_ = model.Register(event{kind: scenario.EventUncordon, start: startUncordon, after: uncordon})
	_ = model.Register(event{kind: scenario.EventMaintenance, start: startMaintenance})
	_ = model.Register(event{kind: scenario.EventNodeLoss, start: loseNode, after: mayReturn})
	_ = model.Register(recovery{})
)

// free tells whether a node is untouched by events, so that one may strike it.
func free(n *model.Node) bool { return n.Up && n.Event == 0 }

// strike emits, for each node of event i that can be struck, the step that
// changes it; format says so, given the node's name, and act to other programs.
func strike(x *model.Turn, i int, can func(*model.Node) bool, change func(*model.Node), act func(k int) model.Act, format string) {
	var struck []int
	for _, k := range x.Events[i].Nodes {
		first := x.Alike()[k]
		if !can(x.State.Nodes[k]) || slices.Contains(struck, first) {
			continue
		}
		struck = append(struck, first)
		to := x.Begin(i)
		n := to.EditNode(k)
		n.Event = uint8(i) + 1
		change(n)
		emit(x, model.NoWork, to, func() model.Explanation {
			return model.Explanation{Action: fmt.Sprintf(format, x.Nodes[k].Name()), Refs: ref(x, i), Acts: []model.Act{act(k)}}
		})
	}
}

// cordoning is the act of event i on a node that it cordons.
func cordoning(x *model.Turn, i int) func(int) model.Act {
	return func(k int) model.Act { return x.Cordons(by(x, i), k, true) }
}

// startDrain cordons the node; the drain actor does the rest.
func startDrain(x *model.Turn, i int) {
	strike(x, i, free, func(n *model.Node) { n.Unschedulable, n.Drain = true, model.Draining }, cordoning(x, i), "a drain of node %s begins: it is cordoned")
}

func startCordon(x *model.Turn, i int) {
	strike(x, i, func(n *model.Node) bool { return free(n) && !n.Unschedulable },
		func(n *model.Node) { n.Unschedulable = true }, cordoning(x, i), "node %s is cordoned")
}

// startUncordon makes a node schedulable that is not so at the start.
func startUncordon(x *model.Turn, i int) {
	for _, k := range x.Events[i].Nodes {
		n := x.State.Nodes[k]
		maintained := n.Event != 0 && n.Event == x.State.Env.Maintenance
		if !n.Unschedulable || n.Drain == model.Draining || maintained {
			continue
		}
		to := x.Begin(i)
		m := to.EditNode(k)
		m.Unschedulable, m.Drain = false, model.DrainNone
		if m.Up || m.Crashed { // a lost node stays lost
			m.Event = 0
		}
		emit(x, model.NoWork, to, func() model.Explanation {
			return model.Explanation{
				Action: fmt.Sprintf("node %s is uncordoned", x.Nodes[k].Name()), Refs: ref(x, i),
				Acts: []model.Act{x.Cordons(by(x, i), k, false)},
			}
		})
	}
}

// uncordon may or may not follow a drain or cordon.
func uncordon(x *model.Turn) {
	for k, n := range x.State.Nodes {
		if n.Event == 0 || n.Drain == model.Draining || !n.Unschedulable || !n.Up || n.Event == x.State.Env.Maintenance {
			continue
		}
		to := x.State.Clone()
		m := to.EditNode(k)
		m.Unschedulable, m.Drain, m.Event = false, model.DrainNone, 0
		emit(x, model.NoWork, to, func() model.Explanation {
			return model.Explanation{
				Action: fmt.Sprintf("node %s is uncordoned", x.Nodes[k].Name()),
				Acts:   []model.Act{x.Cordons(model.Outside(string(scenario.EventUncordon)), k, false)},
			}
		})
	}
}

// startMaintenance drains every node in turn; the drain actor takes the turns.
func startMaintenance(x *model.Turn, i int) {
	if x.State.Env.Maintenance != 0 {
		return
	}
	to := x.Begin(i)
	to.Env.Maintenance = uint8(i) + 1
	emit(x, model.NoWork, to, func() model.Explanation {
		return model.Explanation{Action: "maintenance begins: every node is to be drained in turn", Refs: ref(x, i), Acts: []model.Act{by(x, i).To("maintenance", "").Inner()}}
	})
}

func loseNode(x *model.Turn, i int) {
	act := func(k int) model.Act { return by(x, i).To("node-down", x.NodeObject(k)) }
	strike(x, i, free, func(n *model.Node) { n.Up = false }, act, "node %s is lost")
}

// lost are the nodes that an event took away and whose return is so declared.
func lost(x *model.Turn, returns string) []int {
	var out []int
	for k, n := range x.State.Nodes {
		// A cordoned node that failed by the crash rule is not lost: it returns by that rule.
		if n.Up || n.Crashed || n.Event == 0 {
			continue
		}
		if r := x.Events[n.Event-1].Returns; r == returns || r == "" && returns == "maybe" {
			out = append(out, k)
		}
	}
	return out
}

// comeBack returns the state in which node k runs again.
func comeBack(x *model.Turn, k int) *model.State {
	to := x.State.Clone()
	n := to.EditNode(k)
	n.Up, n.Event = true, 0
	return to
}

func mayReturn(x *model.Turn) {
	for _, k := range lost(x, "maybe") {
		emit(x, model.NoWork, comeBack(x, k), func() model.Explanation {
			return returned(x, k)
		})
	}
}

// returned says that node k runs again.
func returned(x *model.Turn, k int) model.Explanation {
	act := model.Outside(string(scenario.EventNodeLoss)).To("node-up", x.NodeObject(k))
	return model.Explanation{Action: fmt.Sprintf("node %s is back", x.Nodes[k].Name()), Acts: []model.Act{act}}
}

// recovery brings back the nodes whose loss is declared to end: a fair step.
type recovery struct{}

func (recovery) Name() string       { return "recovery" }
func (recovery) Speed() model.Speed { return model.Free }
func (recovery) Verbs() []model.Verb {
	return []model.Verb{{Name: "return", Grain: model.ByPool, Fairness: statespace.Weak}}
}

func (recovery) Steps(x *model.Turn) {
	for _, k := range lost(x, "always") {
		x.Emit(model.Step{
			Verb: "return", A: x.Nodes[k].Pool, Work: model.NoWork, To: comeBack(x, k), Seconds: model.Ages,
			Explain: func() model.Explanation { return returned(x, k) },
		})
	}
}
