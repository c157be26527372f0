package leftexporter

import "github.com/seatrial/seatrial/examples/operators/operator"

// buggy makes what is asked for, and leaves what is no longer.
func buggy() operator.Operator {
	o := base()
	o.Keep = true
	return o
}
