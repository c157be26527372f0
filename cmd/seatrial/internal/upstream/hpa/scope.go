package hpa

import (
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

// scope is what a State has to tell apart: what its HPA needs and, if the spec
// may be edited, what any other spec would. The controller's own memory has
// numbers and times and outlives an edit (recommendations, scaleUpEvents and
// scaleDownEvents of HorizontalController are by name).
type scope struct {
	hpa      *autoscalingv2.HorizontalPodAutoscaler // defaulted
	variants []*autoscalingv2.HorizontalPodAutoscaler
}

// bounds are the widest of any spec.
func (v scope) bounds() bounds {
	b := boundsOf(v.hpa)
	for _, other := range v.variants {
		o := boundsOf(other)
		b = bounds{min: min(b.min, o.min), max: max(b.max, o.max)}
	}
	return b
}

// windows are the longest of any spec.
func (v scope) windows() windows {
	w := windowsOf(v.hpa)
	for _, other := range v.variants {
		o := windowsOf(defaulted(other))
		w = windows{up: max(w.up, o.up), down: max(w.down, o.down)}
	}
	return w
}

// periods are those of the policies of all specs, ascending, each once.
func (v scope) periods() []int32 {
	periods := periodsOf(v.hpa)
	for _, other := range v.variants {
		periods = append(periods, periodsOf(defaulted(other))...)
	}
	if len(v.variants) > 0 {
		slices.Sort(periods)
		periods = slices.Compact(periods)
	}
	return periods
}
