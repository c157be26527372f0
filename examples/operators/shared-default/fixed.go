package shareddefault

import (
	"maps"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// fixed puts them into a copy of the usual ones.
func fixed() operator.Operator {
	return base(func(settings map[string]string) map[string]string {
		all := maps.Clone(usual)
		maps.Copy(all, settings)
		return all
	})
}
