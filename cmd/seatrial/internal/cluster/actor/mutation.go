package actor

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
	upstream "github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/disruption"
)

// What follows is for the deliberate mistakes of package mutation alone, where
// one takes more than a line.

// mutated is d, whose percentages a mutation may round the wrong way.
func mutated(d *appsv1.Deployment) *appsv1.Deployment {
	rolling := d.Spec.Strategy.RollingUpdate
	if rolling == nil {
		return d
	}
	if mutation.On("deployment-unavailable-rounds-up") {
		rolling.MaxUnavailable = rounded(rolling.MaxUnavailable, *d.Spec.Replicas, true)
	}
	if mutation.On("deployment-surge-rounds-down") {
		rolling.MaxSurge = rounded(rolling.MaxSurge, *d.Spec.Replicas, false)
	}
	return d
}

func rounded(v *intstr.IntOrString, replicas int32, up bool) *intstr.IntOrString {
	n, err := intstr.GetScaledValueFromIntOrPercent(v, int(replicas), up)
	if err != nil {
		return v // what is not a percentage is not rounded
	}
	out := intstr.FromInt32(int32(n))
	return &out
}

// refused tells whether a budget refuses the eviction of a pod on the node.
func refused(x *model.Turn, node int) bool {
	return slices.ContainsFunc(x.State.Nodes[node].Pods, func(c model.PodCount) bool {
		return !c.Terminating && !upstream.Evict(x.Pod(c.Pod, model.Place{Node: node}, 0), x.Budgets(x.State)).Allowed
	})
}
