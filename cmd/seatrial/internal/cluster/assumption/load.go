package assumption

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

// podsMax is the largest number of replicas that a load asks for by default:
// the confident size, six pods on each of six nodes.
const podsMax = 36

// loadEvent lets the total load of an autoscaler's target move between what
// asks for its least and what asks for its most replicas. Where that cannot be
// said in one resource, the load stays at the target, and the line says so. Of a
// load that does not move by choice it says nothing.
func loadEvent(in *manifest.Input, o *manifest.Object[*autoscalingv2.HorizontalPodAutoscaler], moves bool) (*scenario.Event, Line) {
	h := o.Value
	d := target(in, h)
	if d == nil {
		return nil, Line{} // a warning has said so
	}
	least, most := int64(1), int64(min(h.Spec.MaxReplicas, podsMax))
	if h.Spec.MinReplicas != nil {
		least = int64(max(1, *h.Spec.MinReplicas))
	}
	pod := &corev1.Pod{Spec: d.Spec.Template.Spec}
	for _, m := range h.Spec.Metrics {
		name, perPod := perReplica(m, pod)
		if perPod == 0 {
			continue
		}
		if most <= least {
			return nil, Line{}
		}
		var line Line
		if object := fmt.Sprintf("Deployment %s/%s", d.Namespace, d.Name); moves && int64(h.Spec.MaxReplicas) > most {
			line = Line{fmt.Sprintf("the load of %s asks for %d replicas at most", object, most), []string{object}}
		}
		twice := eventsMax
		return &scenario.Event{
			Type: scenario.EventLoad, Budget: &twice,
			Workload: &scenario.Workload{Namespace: d.Namespace, Name: d.Name},
			Range: &scenario.LoadRange{
				Resource: name,
				Min:      *resource.NewMilliQuantity(perPod*least, resource.DecimalSI),
				Max:      *resource.NewMilliQuantity(perPod*most, resource.DecimalSI),
			},
		}, line
	}
	object := fmt.Sprintf("HorizontalPodAutoscaler %s/%s", h.Namespace, h.Name)
	return nil, Line{"the metrics of " + object + " stay at their targets", []string{object}}
}

// target is the Deployment that an autoscaler scales, or nil.
func target(in *manifest.Input, h *autoscalingv2.HorizontalPodAutoscaler) *appsv1.Deployment {
	for _, o := range in.Deployments {
		if r := h.Spec.ScaleTargetRef; r.Kind == "Deployment" && r.Name == o.Value.Name && h.Namespace == o.Value.Namespace {
			return o.Value
		}
	}
	return nil
}

// perReplica is the use (milli units) of one pod at which a metric of cpu or
// memory is at its target; 0 for other metrics and without the request.
func perReplica(m autoscalingv2.MetricSpec, pod *corev1.Pod) (corev1.ResourceName, int64) {
	if m.Type != autoscalingv2.ResourceMetricSourceType {
		return "", 0
	}
	name, t := m.Resource.Name, m.Resource.Target
	switch {
	case t.AverageUtilization != nil:
		return name, model.Requested(pod, name) * int64(*t.AverageUtilization) / 100
	case t.AverageValue != nil:
		return name, t.AverageValue.MilliValue()
	}
	return name, 0
}
