package blockedrepair

import "github.com/seatrial/seatrial/examples/operators/operator"

// buggy changes nothing while a member is away, so that no other one goes as well. If it is
// away because of what was asked for, nothing that is asked for after that brings it back.
func buggy() operator.Operator {
	o := base()
	o.Hold = func(status *operator.Status) bool { return status.ReadyReplicas < status.Replicas }
	return o
}
