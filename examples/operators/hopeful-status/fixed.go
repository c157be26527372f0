package hopefulstatus

import "github.com/seatrial/seatrial/examples/operators/operator"

// fixed says how many members are ready.
func fixed() operator.Operator { return base() }
