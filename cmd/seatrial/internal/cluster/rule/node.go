package rule

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	ID: "SEA1009", Name: "nodes-stay-up",
	Takes: []string{"node"},
	Title: "nodes fail again and again, for ever",
	Doc:   `No node fails again and again for ever by the scenario's crash rule. A node that is packed too full fails, its pods move to the next one, which fails in turn; or it comes back, is filled again, and fails again.`,
	Fails: "examples/cases/kivi-c4/bad", Holds: "examples/cases/kivi-c4/good",
	Claims: func(c *Context) []Claim {
		if len(c.World.Crash) == 0 {
			return nil
		}
		var witnesses []Witness
		for _, i := range c.works("Deployment", "ReplicaSet") {
			witnesses = append(witnesses, c.running(i))
		}
		failed := func(ids IDs) int {
			n := 0
			for i := range c.World.Nodes {
				if c.about(i) && c.Node(ids, i).Crashed {
					n++
				}
			}
			return n
		}
		return []Claim{c.claim(c.everyNode(), func(name string) statespace.Property[IDs] {
			return statespace.EventuallyNever(name, func(from IDs, a statespace.Action, to IDs) bool {
				return model.LabelKind(a.Label) == model.KindNodeFail && failed(to) > failed(from)
			})
		}, append(witnesses, c.events()...)...)}
	},
})
