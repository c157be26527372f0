package restlessstamp

import (
	"fmt"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// fixed says what follows from the resource.
func fixed() operator.Operator {
	return base(func(f *Frontend) string {
		return operator.Checksum(map[string]string{"image": f.Spec.Image, "port": fmt.Sprint(f.Spec.Port)})
	})
}
