package restlessstamp

import (
	"time"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// buggy says when it has last looked, which is a change to look at.
func buggy() operator.Operator {
	return base(func(*Frontend) string { return time.Now().Format(time.RFC3339Nano) })
}
