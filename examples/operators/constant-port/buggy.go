package constantport

import "github.com/seatrial/seatrial/examples/operators/operator"

// buggy leads clients to a port of the name that is usual.
func buggy() operator.Operator {
	return base(func(*Gateway) string { return "http" })
}
