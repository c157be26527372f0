package hpa

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

// The controller's flags at their defaults
// (pkg/controller/podautoscaler/config/v1alpha1/defaults.go).
const (
	// tolerance is the dead band around a ratio of 1, in both directions.
	tolerance = 0.1
	// downscaleStabilisationSeconds is the window of an HPA that sets none.
	downscaleStabilisationSeconds int32 = 300
	// syncPeriodSeconds is the least time between two reconciles of one HPA
	// (enqueueHPA adds with this delay, rate_limiters.go).
	syncPeriodSeconds int32 = 15
)

// limitByRule holds a count to the bounds and to the growth that an HPA
// without behavior may have in one reconcile: to the double or to 4, whichever
// is more (convertDesiredReplicasWithRules, calculateScaleUpLimit in
// horizontal.go). It returns the count and the reason of ScalingLimited.
func limitByRule(b bounds, current, replicas int32) (int32, string) {
	const growthFactor, growthFloor = 2.0, 4.0
	ceiling, reason := b.max, "TooManyReplicas"
	if growth := int32(math.Max(growthFactor*float64(current), growthFloor)); growth < b.max {
		ceiling, reason = growth, "ScaleUpLimit"
	}
	switch {
	case replicas < b.min:
		return b.min, "TooFewReplicas"
	case replicas > ceiling:
		return ceiling, reason
	}
	return replicas, "DesiredWithinRange"
}

// limitByBehavior holds a count to the bounds and to the policies of the
// behavior (convertDesiredReplicasWithBehaviorRate, horizontal.go).
func (s State) limitByBehavior(v scope, b bounds, current, replicas int32) (int32, string) {
	hpa, changes, periods := v.hpa, parseChanges(s.Changes), v.periods()
	if replicas > current {
		ceiling, reason := b.max, "TooManyReplicas"
		if limit := max(scaleUpLimit(hpa.Spec.Behavior.ScaleUp, changes, periods, current), current); limit < b.max {
			ceiling, reason = limit, "ScaleUpLimit"
		}
		if replicas > ceiling {
			return ceiling, reason
		}
	} else if replicas < current {
		floor, reason := b.min, "TooFewReplicas"
		if limit := min(scaleDownLimit(hpa.Spec.Behavior.ScaleDown, changes, periods, current), current); limit > b.min {
			floor, reason = limit, "ScaleDownLimit"
		}
		if replicas < floor {
			return floor, reason
		}
	}
	return replicas, "DesiredWithinRange"
}

// scaleUpLimit is calculateScaleUpLimitWithScalingRules (horizontal.go). A
// percentage is rounded up, and of several policies the one that allows most
// decides unless Min is selected.
func scaleUpLimit(rules *autoscalingv2.HPAScalingRules, changes []change, periods []int32, current int32) int32 {
	limit, better := int32(math.MinInt32), func(a, b int32) int32 { return max(a, b) }
	switch *rules.SelectPolicy {
	case autoscalingv2.DisabledPolicySelect:
		return current
	case autoscalingv2.MinChangePolicySelect:
		limit, better = math.MaxInt32, func(a, b int32) int32 { return min(a, b) }
	}
	for _, policy := range rules.Policies {
		start := current - covered(changes, periods, policy.PeriodSeconds)
		proposed := start + policy.Value
		if policy.Type == autoscalingv2.PercentScalingPolicy {
			proposed = int32(math.Ceil(float64(start) * (1 + float64(policy.Value)/100)))
		}
		limit = better(limit, proposed)
	}
	return limit
}

// scaleDownLimit is calculateScaleDownLimitWithBehaviors (horizontal.go). A
// percentage is rounded towards zero pods left.
func scaleDownLimit(rules *autoscalingv2.HPAScalingRules, changes []change, periods []int32, current int32) int32 {
	limit, better := int32(math.MaxInt32), func(a, b int32) int32 { return min(a, b) }
	switch *rules.SelectPolicy {
	case autoscalingv2.DisabledPolicySelect:
		return current
	case autoscalingv2.MinChangePolicySelect:
		limit, better = math.MinInt32, func(a, b int32) int32 { return max(a, b) }
	}
	for _, policy := range rules.Policies {
		start := current - covered(changes, periods, policy.PeriodSeconds)
		proposed := start - policy.Value
		if policy.Type == autoscalingv2.PercentScalingPolicy {
			proposed = int32(float64(start) * (1 - float64(policy.Value)/100))
		}
		limit = better(limit, proposed)
	}
	return limit
}

// change is one scale event: by how much the replica count moved (scale-up is
// positive) and how many of the HPA's periods, shortest first, it has outlived.
type change struct {
	by       int32
	outlived int
}

// covered sums the changes within a period, scale-up less scale-down
// (getReplicasChangePerPeriod, horizontal.go, for both lists of events).
func covered(changes []change, periods []int32, seconds int32) int32 {
	rank := slices.Index(periods, seconds)
	var sum int32
	for _, c := range changes {
		if c.outlived <= rank {
			sum += c.by
		}
	}
	return sum
}

