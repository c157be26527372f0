package rule

import (
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	Rule: finding.Rule{
		ID: "SEA1006", Name: "pods-run",
		Title: "a pod stays Pending although there is room for it",
		Fails: "examples/cases/kivi-c3/bad", Holds: "examples/cases/kivi-c3/good-no-zone",
		Means: `Every pod is eventually Running if some node that it may use has room for it: its requests fit, and its node selector, node affinity and tolerations admit the node.

The behaviour found is one in which no pod of the workload leaves Pending any more.`,
		Excuses: "Lack of room and required pod anti-affinity are excused; topology spread and pod affinity are not. Pods whose scheduler is not one of the configuration's are not judged.",
		Why: `The scheduler places one pod at a time and moves none that is placed. With DoNotSchedule a pod may only join a domain that is not more than maxSkew above the emptiest one. If the emptiest domain has no node that can take it, the pod waits, however much room the others have. A domain counts as long as it has nodes, cordoned and lost ones too: nodeTaintsPolicy is Ignore by default.

Two constraints may each admit a domain while none satisfies both: pods that are level over zones and level over hosts, in zones with different numbers of nodes.`,
		Mend: []string{
			"Set nodeTaintsPolicy: Honor, so that nodes the pod does not tolerate are no domains.",
			"Make one of the constraints whenUnsatisfiable: ScheduleAnyway, usually that over kubernetes.io/hostname.",
			"Allow a larger maxSkew.",
			"Have as many nodes in every zone, or drop the constraint over zones.",
			"Make required pod affinity preferredDuringSchedulingIgnoredDuringExecution.",
		},
		Links: []finding.Link{
			{Title: "Pod topology spread constraints", URL: "https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/"},
			{Title: "kubernetes#116978: pods wait for a zone that has no room", URL: "https://github.com/kubernetes/kubernetes/issues/116978"},
			{Title: "kubernetes#123019: domains without healthy nodes", URL: "https://github.com/kubernetes/kubernetes/issues/123019"},
			{Title: "kubernetes#109364: constraints over zones and hosts that block each other", URL: "https://github.com/kubernetes/kubernetes/issues/109364"},
		},
	},
	Takes: []string{"workload"},
	Claims: func(c *Context) []Claim {
		var out []Claim
		for _, i := range c.works() {
			w := &c.World.Workloads[i]
			claim := c.claim(w.Object(), func(name string) statespace.Property[IDs] {
				return statespace.Never(name, statespace.Behaviour[IDs]{
					Within: func(ids IDs) bool { return c.mayPend(ids, i) && c.hasRoom(c.Decode(ids), i) },
					Avoid:  ofWork(i, model.KindBind),
				})
			}, append([]Witness{c.running(i)}, c.events()...)...)
			claim.Message = func(s *model.State) string {
				return fmt.Sprintf("a pod of %s stays Pending although there is room for it%s", w.Object(), c.pendingWhy(s, i))
			}
			claim.Refs = func(s *model.State) []model.Ref { return c.pendingRefs(s, i) }
			out = append(out, claim)
		}
		return out
	},
})

// mayPend is a quick test before a state is decoded: some pod of the workload
// has no node.
func (c *Context) mayPend(ids IDs, work int) bool {
	mine := func(p model.Pod) bool { return int(p.Work) == work }
	if c.Free(ids).Count(mine) > 0 {
		return true
	}
	for i := range c.World.Nodes {
		if c.Node(ids, i).Nominated.Count(mine) > 0 {
			return true
		}
	}
	return false
}

// pending are the pods of a workload that wait for a node.
func pending(s *model.State, work int, f func(at model.Place, p model.Pod)) {
	s.Each(func(at model.Place, k model.PodCount) {
		if int(k.Work) == work && (at.Node < 0 || at.Nominated) && !k.Terminating {
			f(at, k.Pod)
		}
	})
}

// hasRoom tells whether a pending pod of a workload has a node that it may use
// and that has room for it.
func (c *Context) hasRoom(s *model.State, work int) bool {
	found := false
	pending(s, work, func(at model.Place, p model.Pod) {
		found = found || c.World.Kube.Schedules(c.World, p) && len(c.World.Kube.Room(c.World, s, at, p).Nodes) > 0
	})
	return found
}

// pendingWhy is the scheduler's own message about a pending pod.
func (c *Context) pendingWhy(s *model.State, work int) string {
	why := ""
	pending(s, work, func(at model.Place, p model.Pod) {
		if why == "" {
			if d := c.World.Kube.Schedule(c.World, s, at, p); len(d.Nodes) == 0 {
				why = ": " + strings.TrimSuffix(d.Message, ".")
			}
		}
	})
	return why
}

// pendingRefs are the fields by which the plugins reject nodes.
func (c *Context) pendingRefs(s *model.State, work int) []model.Ref {
	var out []model.Ref
	pending(s, work, func(at model.Place, p model.Pod) {
		d := c.World.Kube.Schedule(c.World, s, at, p)
		out = append(out, c.World.Workloads[p.Work].Revisions[p.Rev].PluginRefs(d.Rejected(c.World))...)
	})
	return out
}
