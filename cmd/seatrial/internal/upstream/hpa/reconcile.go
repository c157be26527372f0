package hpa

import (
	"context"
	"errors"
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	defaults "k8s.io/kubernetes/pkg/apis/autoscaling/v2"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
)

// Usage is one pod's sample of the resource metrics API together with the facts
// about its age that groupPods (replica_calculator.go) derives from the clock.
// They matter only for metrics on cpu. The zero value of the three flags is a
// pod that started long ago and whose sample counts.
type Usage struct {
	// Containers is the usage of each container. A resource missing in any of
	// them is missing for the pod, as in metrics/client.go.
	Containers map[string]corev1.ResourceList
	// Warming: the pod started within the CPU initialisation period (5 min).
	// Its sample then counts only if it is Ready and the sample is not stale.
	Warming bool
	// StaleSample: the window of the sample began before the pod became Ready.
	StaleSample bool
	// NeverReady: the last change of readiness was within 30 s of the start. A
	// pod that is not Ready and never was does not count, even when warm.
	NeverReady bool
}

// Input is all that one reconcile depends on.
type Input struct {
	// HPA is the object, as the API server stores it; fields that the API
	// server would default may be missing.
	HPA *autoscalingv2.HorizontalPodAutoscaler
	// Variants are all specs that the object may come to have, if it may be
	// edited; HPA need not be among them. What is remembered is then enough for
	// each of them.
	Variants []*autoscalingv2.HorizontalPodAutoscaler
	// SpecReplicas and StatusReplicas are those of the target's scale.
	SpecReplicas, StatusReplicas int32
	// Selector is the label selector in the status of the target's scale.
	Selector labels.Selector
	// Pods are all pods that the lister has; those of other namespaces are
	// passed over. They are not changed. Their times are not looked at: see
	// Usage.
	Pods []*corev1.Pod
	// Usage is by pod name. A pod without an entry has no metrics.
	Usage map[string]Usage
	// External and Object are values by metric name; absent: no metric.
	External, Object map[string]resource.Quantity
	// PodMetric gives metric name, pod name, milli value.
	PodMetric map[string]map[string]int64
	// Ambiguous: another HPA selects one of the pods; see the function of that name.
	Ambiguous bool
	State     State
}

// Metric is what one metric proposed, for the trace.
type Metric struct {
	// Name is the controller's own description of the metric.
	Name string
	// Current and Target are percent of the request for a utilisation target,
	// milli units otherwise. Current is the value before the corrections for
	// missing and unready pods, as the HPA's status shows it. An average over
	// External or Object means nothing while StatusReplicas is 0.
	Current, Target int64
	// Ratio is Current/Target; for an average over External or Object it is
	// the rounded-up average, so that it may be a trifle above the real one.
	Ratio float64
	// Proposal is the replica count this metric alone asks for.
	Proposal int32
	// Problem says why there is no proposal; empty otherwise.
	Problem string
}

// Output is the outcome of one reconcile.
type Output struct {
	// Desired is the replica count that scale.spec has afterwards: it is
	// written if it differs from Input.SpecReplicas.
	Desired int32
	State   State
	// Active, Reason and Message are the condition ScalingActive. Active is
	// empty where the controller leaves the condition as it was: the replica
	// count was outside the bounds and is moved to them without a metric.
	Active  metav1.ConditionStatus
	Reason  string
	Message string
	// Limited names what decided the size: the reason of the condition
	// ScalingLimited (DesiredWithinRange, TooManyReplicas, TooFewReplicas,
	// ScaleUpLimit, ScaleDownLimit), or AboveMaximum, BelowMinimum where no
	// metric was looked at; empty if nothing was decided.
	Limited string
	// Recommended is the maximum of the metrics' proposals; Stabilised is that
	// after the stabilisation windows, held to [minReplicas-1, maxReplicas+1]
	// if it was decided by a remembered recommendation. Both are meaningful
	// only if Limited is one of the five reasons.
	Recommended, Stabilised int32
	// Metrics are in the order of the HPA's; Deciding is the index of the one
	// whose proposal is Recommended, -1 if there is none.
	Metrics  []Metric
	Deciding int
}

// Values of Output.Limited where no metric was looked at.
const (
	AboveMaximum = "AboveMaximum"
	BelowMinimum = "BelowMinimum"
)

// errNoHPA is a mistake of the caller.
var errNoHPA = errors.New("hpa: no HorizontalPodAutoscaler given")

// Reconcile is one pass of reconcileAutoscaler (horizontal.go) after the scale
// was read, up to the write of the new replica count, which is taken to succeed
// (after a failed write the controller remembers no change). An error is a failure of
// this package or of the caller; a metric that cannot be had is an Output.
func Reconcile(ctx context.Context, in Input) (Output, error) {
	if errTolerances != nil {
		return Output{}, errTolerances
	}
	if in.HPA == nil {
		return Output{}, errNoHPA
	}
	in.HPA = defaulted(in.HPA)
	b, v := boundsOf(in.HPA), scope{in.HPA, in.Variants}
	// recordInitialRecommendation comes before every decision, so that even a
	// target at zero or out of bounds is remembered.
	state := in.State.seeded(v, in.SpecReplicas)
	out := Output{Desired: in.SpecReplicas, State: state, Deciding: -1}
	switch {
	case in.SpecReplicas == 0:
		out.Active, out.Reason = metav1.ConditionFalse, "ScalingDisabled"
		out.Message = "scaling is disabled since the replica count of the target is zero"
	case in.SpecReplicas > b.max:
		out.Desired, out.Limited = b.max, AboveMaximum
	case in.SpecReplicas < b.min:
		out.Desired, out.Limited = b.min, BelowMinimum
	default:
		decide(ctx, in, v, &out)
	}
	out.State = out.State.scaled(v, in.SpecReplicas, out.Desired)
	return out, nil
}