// periodsOf gives the periods of all policies of both directions, ascending,
// each once. A direction that is disabled keeps its own: they still say when
// its events are outdated.
func periodsOf(hpa *autoscalingv2.HorizontalPodAutoscaler) []int32 {
	if hpa.Spec.Behavior == nil {
		return nil
	}
	var periods []int32
	for _, rules := range []*autoscalingv2.HPAScalingRules{hpa.Spec.Behavior.ScaleUp, hpa.Spec.Behavior.ScaleDown} {
		for _, policy := range rules.Policies {
			periods = append(periods, policy.PeriodSeconds)
		}
	}
	slices.Sort(periods)
	return slices.Compact(periods)
}

// scaled is storeScaleEvent (horizontal.go): with behavior, a change of the
// replica count is remembered, also one that only moved it to the bounds.
//
// Reconciles are at least a sync period apart, so a period covers no more than
// one change per sync period and one for the delay of a reconcile; where there
// would be more, time must have passed, and the oldest leave.
func (s State) scaled(v scope, before, after int32) State {
	if v.hpa.Spec.Behavior == nil || before == after {
		return s
	}
	changes, periods := append(parseChanges(s.Changes), change{by: after - before}), v.periods()
	for rank, seconds := range periods {
		within := 0
		for i := len(changes) - 1; i >= 0; i-- {
			if changes[i].outlived > rank {
				break
			}
			if within++; within > int(seconds/syncPeriodSeconds)+1 {
				changes[i].outlived = rank + 1
			}
		}
	}
	s.Changes = formatChanges(changes, len(periods))
	return s
}

// agedChanges gives the changes after each single step of time: of those that
// have outlived the same number of periods, the oldest outlives one more.
//
// A step may also forget a change that has outlived the periods of its own
// direction and is followed by another of that direction. The controller then
// regards its event as outdated and may have overwritten it, although a longer
// period of the other direction should still cover it
// (markScaleEventsOutdated, storeScaleEvent).
func agedChanges(v scope, encoded string) []string {
	if encoded == "" {
		return nil
	}
	changes, periods := parseChanges(encoded), v.periods()
	var next []string
	for i, c := range changes {
		if i == 0 || changes[i-1].outlived > c.outlived {
			older := slices.Clone(changes)
			older[i].outlived++
			next = append(next, formatChanges(older, len(periods)))
		}
	}
	behavior := v.hpa.Spec.Behavior
	if behavior == nil {
		return next // nothing is noted, so nothing is overwritten
	}
	for i, c := range changes {
		rules := behavior.ScaleUp
		if c.by < 0 {
			rules = behavior.ScaleDown
		}
		followed := slices.ContainsFunc(changes[i+1:], func(later change) bool { return (later.by > 0) == (c.by > 0) })
		if followed && c.outlived > slices.Index(periods, longest(rules)) {
			forgotten := formatChanges(slices.Delete(slices.Clone(changes), i, i+1), len(periods))
			if !slices.Contains(next, forgotten) {
				next = append(next, forgotten)
			}
		}
	}
	return next
}

// longest is getLongestPolicyPeriod (horizontal.go).
func longest(rules *autoscalingv2.HPAScalingRules) int32 {
	var seconds int32
	for _, policy := range rules.Policies {
		seconds = max(seconds, policy.PeriodSeconds)
	}
	return seconds
}

// formatChanges writes the changes that have not outlived all periods.
func formatChanges(changes []change, periods int) string {
	var b strings.Builder
	for _, c := range changes {
		if c.outlived >= periods {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		if c.by > 0 {
			b.WriteByte('+')
		}
		b.WriteString(strconv.Itoa(int(c.by)))
		b.WriteByte(':')
		b.WriteString(strconv.Itoa(c.outlived))
	}
	return b.String()
}

// parseChanges reads what formatChanges wrote; anything else is passed over.
func parseChanges(encoded string) []change {
	if encoded == "" {
		return nil
	}
	parts := strings.Split(encoded, ",")
	changes := make([]change, 0, len(parts)+1)
	for _, part := range parts {
		by, outlived, _ := strings.Cut(part, ":")
		n, err1 := strconv.ParseInt(by, 10, 32)
		k, err2 := strconv.Atoi(outlived)
		if err1 == nil && err2 == nil {
			changes = append(changes, change{by: int32(n), outlived: k})
		}
	}
	return changes
}

// Flags are the options of kube-controller-manager that this package mirrors, with
// the values that it takes them to have: the defaults.
func Flags() map[string]string {
	return map[string]string{
		"horizontal-pod-autoscaler-tolerance":                 strconv.FormatFloat(tolerance, 'f', -1, 64),
		"horizontal-pod-autoscaler-downscale-stabilization":   (time.Duration(downscaleStabilisationSeconds) * time.Second).String(),
		"horizontal-pod-autoscaler-sync-period":               (time.Duration(syncPeriodSeconds) * time.Second).String(),
		"horizontal-pod-autoscaler-cpu-initialization-period": cpuInitializationPeriod.String(),
		"horizontal-pod-autoscaler-initial-readiness-delay":   initialReadinessDelay.String(),
	}
}
