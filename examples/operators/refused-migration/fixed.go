package refusedmigration

import (
	"strings"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// fixed has a Job for each version; that of another one goes.
func fixed() operator.Operator {
	return base(func(version string) string { return "migration-" + strings.ReplaceAll(version, ".", "-") })
}
