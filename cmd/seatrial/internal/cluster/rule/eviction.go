package rule

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	ID: "SEA1001", Name: "no-endless-eviction",
	Takes: []string{"workload"},
	Title: "pods are evicted or deleted and created again, for ever",
	Doc: `No behaviour goes on for ever in which pods of the workload are evicted or deleted and created again, while the environment is quiet.

Evictions by the descheduler or a drain, taint eviction, preemption and the deletion of surplus pods count. Usually two controllers want different things: the descheduler moves a pod and the scheduler puts it back; a taint evicts a pod that its template binds to the node.`,
	Fails: "examples/cases/kivi-c5/bad", Holds: "examples/cases/kivi-c5/good",
	Claims: func(c *Context) []Claim {
		var out []Claim
		for _, i := range c.works("Deployment", "ReplicaSet") {
			w := &c.World.Workloads[i]
			witnesses := append([]Witness{c.running(i)}, c.events()...)
			if c.World.Descheduler != nil {
				witnesses = append(witnesses, c.cycle(i))
			}
			claim := c.claim(w.Object(), func(name string) statespace.Property[IDs] {
				return statespace.EventuallyNever(name, c.loses(i))
			}, witnesses...)
			claim.Message = func(*model.State) string {
				return fmt.Sprintf("pods of %s are evicted or deleted and created again, for ever", w.Object())
			}
			out = append(out, claim)
		}
		return out
	},
})

// loses makes the predicate on steps by which pods of workload i are evicted or
// deleted. A preemption may have victims of several workloads, and its label
// names one of them: the states tell whose pods go.
func (c *Context) loses(i int) func(IDs, statespace.Action, IDs) bool {
	deletes := ofWork(i, model.KindEvict, model.KindTaint, model.KindDelete)
	return func(from IDs, a statespace.Action, to IDs) bool {
		if model.LabelKind(a.Label) == model.KindPreempt {
			return c.staying(to, i) < c.staying(from, i)
		}
		return deletes(from, a, to)
	}
}

// staying counts the pods of workload i that are not being deleted.
func (c *Context) staying(ids IDs, i int) int {
	return c.Decode(ids).Count(func(_ model.Place, p model.Pod) bool { return int(p.Work) == i && !p.Terminating })
}

// cycle is the witness that the descheduler looks at a cluster in which all
// pods of workload i run. A cycle that chooses nothing is no step; the state
// that it sees stands for it: nothing is pending, so it is not kept waiting.
func (c *Context) cycle(i int) Witness {
	name := fmt.Sprintf("a descheduling cycle sees all pods of %s Running", c.World.Workloads[i].Object())
	return Witness{name, statespace.Sometimes(name, c.state(func(s *model.State) bool {
		settled := true
		n := s.Count(func(_ model.Place, p model.Pod) bool {
			settled = settled && !p.Chosen && (p.Phase != model.Pending || p.Terminating)
			return int(p.Work) == i && p.Phase == model.Running && !p.Terminating
		})
		return settled && s.Work[i].Exists && n > 0 && n == int(s.Work[i].Replicas)
	}))}
}
