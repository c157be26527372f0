package hpa

import (
	"context"
	"errors"
	"fmt"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
)

// The dates that stand for a pod's age. groupPods (replica_calculator.go)
// compares the start with time.Now(), so a warm pod started decades ago and a
// warming one in a future no run will see; the other comparisons are among
// these dates.
var (
	longAgo = time.Date(1990, time.January, 1, 0, 0, 0, 0, time.UTC)
	farOff  = time.Date(9000, time.January, 1, 0, 0, 0, 0, time.UTC)
)

const (
	cpuInitializationPeriod = 5 * time.Minute
	initialReadinessDelay   = 30 * time.Second
	// sampleWindow is that of metrics-server; its length decides nothing here.
	sampleWindow = 30 * time.Second
)

// source is one Input as the pod lister and the metrics client of the real
// calculator.
type source struct {
	namespace string
	pods      []*corev1.Pod
	in        *Input
}

var (
	_ corelisters.PodLister = (*source)(nil)
	_ metrics.MetricsClient = (*source)(nil)
)

// newSource takes the pods of the HPA's namespace; those with a sample are
// copied and given the dates that their flags ask for.
func newSource(in *Input) *source {
	s := &source{namespace: in.HPA.Namespace, in: in}
	for _, pod := range in.Pods {
		if pod == nil || pod.Namespace != s.namespace {
			continue
		}
		if usage, sampled := in.Usage[pod.Name]; sampled {
			pod = dated(pod, usage)
		}
		s.pods = append(s.pods, pod)
	}
	return s
}

// dated returns a copy of the pod with a start time and a time of the last
// change of readiness that make groupPods see what the flags say.
func dated(pod *corev1.Pod, usage Usage) *corev1.Pod {
	start, changed := longAgo, longAgo.Add(time.Hour)
	if usage.Warming {
		start = farOff
	}
	if usage.NeverReady {
		changed = longAgo
	}
	copied := *pod
	copied.Status.StartTime = &metav1.Time{Time: start}
	copied.Status.Conditions = make([]corev1.PodCondition, len(pod.Status.Conditions))
	copy(copied.Status.Conditions, pod.Status.Conditions)
	for i := range copied.Status.Conditions {
		if copied.Status.Conditions[i].Type == corev1.PodReady {
			copied.Status.Conditions[i].LastTransitionTime = metav1.Time{Time: changed}
		}
	}
	return &copied
}

// sampled is the time of a sample: before the window after any readiness
// change has passed, or well after.
func (u Usage) sampled() time.Time {
	if u.StaleSample {
		return longAgo
	}
	return longAgo.Add(2 * time.Hour)
}

// List is the pod lister's; the pods of other namespaces are not held.
func (s *source) List(selector labels.Selector) ([]*corev1.Pod, error) {
	var selected []*corev1.Pod
	for _, pod := range s.pods {
		if selector.Matches(labels.Set(pod.Labels)) {
			selected = append(selected, pod)
		}
	}
	return selected, nil
}

// Pods is the pod lister's.
func (s *source) Pods(namespace string) corelisters.PodNamespaceLister {
	if namespace != s.namespace {
		return &source{namespace: namespace, in: s.in}
	}
	return s
}

// Get is the pod lister's; the calculator does not call it.
func (s *source) Get(name string) (*corev1.Pod, error) {
	for _, pod := range s.pods {
		if pod.Name == name {
			return pod, nil
		}
	}
	return nil, apierrors.NewNotFound(corev1.Resource("pods"), name)
}

// GetResourceMetric gives each selected pod's usage, of one container if it is
// named (metrics/client.go). The map is new at each call: the calculator
// changes it.
func (s *source) GetResourceMetric(_ context.Context, resource corev1.ResourceName, _ string, selector labels.Selector, container string) (metrics.PodMetricsInfo, time.Time, error) {
	info, sampled := make(metrics.PodMetricsInfo), false
	for _, pod := range s.pods {
		usage, ok := s.in.Usage[pod.Name]
		if !ok || !selector.Matches(labels.Set(pod.Labels)) {
			continue
		}
		sampled = true
		if value, ok := usage.of(resource, container); ok {
			info[pod.Name] = metrics.PodMetric{Timestamp: usage.sampled(), Window: sampleWindow, Value: value}
		}
	}
	if !sampled {
		return nil, time.Time{}, errors.New("no metrics returned from resource metrics API")
	}
	return info, longAgo, nil
}

// of is the usage in milli units: of one container, or of all if none is
// named, and then only if each of them has a value.
func (u Usage) of(resource corev1.ResourceName, container string) (int64, bool) {
	if container != "" {
		quantity, ok := u.Containers[container][resource]
		return quantity.MilliValue(), ok
	}
	var sum int64
	for _, list := range u.Containers {
		quantity, ok := list[resource]
		if !ok {
			return 0, false
		}
		sum += quantity.MilliValue()
	}
	return sum, len(u.Containers) > 0
}

// GetRawMetric gives a custom metric of each selected pod.
func (s *source) GetRawMetric(name, _ string, selector, _ labels.Selector) (metrics.PodMetricsInfo, time.Time, error) {
	info := make(metrics.PodMetricsInfo)
	for _, pod := range s.pods {
		if value, ok := s.in.PodMetric[name][pod.Name]; ok && selector.Matches(labels.Set(pod.Labels)) {
			info[pod.Name] = metrics.PodMetric{Timestamp: longAgo, Window: sampleWindow, Value: value}
		}
	}
	if len(info) == 0 {
		return nil, time.Time{}, errors.New("no metrics returned from custom metrics API")
	}
	return info, longAgo, nil
}

// GetObjectMetric gives the value of a metric of an object.
func (s *source) GetObjectMetric(name, _ string, object *autoscalingv2.CrossVersionObjectReference, _ labels.Selector) (int64, time.Time, error) {
	value, ok := s.in.Object[name]
	if !ok {
		return 0, time.Time{}, fmt.Errorf("unable to fetch metrics from custom metrics API: %w", errNoObjectMetric(name, object))
	}
	return value.MilliValue(), longAgo, nil
}

// errNoObjectMetric is what an adapter of the custom metrics API answers for a
// metric that it does not have.
func errNoObjectMetric(name string, object *autoscalingv2.CrossVersionObjectReference) error {
	return fmt.Errorf("the server could not find the metric %s for %s %s", name, object.Kind, object.Name)
}

// GetExternalMetric gives the value of an external metric.
func (s *source) GetExternalMetric(name, _ string, _ labels.Selector) ([]int64, time.Time, error) {
	value, ok := s.in.External[name]
	if !ok {
		return nil, time.Time{}, errors.New("no metrics returned from external metrics API")
	}
	return []int64{value.MilliValue()}, longAgo, nil
}
