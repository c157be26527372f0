package rule

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	Rule: finding.Rule{
		ID: "SEA1009", Name: "nodes-stay-up",
		Title: "nodes fail again and again, for ever",
		Fails: "examples/cases/kivi-c4/bad", Holds: "examples/cases/kivi-c4/good",
		Means:   "No node fails again and again for ever by the scenario's crash rule. A node that is packed too full fails, its pods move to the next one, which fails in turn; or it comes back, is filled again, and fails again.",
		Excuses: "Without nodeCrash in the Scenario nothing is judged. Nodes that an event takes do not count, nor does any number of failures that comes to an end.",
		Why:     "The scheduler fills nodes by requests; what pods use is not its concern. If they use more than they request, or if requests may fill a node to the last, the machine runs out, and kubelet and kernel with it. Its pods come back elsewhere or, once the node returns empty, on the same one, and nothing is different from the first time.",
		Mend: []string{
			"Set resources.requests to what the pods use, and limits.memory to the same as requests.memory.",
			"Keep something back for the system: --system-reserved, --kube-reserved and --eviction-hard of the kubelet, which lower the node's allocatable.",
			"Spread the pods that are hungry together: topologySpreadConstraints or podAntiAffinity.",
			"Have room for the pods of a node on the others, so that one failure does not fill them.",
		},
		Links: []finding.Link{
			{Title: "Resource management for pods and containers", URL: "https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/"},
			{Title: "Reserve compute resources for system daemons", URL: "https://kubernetes.io/docs/tasks/administer-cluster/reserve-compute-resources/"},
			{Title: "Node-pressure eviction", URL: "https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/"},
			{Title: "kubernetes#14452: a node that is overcommitted does not always recover", URL: "https://github.com/kubernetes/kubernetes/issues/14452"},
		},
	},
	Takes: []string{"node"},
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
