package rule

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/statespace"
)

var _ = register(&Rule{
	Rule: finding.Rule{
		ID: "SEA1010", Name: "failed-pods-bounded",
		Title: "pods are created and end Failed, without end",
		Fails: "examples/cases/kivi-c7/bad", Holds: "examples/cases/kivi-c7/good-toleration",
		Means:   "Only finitely many pods are created that end Failed.",
		Excuses: "Pods that stay Pending do not count (SEA1006), nor do pods whose containers end and are started again, nor any number of Failed ones that comes to an end.",
		Why:     "A kubelet that rejects a pod makes it Failed, not Pending: for a NoExecute taint that it does not tolerate, for lack of room, for a node selector or affinity that does not match. Such a pod comes to a kubelet past the scheduler, by spec.nodeName in its template. The ReplicaSet ignores Failed pods and creates the next one at once, for the same node. Thousands of them stay until they are collected.",
		Mend: []string{
			"Put nodeSelector or node affinity in the place of spec.nodeName: the scheduler then keeps the pod Pending until it fits.",
			"Add the toleration for the node's taint, or take the taint away.",
			"Lower resources.requests to what the node has left.",
		},
		Links: []finding.Link{
			{Title: "Assigning pods to nodes: nodeName", URL: "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename"},
			{Title: "Taints and tolerations", URL: "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/"},
			{Title: "kubernetes#72593: a ReplicaSet goes on creating pods that the kubelet rejects", URL: "https://github.com/kubernetes/kubernetes/issues/72593"},
			{Title: "kubernetes#120160: many failed pods by spec.nodeName", URL: "https://github.com/kubernetes/kubernetes/issues/120160"},
		},
	},
	Takes: []string{"workload"},
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
