package wrongrole

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// buggy has a line that was copied from the other role.
func buggy() operator.Operator {
	return base(func(spec DocumentStoreSpec) []corev1.Toleration { return spec.Coordinators.Tolerations })
}
