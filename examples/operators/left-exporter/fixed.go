package leftexporter

import "github.com/seatrial/seatrial/examples/operators/operator"

// fixed deletes what is no longer asked for.
func fixed() operator.Operator {
	o := base()
	o.Keep = false
	return o
}
