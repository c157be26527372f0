package refusedmigration

import "github.com/seatrial/seatrial/examples/operators/operator"

// buggy has one Job for all versions, and gives it the next one. The API server refuses that, since what a Job runs
// cannot be changed, and the operator tries again for ever.
func buggy() operator.Operator {
	return base(func(string) string { return "migration" })
}
