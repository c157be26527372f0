package deadproperty

import "github.com/seatrial/seatrial/examples/operators/operator"

// buggy has terminationGracePeriodSeconds in its API, and it goes nowhere.
func buggy() operator.Operator {
	return base(func(ApplicationSpec) *int64 { return nil })
}
