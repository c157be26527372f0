package uncheckednil

import "github.com/seatrial/seatrial/examples/operators/operator"

// fixed takes metrics that are not there as not asked for.
func fixed() operator.Operator {
	return base(func(spec ProxySpec) bool { return spec.Metrics != nil && spec.Metrics.Enabled })
}
