package hpa

import (
	"context"
	"errors"
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
)

// recommendation is the combined answer of all metrics.
type recommendation struct {
	replicas int32
	// name is the controller's description of the deciding metric.
	name     string
	metrics  []Metric
	deciding int
	// failed: no change; reason and message are the condition ScalingActive.
	failed          bool
	reason, message string
}

// recommend is computeReplicasForMetrics (horizontal.go): the largest proposal
// wins. If every metric is invalid, or some are and the rest would scale down,
// there is none, and the first invalid metric gives the condition.
func recommend(ctx context.Context, in Input) recommendation {
	a := newAsker(&in)
	r := recommendation{deciding: -1}
	invalid := 0
	for i, spec := range in.HPA.Spec.Metrics {
		metric, problem := a.ask(ctx, spec)
		r.metrics = append(r.metrics, metric)
		if problem != nil {
			r.metrics[i].Problem = problem.err.Error()
			if invalid == 0 {
				r.reason = problem.reason
				r.message = fmt.Sprintf("the HPA was unable to compute the replica count: %v", problem.err)
			}
			invalid++
			continue
		}
		if r.replicas == 0 || metric.Proposal > r.replicas {
			r.replicas, r.name, r.deciding = metric.Proposal, metric.Name, i
		}
	}
	r.failed = invalid >= len(in.HPA.Spec.Metrics) || (invalid > 0 && r.replicas < in.SpecReplicas)
	if r.failed {
		r.replicas, r.name, r.deciding = 0, "", -1
	}
	return r
}

// problem is why a metric has no proposal, with the reason of the condition.
type problem struct {
	reason string
	err    error
}

// asker puts the metrics of one Input to the real calculator.
type asker struct {
	in         *Input
	calculator *podautoscaler.ReplicaCalculator
	tolerances podautoscaler.Tolerances
}

// newAsker builds the calculator over the input.
func newAsker(in *Input) *asker {
	s := newSource(in)
	return &asker{
		in:         in,
		calculator: podautoscaler.NewReplicaCalculator(s, s, cpuInitializationPeriod, initialReadinessDelay),
		tolerances: tolerancesOf(in.HPA),
	}
}

// ask is computeReplicasForMetric (horizontal.go). A metric without the part
// that its type names cannot come from an API server and counts as unknown.
func (a *asker) ask(ctx context.Context, spec autoscalingv2.MetricSpec) (Metric, *problem) {
	var (
		metric Metric
		err    error
		reason = "InvalidMetricSourceType"
	)
	switch {
	case spec.Type == autoscalingv2.ResourceMetricSourceType && spec.Resource != nil:
		reason = "FailedGetResourceMetric"
		metric, err = a.resource(ctx, spec.Resource.Name, "", spec.Resource.Target)
	case spec.Type == autoscalingv2.ContainerResourceMetricSourceType && spec.ContainerResource != nil:
		reason = "FailedGetContainerResourceMetric"
		metric, err = a.resource(ctx, spec.ContainerResource.Name, spec.ContainerResource.Container, spec.ContainerResource.Target)
	case spec.Type == autoscalingv2.PodsMetricSourceType && spec.Pods != nil:
		reason = "FailedGetPodsMetric"
		metric, err = a.pods(spec.Pods)
	case spec.Type == autoscalingv2.ObjectMetricSourceType && spec.Object != nil:
		reason = "FailedGetObjectMetric"
		metric, err = a.object(spec.Object)
	case spec.Type == autoscalingv2.ExternalMetricSourceType && spec.External != nil:
		reason = "FailedGetExternalMetric"
		metric, err = a.external(spec.External)
	default:
		err = fmt.Errorf("unknown metric source type %q", string(spec.Type))
	}
	if err != nil {
		return metric, &problem{reason: reason, err: err}
	}
	metric.Ratio = float64(metric.Current) / float64(metric.Target)
	return metric, nil
}

