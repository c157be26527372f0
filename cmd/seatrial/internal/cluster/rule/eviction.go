package rule

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	Rule: finding.Rule{
		ID: "SEA1001", Name: "no-endless-eviction",
		Title: "pods are evicted or deleted and created again, for ever",
		Fails: "examples/cases/kivi-c5/bad", Holds: "examples/cases/kivi-c5/good",
		Means: `No behaviour goes on for ever in which pods of the workload are evicted or deleted and created again, while the environment is quiet.

Evictions by the descheduler or a drain, taint eviction, preemption and the deletion of surplus pods count.`,
		Excuses: "Any number of evictions that comes to an end does not count, and neither does what an event of the environment causes each time: events have budgets, so that they end too.",
		Why: `Usually two controllers want different things, and each is right by its own rules. The descheduler decides with the arithmetic of its plugins which pods are misplaced; the ReplicaSet replaces each pod that it evicts; the scheduler places the new one with its own filters and scores, and they may lead to the same node again. RemoveDuplicates, for example, wants as many pods on every node that the pods may use, whether there is room or not.

Taint eviction does the same with a template that names its node: the pod is bound without the scheduler, which would have kept it from the taint.`,
		Mend: []string{
			"Let the two agree: HighNodeUtilization goes with a scheduler that scores by MostAllocated, and RemovePodsViolatingTopologySpreadConstraint is to enforce (constraints) only what the scheduler enforces, DoNotSchedule.",
			"Give the nodes that the plugin counts room for their share, or keep the pods from them where the plugin sees it: nodeSelector, node affinity, a taint.",
			"Set nodeFit: true in the args of DefaultEvictor, so that a pod that fits on no other node stays. It helps only as long as no third node has room.",
			"Take the workload out of the policy: namespaces of the plugin, labelSelector or priorityThreshold of DefaultEvictor, excludeOwnerKinds of RemoveDuplicates.",
			"For a taint: put nodeSelector in the place of spec.nodeName, or add the toleration.",
		},
		Links: []finding.Link{
			{Title: "Descheduler: policy, plugins, node fit filtering", URL: "https://github.com/kubernetes-sigs/descheduler"},
			{Title: "Taints and tolerations", URL: "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/"},
			{Title: "descheduler#1237: RemoveDuplicates does not respect node resources", URL: "https://github.com/kubernetes-sigs/descheduler/issues/1237"},
			{Title: "descheduler#827: pods are restarted endlessly", URL: "https://github.com/kubernetes-sigs/descheduler/issues/827"},
			{Title: "kubernetes#75913: pods are created on a tainted node again and again", URL: "https://github.com/kubernetes/kubernetes/issues/75913"},
		},
	},
	Takes: []string{"workload"},
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
