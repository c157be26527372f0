package rule

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	ID: "SEA1010", Name: "failed-pods-bounded",
	Takes: []string{"workload"},
	Title: "pods are created and end Failed, without end",
	Doc:   `Only finitely many pods are created that end Failed. A kubelet that rejects a pod makes it Failed, not Pending; the ReplicaSet ignores Failed pods and creates the next one at once.`,
	Fails: "examples/cases/kivi-c7/bad", Holds: "examples/cases/kivi-c7/good-toleration",
	Claims: func(c *Context) []Claim {
		var out []Claim
		for _, i := range c.works("Deployment", "ReplicaSet") {
			w := &c.World.Workloads[i]
			claim := c.claim(w.Object(), func(name string) statespace.Property[IDs] {
				return statespace.EventuallyNever(name, ofWork(i, model.KindReject))
			}, append([]Witness{c.running(i)}, c.events()...)...)
			claim.Message = func(*model.State) string {
				return fmt.Sprintf("pods of %s are created and rejected by the kubelet, without end", w.Object())
			}
			out = append(out, claim)
		}
		return out
	},
})
