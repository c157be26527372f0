package trustedsize

import "github.com/seatrial/seatrial/examples/operators/operator"

// buggy does what it is asked for. A size of 0, be it a slip or the zero value of whoever
// writes the resource, ends all pods.
func buggy() operator.Operator {
	return base()
}
