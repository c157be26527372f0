package rule

import (
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	upstream "github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/disruption"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	ID: "SEA1002", Name: "drain-completes",
	Takes: []string{"node"},
	Title: "a drain never ends",
	Doc: `Once a drain of a node has started, the node becomes empty, for every node.

A drain asks for the eviction of each pod again and again. It never ends if a disruption budget can never allow it: a percentage that rounds up to every replica, a single replica, two budgets over one pod, or pods that are never healthy.`,
	Fails: "examples/rules/SEA1002/fails", Holds: "examples/rules/SEA1002/holds",
	Claims: func(c *Context) []Claim {
		if !c.World.Drains() {
			return nil
		}
		draining := func(s *model.State) []int {
			var out []int
			for i, n := range s.Nodes {
				if n.Drain == model.Draining && c.about(i) {
					out = append(out, i)
				}
			}
			return out
		}
		property := func(name string) statespace.Property[IDs] {
			return statespace.Never(name, statespace.Behaviour[IDs]{Within: c.someNode(func(n *model.Node) bool { return n.Drain == model.Draining })})
		}
		claim := c.claim(Find("SEA1002"), c.everyNode(), property, append(c.events(),
			Witness{"a drain completes", statespace.Sometimes("a drain completes", c.someNode(func(n *model.Node) bool { return n.Drain == model.Drained }))})...)
		claim.Message = func(s *model.State) string {
			var said []string
			for _, i := range draining(s) {
				said = append(said, fmt.Sprintf("the drain of node %s never ends%s", c.World.Nodes[i].Name(), c.refusals(s, i)))
			}
			return strings.Join(said, "; ")
		}
		claim.Refs = func(s *model.State) []model.Ref {
			var out []model.Ref
			for _, i := range draining(s) {
				out = append(out, c.budgetRefs(s, i)...)
			}
			return out
		}
		return []Claim{claim}
	},
})

// someNode makes a predicate: some node that the claim is about satisfies p.
func (c *Context) someNode(p func(*model.Node) bool) func(IDs) bool {
	return func(ids IDs) bool {
		for i := range c.World.Nodes {
			if c.about(i) && p(c.Node(ids, i)) {
				return true
			}
		}
		return false
	}
}

// refusals says why the pods still on a node cannot be evicted.
func (c *Context) refusals(s *model.State, node int) string {
	for _, k := range s.Nodes[node].Pods {
		if k.Terminating {
			continue
		}
		a := upstream.Evict(c.World.Pod(k.Pod, model.Place{Node: node}, 0), c.World.Budgets(s))
		if a.Allowed {
			continue
		}
		why := fmt.Sprintf(": the eviction of a pod of %s is refused, %d %s", c.World.Workloads[k.Work].Object(), a.Code, strings.TrimSuffix(a.Message, "."))
		if a.Cause != "" {
			why += " (" + strings.TrimSuffix(a.Cause, ".") + ")"
		}
		return why
	}
	return ""
}

// budgetRefs are the budgets over the pods on a node.
func (c *Context) budgetRefs(s *model.State, node int) []model.Ref {
	var out []model.Ref
	for _, k := range s.Nodes[node].Pods {
		for i := range c.World.PDBs {
			if !c.World.Covers(i, k.Pod) {
				continue
			}
			spec, path := &c.World.PDBs[i], "spec.minAvailable"
			if spec.PDB.Spec.MaxUnavailable != nil {
				path = "spec.maxUnavailable"
			}
			w := &c.World.Workloads[k.Work]
			out = append(out, spec.Ref(path, fmt.Sprintf("allows no disruption: %d healthy, %d wanted", s.PDB[i].Current, s.PDB[i].Desired)),
				w.Ref("spec.replicas", "is the number of pods it is about"))
		}
	}
	return out
}
