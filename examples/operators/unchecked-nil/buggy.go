package uncheckednil

import "github.com/seatrial/seatrial/examples/operators/operator"

// buggy looks into metrics, whether they are there or not.
func buggy() operator.Operator {
	return base(func(spec ProxySpec) bool { return spec.Metrics.Enabled })
}
