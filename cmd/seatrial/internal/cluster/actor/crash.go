package actor

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
	"github.com/seatrial/seatrial/statespace"
)

// crash is the scenario's node crash rule: a node stops when its pods leave
// too little of it free, and returns; pods still bound to it start again.
type crash struct{}

var _ = model.Register(crash{})

var byCrash = model.Outside("node-crash")

func (crash) Name() string       { return "node-crash" }
func (crash) Speed() model.Speed { return model.Free }
func (crash) Verbs() []model.Verb {
	return []model.Verb{
		{Name: "fail", Grain: model.ByPool, Fairness: statespace.Weak},
		{Name: "return", Grain: model.ByPool, Fairness: statespace.Weak},
	}
}

func (crash) Steps(x *model.Turn) {
	for k := range x.Crash {
		for i, n := range x.State.Nodes {
			if !x.AboutNode(x.Crash[k].Nodes, i) {
				continue
			}
			switch {
			case n.Up:
				failNode(x, i, k)
			case n.Crashed && !mutation.On("crash-keeps-usage"):
				returnNode(x, i)
			}
		}
	}
}

// failNode stops node i if crash rule k says so.
func failNode(x *model.Turn, i, k int) {
	rule := &x.Crash[k]
	resource := rule.Resource
	if resource == "" {
		resource = corev1.ResourceCPU
	}
	free, total := x.NodeFree(x.State, i, resource)
	if total <= 0 || 100*free > rule.FreePercent*total {
		return
	}
	to := x.State.Clone()
	n := to.EditNode(i)
	n.Up, n.Crashed = false, true
	x.Emit(model.Step{
		Verb: "fail", A: x.Nodes[i].Pool, Work: model.NoWork, Kind: model.KindNodeFail, To: to,
		Explain: func() model.Explanation {
			e := model.Explanation{
				Action: fmt.Sprintf("node %s fails", x.Nodes[i].Name()),
				Note:   fmt.Sprintf("its pods leave %.1f %% of its %s free; at %d %% it fails", 100*float64(free)/float64(total), resource, rule.FreePercent),
				Refs:   []model.Ref{x.ScenarioRef(fmt.Sprintf("spec.nodeCrash[%d]", k), "is the rule by which the node fails")},
				Acts:   []model.Act{byCrash.To("node-down", x.NodeObject(i))},
			}
			for _, c := range x.State.Nodes[i].Pods {
				rev := &x.Workloads[c.Work].Revisions[c.Rev]
				e.Refs = append(e.Refs, rev.Ref("spec.containers[0].resources.requests", "lets the scheduler pack the node this full"))
			}
			return e
		},
	})
}

// returnNode brings a crashed node back.
func returnNode(x *model.Turn, i int) {
	to := x.State.Clone()
	n := to.EditNode(i)
	n.Up, n.Crashed = true, false
	n.Pods = n.Pods.Map(model.Restarted)
	x.Emit(model.Step{
		Verb: "return", A: x.Nodes[i].Pool, Work: model.NoWork, To: to, Seconds: model.Ages,
		Explain: func() model.Explanation {
			return model.Explanation{
				Action: fmt.Sprintf("node %s comes back", x.Nodes[i].Name()),
				Note:   "a crashed node runs nothing and so uses nothing; the pods still bound to it start again",
				Acts:   append([]model.Act{byCrash.To("node-up", x.NodeObject(i))}, model.Changed(byKubelet, "restart", i, x.State.Nodes[i].Pods, model.Restarted)...),
			}
		},
	})
}
