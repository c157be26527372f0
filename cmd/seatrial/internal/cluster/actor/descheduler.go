package actor

import (
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	upstream "github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/disruption"
	"github.com/seatrial/seatrial/statespace"
)

// descheduler runs its real plugins on one view of the cluster, which chooses
// pods, and then asks for their eviction one by one; others may act in
// between. A refused eviction is not tried again in the same cycle.
type descheduler struct{}

// deschedulerEviction is the second half: it goes on whether or not the fast
// controllers are idle.
type deschedulerEviction struct{}

var (
	_ = model.Register(descheduler{})
	_ = model.Register(deschedulerEviction{})
)

var byDescheduler = model.Component("descheduler")

func (descheduler) Name() string       { return "descheduler" }
func (descheduler) Speed() model.Speed { return model.Slow }
func (descheduler) Verbs() []model.Verb {
	return []model.Verb{{Name: "cycle", Grain: model.ByAll, Fairness: statespace.Weak}}
}

func (descheduler) Steps(x *model.Turn) {
	if x.Descheduler == nil || x.State.Count(func(_ model.Place, p model.Pod) bool { return p.Chosen }) > 0 {
		return
	}
	for _, outcome := range x.Kube.Deschedule(x.World, x.State) {
		if len(outcome.Pods) == 0 {
			continue
		}
		to := x.State.Clone()
		for _, p := range outcome.Pods {
			q := p.Pod
			q.Chosen = true
			to.SetBag(p.At, to.Bag(p.At).Replace(p.Pod, q))
		}
		work := int(outcome.Pods[0].Pod.Work)
		x.Emit(model.Step{
			Verb: "cycle", Work: work, Kind: model.KindCycle, To: to,
			Explain: func() model.Explanation {
				var acts []model.Act
				for _, p := range outcome.Pods {
					q := p.Pod
					q.Chosen = true
					acts = append(acts, byDescheduler.Makes("choose", p.At, p.Pod, q, 1).Inner())
				}
				return model.Explanation{
					Acts:   acts,
					Action: fmt.Sprintf("a cycle chooses %s for eviction", x.Sites(outcome.Pods)),
					Note:   strings.Join(outcome.Plugins, ", "),
					Refs:   x.DeschedulerRefs(outcome.Plugins),
				}
			},
		})
	}
}

func (deschedulerEviction) Name() string       { return "descheduler-eviction" }
func (deschedulerEviction) Title() string      { return "descheduler" }
func (deschedulerEviction) Speed() model.Speed { return model.Free }
func (deschedulerEviction) Verbs() []model.Verb {
	return []model.Verb{{Name: "evict", Grain: model.ByWorkPool, Fairness: statespace.Weak}}
}

func (deschedulerEviction) Steps(x *model.Turn) {
	for i, n := range x.State.Nodes {
		for _, c := range n.Pods {
			if c.Chosen && !c.Terminating {
				evictChosen(x, model.Place{Node: i}, c.Pod)
			}
		}
	}
}

func evictChosen(x *model.Turn, at model.Place, p model.Pod) {
	if evict(x, byDescheduler, at, p, "chosen by the descheduler") {
		return
	}
	q := p
	q.Chosen = false
	to := x.State.Clone()
	to.SetBag(at, to.Bag(at).Replace(p, q))
	x.Emit(model.Step{
		Verb: "evict", A: int(p.Work), B: x.Nodes[at.Node].Pool, Work: int(p.Work), To: to,
		Explain: func() model.Explanation {
			admission := upstream.Evict(x.Pod(p, at, 0), x.Budgets(x.State))
			return model.Explanation{
				Action: fmt.Sprintf("is refused the eviction of a pod of %s on %s", x.Workloads[p.Work].Object(), x.Nodes[at.Node].Name()),
				Note:   fmt.Sprintf("%d %s", admission.Code, admission.Message),
				Acts:   []model.Act{byDescheduler.Makes("refused", at, p, q, 1).Inner()},
			}
		},
	})
}
