package staleconfig

import "github.com/seatrial/seatrial/examples/operators/operator"

// fixed gives the pods an annotation that changes with the ConfigMap, so that they are
// made anew.
func fixed() operator.Operator {
	return base(func(annotations, config map[string]string) {
		annotations["example.com/config"] = operator.Checksum(config)
	})
}
