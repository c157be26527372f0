package unowneddashboard

import (
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// fixed has the dashboard among the children, which are the resource's.
func fixed() operator.Operator {
	o := base()
	o.Children = operator.For(func(c *Collector) []client.Object {
		all := children(c)
		if c.Spec.Dashboard {
			all = append(all, dashboard(c))
		}
		return all
	})
	return o
}
