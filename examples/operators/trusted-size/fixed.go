package trustedsize

import "github.com/seatrial/seatrial/examples/operators/operator"

// fixed refuses a registry that nothing would serve, says so in the condition Accepted, and
// leaves all as it is.
func fixed() operator.Operator {
	o := base()
	o.Validate = operator.For(validate)
	return o
}
