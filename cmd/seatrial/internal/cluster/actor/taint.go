package actor

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
	upstream "github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/nodelifecycle"
	"github.com/seatrial/seatrial/statespace"
)

// taintEviction deletes the pods that do not tolerate a NoExecute taint of
// their node: at once, or when their tolerationSeconds are over. The timer is
// not part of the state: it may expire at any time while the taint is there,
// and does so in the end if the taint stays.
type taintEviction struct{}

var _ = model.Register(taintEviction{})

func (taintEviction) Name() string       { return "taint-eviction" }
func (taintEviction) Speed() model.Speed { return model.Free }
func (taintEviction) Verbs() []model.Verb {
	return []model.Verb{{Name: "delete", Grain: model.ByWorkPool, Fairness: statespace.Weak}}
}

func (taintEviction) Steps(x *model.Turn) {
	for i, n := range x.State.Nodes {
		object := x.Node(i, n)
		for _, c := range n.Pods {
			if c.Terminating {
				continue
			}
			at := model.Place{Node: i}
			ok, after := upstream.Tolerates(x.Pod(c.Pod, at, 0), object)
			if ok && (after == nil || mutation.On("taint-eviction-forgets-timer")) || mutation.On("taint-eviction-off") {
				continue
			}
			evictTainted(x, at, c.Pod, after)
		}
	}
}

func evictTainted(x *model.Turn, at model.Place, p model.Pod, after *int64) {
	to := x.State.Clone()
	x.Delete(to, at, p, false)
	var seconds int64
	if after != nil {
		seconds = *after
	}
	x.Emit(model.Step{
		Verb: "delete", A: int(p.Work), B: x.Nodes[at.Node].Pool, Work: int(p.Work), Kind: model.KindTaint, To: to,
		Seconds: seconds,
		Explain: func() model.Explanation {
			e := model.Explanation{
				Action: fmt.Sprintf("deletes a pod of %s on %s", x.Workloads[p.Work].Object(), x.Nodes[at.Node].Name()),
				Note:   "it does not tolerate a NoExecute taint of the node",
				Refs:   x.TaintRefs(p, at.Node),
			}
			if after != nil && *after > 0 {
				e.Note = fmt.Sprintf("it tolerated the node's NoExecute taint for %d s, which are over", *after)
			}
			return e
		},
	})
}
