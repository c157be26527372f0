package hpa

import (
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

const namespace = "test"

// selector selects the pods of the fixtures.
var selector = labels.SelectorFromSet(labels.Set{"app": "web"})

// autoscaler is an HPA as an API server would store it.
func autoscaler(minimum, maximum int32, specs ...autoscalingv2.MetricSpec) *autoscalingv2.HorizontalPodAutoscaler {
	return defaulted(&autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "web"},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"},
			MinReplicas:    &minimum, MaxReplicas: maximum, Metrics: specs,
		},
	})
}

// withBehavior sets the behavior and its defaults.
func withBehavior(hpa *autoscalingv2.HorizontalPodAutoscaler, up, down *autoscalingv2.HPAScalingRules) *autoscalingv2.HorizontalPodAutoscaler {
	hpa.Spec.Behavior = &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleUp: up, ScaleDown: down}
	return defaulted(hpa)
}

// rules are scaling rules with a window in seconds and policies.
func rules(windowSeconds int32, policies ...autoscalingv2.HPAScalingPolicy) *autoscalingv2.HPAScalingRules {
	return &autoscalingv2.HPAScalingRules{StabilizationWindowSeconds: &windowSeconds, Policies: policies}
}

func podsPolicy(value, seconds int32) autoscalingv2.HPAScalingPolicy {
	return autoscalingv2.HPAScalingPolicy{Type: autoscalingv2.PodsScalingPolicy, Value: value, PeriodSeconds: seconds}
}

func percentPolicy(value, seconds int32) autoscalingv2.HPAScalingPolicy {
	return autoscalingv2.HPAScalingPolicy{Type: autoscalingv2.PercentScalingPolicy, Value: value, PeriodSeconds: seconds}
}

func utilization(name corev1.ResourceName, percent int32) autoscalingv2.MetricSpec {
	return autoscalingv2.MetricSpec{Type: autoscalingv2.ResourceMetricSourceType, Resource: &autoscalingv2.ResourceMetricSource{
		Name: name, Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &percent},
	}}
}

func containerUtilization(name corev1.ResourceName, container string, percent int32) autoscalingv2.MetricSpec {
	return autoscalingv2.MetricSpec{Type: autoscalingv2.ContainerResourceMetricSourceType, ContainerResource: &autoscalingv2.ContainerResourceMetricSource{
		Name: name, Container: container, Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &percent},
	}}
}

func averageTarget(milli int64) autoscalingv2.MetricTarget {
	return autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageValue: resource.NewMilliQuantity(milli, resource.DecimalSI)}
}

func valueTarget(milli int64) autoscalingv2.MetricTarget {
	return autoscalingv2.MetricTarget{Type: autoscalingv2.ValueMetricType, Value: resource.NewMilliQuantity(milli, resource.DecimalSI)}
}

func averageResource(name corev1.ResourceName, milli int64) autoscalingv2.MetricSpec {
	return autoscalingv2.MetricSpec{Type: autoscalingv2.ResourceMetricSourceType, Resource: &autoscalingv2.ResourceMetricSource{
		Name: name, Target: averageTarget(milli),
	}}
}

func podsMetric(name string, milli int64) autoscalingv2.MetricSpec {
	return autoscalingv2.MetricSpec{Type: autoscalingv2.PodsMetricSourceType, Pods: &autoscalingv2.PodsMetricSource{
		Metric: autoscalingv2.MetricIdentifier{Name: name}, Target: averageTarget(milli),
	}}
}

func objectMetric(name string, target autoscalingv2.MetricTarget) autoscalingv2.MetricSpec {
	return autoscalingv2.MetricSpec{Type: autoscalingv2.ObjectMetricSourceType, Object: &autoscalingv2.ObjectMetricSource{
		DescribedObject: autoscalingv2.CrossVersionObjectReference{APIVersion: "v1", Kind: "Service", Name: "web"},
		Metric:          autoscalingv2.MetricIdentifier{Name: name}, Target: target,
	}}
}

func externalMetric(name string, target autoscalingv2.MetricTarget) autoscalingv2.MetricSpec {
	return autoscalingv2.MetricSpec{Type: autoscalingv2.ExternalMetricSourceType, External: &autoscalingv2.ExternalMetricSource{
		Metric: autoscalingv2.MetricIdentifier{Name: name, Selector: &metav1.LabelSelector{}}, Target: target,
	}}
}

// runningPod is a Ready pod with containers main and, if it has a request,
// side.
func runningPod(name string, mainMilli, sideMilli int64) *corev1.Pod {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"app": "web"}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{
			{Type: corev1.PodReady, Status: corev1.ConditionTrue},
		}},
	}
	add := func(name string, milli int64) {
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: name, Resources: corev1.ResourceRequirements{
			Requests: cpu(milli),
		}})
	}
	add("main", mainMilli)
	if sideMilli > 0 {
		add("side", sideMilli)
	}
	return pod
}

func cpu(milli int64) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: *resource.NewMilliQuantity(milli, resource.DecimalSI)}
}

// sample is a usage of cpu of the container main.
func sample(milli int64) Usage {
	return Usage{Containers: map[string]corev1.ResourceList{"main": cpu(milli)}}
}

// workload is one Ready pod with a request of 1 cpu for each level of use, all
// of them in the scale's spec and status.
func workload(hpa *autoscalingv2.HorizontalPodAutoscaler, requestMilli int64, levels ...int64) Input {
	in := Input{
		HPA: hpa, SpecReplicas: int32(len(levels)), StatusReplicas: int32(len(levels)),
		Selector: selector, Usage: map[string]Usage{}, State: State{Known: true},
	}
	for i, level := range levels {
		name := fmt.Sprintf("pod-%d", i)
		in.Pods = append(in.Pods, runningPod(name, requestMilli, 0))
		in.Usage[name] = sample(level)
	}
	return in
}
