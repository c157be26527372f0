package deadproperty

import "github.com/seatrial/seatrial/examples/operators/operator"

// fixed gives it to the pods.
func fixed() operator.Operator {
	return base(func(spec ApplicationSpec) *int64 { return spec.TerminationGracePeriodSeconds })
}