// decide is the part of reconcileAutoscaler that looks at metrics: first
// validateAndParseSelector, then computeReplicasForMetrics, then the
// normalisation with or without behavior.
func decide(ctx context.Context, in Input, v scope, out *Output) {
	b := boundsOf(in.HPA)
	fail := func(reason, message string) {
		out.Active, out.Reason, out.Message = metav1.ConditionFalse, reason, message
	}
	if in.Selector == nil || in.Selector.String() == "" {
		fail("InvalidSelector", "the HPA target's scale is missing a selector")
		return
	}
	out.State.Selecting = true
	if in.Ambiguous {
		fail("AmbiguousSelector", fmt.Sprintf("pods by selector %v are controlled by multiple HPAs", in.Selector))
		return
	}
	r := recommend(ctx, in)
	out.Metrics, out.Deciding = r.metrics, r.deciding
	if r.failed {
		fail(r.reason, r.message)
		return
	}
	out.Active, out.Reason = metav1.ConditionTrue, "ValidMetricFound"
	out.Message = "the HPA was able to successfully calculate a replica count from " + r.name
	// A proposal below zero can only be an overflow; reconcileAutoscaler
	// starts from zero and takes the larger.
	out.Recommended = max(r.replicas, 0)
	if mutation.On("hpa-no-stabilisation") {
		out.State.High, out.State.Low = "", ""
	}
	if in.HPA.Spec.Behavior == nil {
		out.Stabilised, out.State = out.State.stabilise(v, out.Recommended)
		out.Desired, out.Limited = limitByRule(b, in.SpecReplicas, out.Stabilised)
	} else {
		out.Stabilised, out.State = out.State.stabiliseWithBehavior(v, in.SpecReplicas, out.Recommended)
		out.Desired, out.Limited = out.State.limitByBehavior(v, b, in.SpecReplicas, out.Stabilised)
	}
}

// Ambiguous tells whether an HPA whose target has this selector finds its pods
// under another HPA as well (hpasControllingPodsUnderSelector, horizontal.go):
// at least one pod is selected by it and by one of the others.
//
// The controller knows another HPA's selector only from the moment that HPA has
// itself looked at metrics, which is State.Selecting; so of two HPAs on one
// target the first may act once before both are disabled. An ambiguous HPA
// still moves a replica count that is out of its bounds: two HPAs with disjoint
// bounds go on fighting. Pods and selectors are those of one namespace.
func Ambiguous(selector labels.Selector, pods []*corev1.Pod, others []labels.Selector) bool {
	for _, pod := range pods {
		set := labels.Set(pod.Labels)
		if !selector.Matches(set) {
			continue
		}
		for _, other := range others {
			if other.Matches(set) {
				return true
			}
		}
	}
	return false
}

// bounds are minReplicas and maxReplicas.
type bounds struct{ min, max int32 }

// boundsOf reads the bounds; a missing minimum is 1, as in reconcileAutoscaler.
func boundsOf(hpa *autoscalingv2.HorizontalPodAutoscaler) bounds {
	b := bounds{min: 1, max: hpa.Spec.MaxReplicas}
	if hpa.Spec.MinReplicas != nil {
		b.min = *hpa.Spec.MinReplicas
	}
	return b
}

// saturated maps all counts above the maximum to maximum+1 and all below the
// minimum to minimum-1. Every later decision only compares a remembered
// recommendation with counts inside the bounds, so nothing is lost, and the
// memory is finite.
func (b bounds) saturated(replicas int32) int32 {
	return min(max(replicas, b.min-1), b.max+1)
}

// defaulted returns the object with the fields set that the API server sets
// (pkg/apis/autoscaling/v2/defaults.go). Objects from an API server come back
// as they are, without a copy.
func defaulted(hpa *autoscalingv2.HorizontalPodAutoscaler) *autoscalingv2.HorizontalPodAutoscaler {
	if hpa.Spec.MinReplicas != nil && len(hpa.Spec.Metrics) > 0 && complete(hpa.Spec.Behavior) {
		return hpa
	}
	hpa = hpa.DeepCopy()
	defaults.SetDefaults_HorizontalPodAutoscaler(hpa)
	return hpa
}

// complete tells whether defaulting would leave the behavior as it is.
func complete(behavior *autoscalingv2.HorizontalPodAutoscalerBehavior) bool {
	if behavior == nil {
		return true
	}
	up, down := behavior.ScaleUp, behavior.ScaleDown
	return up != nil && up.StabilizationWindowSeconds != nil && up.SelectPolicy != nil && up.Policies != nil &&
		down != nil && down.SelectPolicy != nil && down.Policies != nil
}
