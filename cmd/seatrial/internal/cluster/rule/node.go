package rule

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	ID: "SEA1009", Name: "nodes-stay-up",
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
		return []Claim{c.claim(Find("SEA1009"), "every node", func(name string) statespace.Property[IDs] {
			return statespace.EventuallyNever(name, steps(func(k model.Kind, _ int) bool { return k == model.KindNodeFail }))
		}, append(witnesses, c.events()...)...)}
	},
})
