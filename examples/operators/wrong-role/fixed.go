package wrongrole

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// fixed has the line as it was meant.
func fixed() operator.Operator {
	return base(func(spec DocumentStoreSpec) []corev1.Toleration { return spec.Data.Tolerations })
}
