package actor

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
	upstream "github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/nodelifecycle"
	"github.com/seatrial/seatrial/statespace"
)

// taintEviction deletes the pods that do not tolerate a NoExecute taint of
// their node.
type taintEviction struct{}

// toleration deletes the pods whose tolerationSeconds are over. The timer is not
// part of the state: it may expire at any time while the taint is there, and does
// so in the end if the taint stays. Unless the check is strict, what takes less
// time happens first: tolerations are minutes. Were it not so, pods could come
// back to a node whose taint lingers and be deleted again, as often as there is
// room for terminating ones.
type toleration struct{}

var (
	_ = model.Register(taintEviction{})
	_ = model.Register(toleration{})
)

var byTaintEviction = model.Component("taint-eviction-controller")

func (taintEviction) Name() string       { return "taint-eviction" }
func (taintEviction) Speed() model.Speed { return model.Free }
func (taintEviction) Verbs() []model.Verb {
	return []model.Verb{{Name: "delete", Grain: model.ByWorkPool, Fairness: statespace.Weak}}
}

func (taintEviction) Steps(x *model.Turn) {
	eachIntolerant(x, func(at model.Place, p model.Pod, seconds int64) {
		if seconds == 0 {
			evictTainted(x, at, p, 0)
		}
	})
}

func (toleration) Name() string        { return "toleration" }
func (toleration) Title() string       { return "taint-eviction" }
func (toleration) Speed() model.Speed  { return model.Slow }
func (toleration) Verbs() []model.Verb { return taintEviction{}.Verbs() }
func (toleration) Steps(x *model.Turn) {
	soonest := x.Soonest
	eachIntolerant(x, func(at model.Place, p model.Pod, seconds int64) {
		if seconds > 0 && (soonest >= seconds || x.Strict) {
			evictTainted(x, at, p, seconds)
		}
	})
}

// eachIntolerant calls f for every sort of pod on a node with a taint that it
// tolerates for so many seconds, or not at all.
func eachIntolerant(x *model.Turn, f func(at model.Place, p model.Pod, seconds int64)) {
	if mutation.On("taint-eviction-off") {
		return
	}
	for i, n := range x.State.Nodes {
		if len(n.Pods) == 0 || !x.Evicts(i, n) {
			continue
		}
		object := x.Node(i, n)
		for _, c := range n.Pods {
			if c.Terminating {
				continue
			}
			at := model.Place{Node: i}
			ok, after := upstream.Tolerates(x.Pod(c.Pod, at, 0), object)
			switch {
			case !ok:
				f(at, c.Pod, 0)
			case after != nil && !mutation.On("taint-eviction-forgets-timer"):
				f(at, c.Pod, max(0, *after))
			}
		}
	}
}

func evictTainted(x *model.Turn, at model.Place, p model.Pod, seconds int64) {
	to := x.State.Clone()
	x.Delete(to, at, p, false)
	x.Emit(model.Step{
		Verb: "delete", A: int(p.Work), B: x.Nodes[at.Node].Pool, Work: int(p.Work), Kind: model.KindTaint, To: to,
		Seconds: seconds,
		Explain: func() model.Explanation {
			e := model.Explanation{
				Action: fmt.Sprintf("deletes a pod of %s on %s", x.Workloads[p.Work].Object(), x.Nodes[at.Node].Name()),
				Note:   "it does not tolerate a NoExecute taint of the node",
				Refs:   x.TaintRefs(p, at.Node),
			}
			act := byTaintEviction.Deletes(x.World, "delete", at, p, 1, false)
			act.Seconds = seconds
			e.Acts = []model.Act{act}
			if seconds > 0 {
				e.Note = fmt.Sprintf("it tolerated the node's NoExecute taint for %d s, which are over", seconds)
			}
			return e
		},
	})
}