// resource is computeStatusForResourceMetricGeneric (horizontal.go): an
// average value comes before a utilisation.
func (a *asker) resource(ctx context.Context, name corev1.ResourceName, container string, target autoscalingv2.MetricTarget) (Metric, error) {
	current, namespace := a.in.SpecReplicas, a.in.HPA.Namespace
	if target.AverageValue != nil {
		metric := Metric{Name: fmt.Sprintf("%s resource", name), Target: target.AverageValue.MilliValue()}
		replicas, usage, _, err := a.calculator.GetRawResourceReplicas(ctx, current, metric.Target, name, a.tolerances, namespace, a.in.Selector, container)
		if err != nil {
			return metric, fmt.Errorf("failed to get %s usage: %w", name, err)
		}
		metric.Proposal, metric.Current = replicas, usage
		return metric, nil
	}
	kind := "resource"
	if container != "" {
		kind = "container resource"
	}
	metric := Metric{Name: fmt.Sprintf("%s %s utilization (percentage of request)", name, kind)}
	if target.AverageUtilization == nil {
		return metric, errors.New("invalid resource metric source: neither an average utilization target nor an average value (usage) target was set")
	}
	metric.Target = int64(*target.AverageUtilization)
	replicas, utilization, _, _, err := a.calculator.GetResourceReplicas(ctx, current, *target.AverageUtilization, name, a.tolerances, namespace, a.in.Selector, container)
	if err != nil {
		return metric, fmt.Errorf("failed to get %s utilization: %w", name, err)
	}
	metric.Proposal, metric.Current = replicas, int64(utilization)
	return metric, nil
}

// pods is computeStatusForPodsMetric (horizontal.go).
func (a *asker) pods(spec *autoscalingv2.PodsMetricSource) (Metric, error) {
	metric := Metric{Name: fmt.Sprintf("pods metric %s", spec.Metric.Name)}
	if spec.Target.AverageValue == nil {
		return metric, errors.New("invalid pods metric source: no average value target was set")
	}
	metric.Target = spec.Target.AverageValue.MilliValue()
	replicas, usage, _, err := a.calculator.GetMetricReplicas(a.in.SpecReplicas, metric.Target, spec.Metric.Name, a.tolerances, a.in.HPA.Namespace, a.in.Selector, labels.Everything())
	metric.Proposal, metric.Current = replicas, usage
	return metric, err
}

// object is computeStatusForObjectMetric (horizontal.go). An average is over
// status.replicas, a value over the ready pods.
func (a *asker) object(spec *autoscalingv2.ObjectMetricSource) (Metric, error) {
	namespace, target := a.in.HPA.Namespace, spec.Target
	switch {
	case target.Type == autoscalingv2.ValueMetricType && target.Value != nil:
		metric := Metric{Name: fmt.Sprintf("%s metric %s", spec.DescribedObject.Kind, spec.Metric.Name), Target: target.Value.MilliValue()}
		replicas, usage, _, err := a.calculator.GetObjectMetricReplicas(a.in.SpecReplicas, metric.Target, spec.Metric.Name, a.tolerances, namespace, &spec.DescribedObject, a.in.Selector, labels.Everything())
		metric.Proposal, metric.Current = replicas, usage
		return metric, err
	case target.Type == autoscalingv2.AverageValueMetricType && target.AverageValue != nil:
		metric := Metric{Name: externalName(spec.Metric), Target: target.AverageValue.MilliValue()}
		replicas, usage, _, err := a.calculator.GetObjectPerPodMetricReplicas(a.in.StatusReplicas, metric.Target, spec.Metric.Name, a.tolerances, namespace, &spec.DescribedObject, labels.Everything())
		metric.Proposal, metric.Current = replicas, usage
		return metric, err
	}
	return Metric{}, errors.New("invalid object metric source: neither a value target nor an average value target was set")
}

// external is computeStatusForExternalMetric (horizontal.go): an average value
// comes before a value.
func (a *asker) external(spec *autoscalingv2.ExternalMetricSource) (Metric, error) {
	namespace, target := a.in.HPA.Namespace, spec.Target
	metric := Metric{Name: externalName(spec.Metric)}
	switch {
	case target.AverageValue != nil:
		metric.Target = target.AverageValue.MilliValue()
		replicas, usage, _, err := a.calculator.GetExternalPerPodMetricReplicas(a.in.StatusReplicas, metric.Target, spec.Metric.Name, a.tolerances, namespace, spec.Metric.Selector)
		metric.Proposal, metric.Current = replicas, usage
		return metric, err
	case target.Value != nil:
		metric.Target = target.Value.MilliValue()
		replicas, usage, _, err := a.calculator.GetExternalMetricReplicas(a.in.SpecReplicas, metric.Target, spec.Metric.Name, a.tolerances, namespace, spec.Metric.Selector, a.in.Selector)
		metric.Proposal, metric.Current = replicas, usage
		return metric, err
	}
	return metric, errors.New("invalid external metric source: neither a value target nor an average value target was set")
}

// externalName is the controller's description of an external metric, which it
// also uses for an average over an object's.
func externalName(metric autoscalingv2.MetricIdentifier) string {
	return fmt.Sprintf("external metric %s(%+v)", metric.Name, metric.Selector)
}
