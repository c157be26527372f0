package staleconfig

import "github.com/seatrial/seatrial/examples/operators/operator"

// buggy changes the ConfigMap below pods that have read it already.
func buggy() operator.Operator {
	return base(func(map[string]string, map[string]string) {})
}
