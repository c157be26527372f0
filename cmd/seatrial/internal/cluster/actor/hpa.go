package actor

import (
	"fmt"
	"slices"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	upstream "github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/hpa"
	"github.com/seatrial/seatrial/statespace"
)

// hpa is the HorizontalPodAutoscaler controller. One reconcile is one step; so
// is each time that something it remembers runs out.
type hpa struct{}

var _ = model.Register(hpa{})

var byHPA = model.Component("horizontal-pod-autoscaler-controller")

func (hpa) Name() string       { return "hpa" }
func (hpa) Speed() model.Speed { return model.Slow }
func (hpa) Verbs() []model.Verb {
	return []model.Verb{
		{Name: "reconcile", Grain: model.ByHPA, Fairness: statespace.Weak},
		{Name: "window", Grain: model.ByHPA, Fairness: statespace.Weak},
		{Name: "period", Grain: model.ByHPA, Fairness: statespace.Weak},
	}
}

func (hpa) Steps(x *model.Turn) {
	for i := range x.HPAs {
		if hasTarget(x, i) {
			reconcileHPA(x, i)
		}
	}
	for i := range x.HPAs { // after all reconciles, so that the windows of all wait for the same
		if hasTarget(x, i) {
			elapseHPA(x, i)
		}
	}
}

// hasTarget tells whether an autoscaler is there, and what it scales.
func hasTarget(x *model.Turn, i int) bool {
	spec := x.AutoscalerSpec(x.State, i)
	return spec != nil && spec.Work >= 0 && x.State.Work[spec.Work].Exists
}

func reconcileHPA(x *model.Turn, i int) {
	spec := x.AutoscalerSpec(x.State, i)
	out := reconcile(x, i)
	before := x.State.HPA[i]
	after := model.Autoscaler{Memory: out.State, Reason: before.Reason, Rev: before.Rev}
	if out.Active != "" {
		after.Reason = out.reason
	}
	work := x.State.Work[spec.Work]
	if after == *before && out.Desired == work.Replicas {
		return
	}
	to := x.State.Clone()
	*to.EditHPA(i) = after
	kind := model.KindOther
	if out.Desired != work.Replicas {
		to.EditWork(spec.Work).Replicas = out.Desired
		kind = model.KindScale
	}
	x.Emit(model.Step{
		Verb: "reconcile", A: i, Work: spec.Work, Kind: kind, To: to,
		Explain: func() model.Explanation { return explainHPA(x, i, out) },
	})
}

// reasonOf tells a missing request or container, which no pod will ever bring,
// from metrics that are missing for a while.
func reasonOf(x *model.Turn, i int, out upstream.Output) string {
	spec := x.AutoscalerSpec(x.State, i)
	for _, m := range spec.HPA.Spec.Metrics {
		if m.ContainerResource != nil && !hasContainer(x, spec.Work, m.ContainerResource.Container) {
			return model.MissingContainer
		}
	}
	if strings.Contains(out.Message, "missing request for") {
		return model.MissingRequest
	}
	return out.Reason
}

// hasContainer tells whether the present template has a container of a name.
func hasContainer(x *model.Turn, work int, name string) bool {
	pod := x.Workloads[work].Revisions[x.State.Work[work].Rev].Pod
	return slices.ContainsFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.Name == name })
}

