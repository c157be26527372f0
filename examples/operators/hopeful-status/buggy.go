package hopefulstatus

import "github.com/seatrial/seatrial/examples/operators/operator"

// buggy says that there are as many members as were asked for, once it has asked for them.
func buggy() operator.Operator {
	o := base()
	o.Count = func(status *operator.Status) { status.ReadyReplicas = status.Replicas }
	return o
}
