package hpa

import (
	"strconv"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

// State is what the controller remembers of one HPA between two reconciles,
// without times. It is comparable, and finite for a given HPA. The zero value
// is a controller that has just started, or an HPA that has just been created.
//
// Recommendations are remembered relative to the bounds of the HPA: one above
// maxReplicas as maxReplicas+1, one below minReplicas as minReplicas-1; changes
// relative to its policies' periods. A State is therefore exact after an edit of
// these fields only if the edited spec is among the Variants of every reconcile.
type State struct {
	// Known: the first reconcile has taken the replica count it found for a
	// recommendation (recordInitialRecommendation).
	Known bool
	// Selecting: the controller has recorded the selector of the target, so
	// that other HPAs with the same pods find themselves ambiguous.
	Selecting bool
	// High are the recommendations in the scale-down window that no later one
	// reaches: strictly falling, oldest first, in decimal with commas. The
	// first is the maximum.
	High string
	// Low are those in the scale-up window to which no later one falls:
	// strictly rising, oldest first. The first is the minimum.
	Low string
	// Changes are the changes of the replica count that some policy's period
	// still covers, oldest first, as change:outlived with commas, for example
	// +4:1,-2:0; outlived counts the periods that have run out, shortest first.
	Changes string
}

// seeded is recordInitialRecommendation (horizontal.go).
func (s State) seeded(v scope, replicas int32) State {
	if s.Known {
		return s
	}
	s.Known = true
	return s.remember(v, replicas)
}

// remember adds a recommendation to the windows that are not empty: a window
// of 0 s covers nothing.
func (s State) remember(v scope, replicas int32) State {
	w := v.windows()
	replicas = v.bounds().saturated(replicas)
	if w.down > 0 {
		s.High = pushed(s.High, replicas, func(old int32) bool { return old <= replicas })
	}
	if w.up > 0 {
		s.Low = pushed(s.Low, replicas, func(old int32) bool { return old >= replicas })
	}
	return s
}

// windows are the stabilisation windows in seconds.
type windows struct{ up, down int32 }

// windowsOf gives the windows of an HPA with its defaults set. Without
// behavior there is only the one of scale-down, from the controller's flag; the
// same flag stands in for a missing window of scale-down
// (maybeInitScaleDownStabilizationWindow, horizontal.go).
func windowsOf(hpa *autoscalingv2.HorizontalPodAutoscaler) windows {
	behavior := hpa.Spec.Behavior
	if behavior == nil {
		return windows{down: downscaleStabilisationSeconds}
	}
	w := windows{up: *behavior.ScaleUp.StabilizationWindowSeconds, down: downscaleStabilisationSeconds}
	if seconds := behavior.ScaleDown.StabilizationWindowSeconds; seconds != nil {
		w.down = *seconds
	}
	return w
}

// stabilise is stabilizeRecommendation (horizontal.go), for an HPA without
// behavior: the largest recommendation of the window holds.
func (s State) stabilise(v scope, replicas int32) (int32, State) {
	stabilised := replicas
	if held, ok := first(s.High); ok && held > stabilised {
		stabilised = held
	}
	return stabilised, s.remember(v, replicas)
}

// stabiliseWithBehavior is stabilizeRecommendationWithBehaviors
// (horizontal.go): the current count moves up only as far as the smallest
// recommendation in the scale-up window, down only as far as the largest in the
// scale-down window. What is remembered for the windows of another spec alone
// does not count.
func (s State) stabiliseWithBehavior(v scope, current, replicas int32) (int32, State) {
	floor, ceiling := replicas, replicas
	own := windowsOf(v.hpa)
	if held, ok := first(s.Low); ok && own.up > 0 {
		floor = min(floor, held)
	}
	if held, ok := first(s.High); ok && own.down > 0 {
		ceiling = max(ceiling, held)
	}
	return min(max(current, floor), ceiling), s.remember(v, replicas)
}

// Elapse gives the states to which the passing of time may lead from s, each
// one step away: the oldest remembered recommendation of a window leaves it, or
// the oldest change covered by a policy's period leaves that period. None of
// them is s, every chain of steps ends, and nothing remembered gives none. The
// order is always the same. The variants are those of Input.
func Elapse(hpa *autoscalingv2.HorizontalPodAutoscaler, s State, variants ...*autoscalingv2.HorizontalPodAutoscaler) []State {
	if hpa == nil {
		return nil
	}
	v := scope{defaulted(hpa), variants}
	var next []State
	if s.High != "" {
		older := s
		older.High = rest(s.High)
		next = append(next, older)
	}
	if s.Low != "" {
		older := s
		older.Low = rest(s.Low)
		next = append(next, older)
	}
	for _, changes := range agedChanges(v, s.Changes) {
		older := s
		older.Changes = changes
		next = append(next, older)
	}
	return next
}

// first is the oldest number of a sequence.
func first(sequence string) (int32, bool) {
	head, _, _ := strings.Cut(sequence, ",")
	n, err := strconv.ParseInt(head, 10, 32)
	return int32(n), err == nil
}

// rest is the sequence without its oldest number.
func rest(sequence string) string {
	_, tail, _ := strings.Cut(sequence, ",")
	return tail
}

// pushed appends n after removing, from the newest on, the numbers that n makes
// irrelevant.
func pushed(sequence string, n int32, superseded func(old int32) bool) string {
	for sequence != "" {
		cut := strings.LastIndexByte(sequence, ',')
		newest, ok := first(sequence[cut+1:])
		if ok && !superseded(newest) {
			return sequence + "," + strconv.Itoa(int(n))
		}
		sequence = sequence[:max(cut, 0)]
	}
	return strconv.Itoa(int(n))
}