func explainHPA(x *model.Turn, i int, out reconciled) model.Explanation {
	spec, name := x.AutoscalerSpec(x.State, i), x.HPAs[i].Name()
	target := &x.Workloads[spec.Work]
	now := x.State.Work[spec.Work].Replicas
	e := model.Explanation{}
	var said []string
	for _, m := range out.Metrics {
		if m.Problem != "" {
			said = append(said, m.Problem)
			continue
		}
		said = append(said, fmt.Sprintf("%s: %d against a target of %d, proposes %d", m.Name, m.Current, m.Target, m.Proposal))
	}
	switch {
	case out.Desired != now:
		e.Action = fmt.Sprintf("HorizontalPodAutoscaler %s scales %s from %d to %d", name, target.Object(), now, out.Desired)
	case out.Active == metav1.ConditionFalse:
		e.Action = fmt.Sprintf("HorizontalPodAutoscaler %s cannot act: %s", name, out.Reason)
		said = []string{out.Message}
	default:
		e.Action = fmt.Sprintf("HorizontalPodAutoscaler %s looks at its metrics and leaves %s at %d", name, target.Object(), now)
	}
	e.Note = strings.Join(said, "; ")
	object := "HorizontalPodAutoscaler " + name
	switch reason := x.State.HPA[i].Reason; {
	case out.Desired != now:
		e.Acts = []model.Act{byHPA.Scales(target.Object(), now, out.Desired)}
	case out.Active != "" && out.reason != reason:
		e.Acts = []model.Act{byHPA.Condition(object, "ScalingActive", out.Active, out.Reason)}
	default:
		e.Acts = []model.Act{byHPA.To("wait", object).Inner()} // it remembers what it recommends
	}
	switch out.Limited {
	case upstream.AboveMaximum, "TooManyReplicas":
		e.Refs = append(e.Refs, spec.Ref("spec.maxReplicas", "is the largest size the autoscaler gives"))
	case upstream.BelowMinimum, "TooFewReplicas":
		e.Refs = append(e.Refs, spec.Ref("spec.minReplicas", "is the smallest size the autoscaler gives"))
	}
	if len(out.Metrics) > 0 {
		e.Refs = append(e.Refs, spec.Ref(fmt.Sprintf("spec.metrics[%d]", max(0, out.Deciding)), "is the metric that decides"))
	} else if out.Active == metav1.ConditionFalse {
		e.Refs = append(e.Refs, spec.Ref("spec.scaleTargetRef", "is what the autoscaler is about"))
	}
	return e
}

// windowSeconds is the length of the scale-down or scale-up window.
func windowSeconds(h *autoscalingv2.HorizontalPodAutoscaler, down bool) int64 {
	const standard = 300 // the controller's flag, for scaling down
	if h.Spec.Behavior == nil {
		return standard
	}
	rules := h.Spec.Behavior.ScaleUp
	if down {
		rules = h.Spec.Behavior.ScaleDown
	}
	if rules == nil || rules.StabilizationWindowSeconds == nil {
		return standard
	}
	return int64(*rules.StabilizationWindowSeconds)
}

// periodSeconds is the shortest period of a scaling policy.
func periodSeconds(h *autoscalingv2.HorizontalPodAutoscaler) int64 {
	shortest := int64(model.Ages)
	if b := h.Spec.Behavior; b != nil {
		for _, rules := range []*autoscalingv2.HPAScalingRules{b.ScaleUp, b.ScaleDown} {
			if rules != nil {
				for _, p := range rules.Policies {
					shortest = min(shortest, int64(p.PeriodSeconds))
				}
			}
		}
	}
	return shortest
}

// elapseHPA lets what the autoscaler remembers run out. The newest
// recommendation of a window never does: the periodic reconcile renews it.
// Unless the check is strict, what takes less time happens first: a window is
// minutes, the start of a pod seconds.
func elapseHPA(x *model.Turn, i int) {
	spec := x.AutoscalerSpec(x.State, i)
	for _, memory := range upstream.Elapse(spec.HPA, x.State.HPA[i].Memory, x.HPAs[i].Variants()...) {
		before := x.State.HPA[i].Memory
		if before.High != "" && memory.High == "" || before.Low != "" && memory.Low == "" {
			continue
		}
		verb, what, seconds := "window", "a stabilisation window has passed", windowSeconds(spec.HPA, before.High != memory.High)
		if before.Changes != memory.Changes {
			verb, what, seconds = "period", "a scaling policy's period is over", periodSeconds(spec.HPA)
		}
		if x.Soonest < seconds && !x.Strict {
			continue
		}
		to := x.State.Clone()
		to.EditHPA(i).Memory = memory
		x.Emit(model.Step{
			Verb: verb, A: i, Work: spec.Work, To: to, Seconds: model.Ages,
			Explain: func() model.Explanation {
				return model.Explanation{
					Action: fmt.Sprintf("HorizontalPodAutoscaler %s: %s", x.HPAs[i].Name(), what),
					Acts:   []model.Act{byHPA.Waits("HorizontalPodAutoscaler "+x.HPAs[i].Name(), seconds)},
				}
			},
		})
	}
}
