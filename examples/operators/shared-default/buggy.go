package shareddefault

import (
	"maps"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// buggy puts the settings of a user into the usual ones, which all workers have from then
// on, until the operator is started anew.
func buggy() operator.Operator {
	return base(func(settings map[string]string) map[string]string {
		all := usual
		maps.Copy(all, settings)
		return all
	})
}
