package constantport

import "github.com/seatrial/seatrial/examples/operators/operator"

// fixed leads them to the one that there is.
func fixed() operator.Operator {
	return base(func(g *Gateway) string { return g.Spec.PortName })
}
