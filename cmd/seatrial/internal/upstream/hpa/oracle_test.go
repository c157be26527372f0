package hpa

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	metricsapi "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

func podLabels(pod *corev1.Pod) labels.Set { return pod.Labels }

// inPod finds the container and pod that an error names first; the real
// lister's order is that of a map.
var inPod = regexp.MustCompile(`container \w+ (of|not found in) Pod pod-\d+|Pod pod-\d+`)

// outcome is what both sides are compared by.
type outcome struct {
	Desired                 int32
	Active, Reason, Message string
	Limited                 string
	Current                 []int64
}

// TestRecommendationIsTheRealControllers compares one reconcile of random
// inputs with one of the real controller, on a clock that stands still, so that
// every threshold of a pod's age is exact.
func TestRecommendationIsTheRealControllers(t *testing.T) {
	const cases = 16000
	p := newPlant(t)
	seen := map[string]int{}
	synctest.Test(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(1, 36))
		for i := range cases {
			g := generator{random: random}
			hpa := g.autoscaler(fmt.Sprintf("web-%d", i))
			state := State{}
			if random.IntN(3) > 0 {
				// The first reconcile records the count it finds; at zero it does
				// nothing else, and an hour later that record is void.
				p.reconcile(t, Input{HPA: hpa, Selector: selector}, nil)
				advance(time.Hour)
				state.Known = true
			}
			in, samples := g.input(hpa)
			in.State = state
			want := p.outcome(in, p.reconcile(t, in, samples))
			got := modelOutcome(reconcile(t, in))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("case %d, %d pods, spec %d, status %d (-real +ours):\n%s", i, len(in.Pods), in.SpecReplicas, in.StatusReplicas, diff)
			}
			seen[got.Reason+" "+got.Limited]++
			if len(got.Current) > 0 {
				seen["asked a metric"]++
			}
			switch {
			case got.Desired > in.SpecReplicas:
				seen["up"]++
			case got.Desired < in.SpecReplicas:
				seen["down"]++
			}
		}
	})
	for _, kind := range []string{
		"up", "down", "ScalingDisabled ", " AboveMaximum", " BelowMinimum", "InvalidSelector ",
		"FailedGetResourceMetric ", "FailedGetContainerResourceMetric ", "FailedGetPodsMetric ", "FailedGetObjectMetric ", "FailedGetExternalMetric ",
		"ValidMetricFound DesiredWithinRange", "ValidMetricFound TooManyReplicas", "ValidMetricFound TooFewReplicas",
		"ValidMetricFound ScaleUpLimit", "ValidMetricFound ScaleDownLimit",
	} {
		if seen[kind] < 20 {
			t.Errorf("only %d cases of %q", seen[kind], kind)
		}
	}
	if seen["asked a metric"] < 10000 {
		t.Errorf("only %d cases asked a metric", seen["asked a metric"])
	}
	t.Logf("%d cases: %v", cases, seen)
}

// outcome reads what the real controller wrote.
func (p *plant) outcome(in Input, desired int32) outcome {
	o := outcome{Desired: desired}
	active, reason, message := p.condition(autoscalingv2.ScalingActive)
	o.Active, o.Reason, o.Message = string(active), reason, inPod.ReplaceAllString(message, "Pod")
	_, o.Limited, _ = p.condition(autoscalingv2.ScalingLimited)
	if active == "" && in.SpecReplicas > in.HPA.Spec.MaxReplicas {
		o.Limited = AboveMaximum
	} else if active == "" {
		o.Limited = BelowMinimum
	}
	for _, status := range p.status.CurrentMetrics {
		o.Current = append(o.Current, currentOf(status))
	}
	return o
}

// modelOutcome reads an Output alike.
func modelOutcome(out Output) outcome {
	o := outcome{
		Desired: out.Desired, Active: string(out.Active), Reason: out.Reason, Message: inPod.ReplaceAllString(out.Message, "Pod"), Limited: out.Limited,
	}
	for _, metric := range out.Metrics {
		if metric.Problem != "" {
			metric.Current = 0
		}
		o.Current = append(o.Current, metric.Current)
	}
	return o
}

// currentOf is the number that a metric's status shows.
func currentOf(status autoscalingv2.MetricStatus) int64 {
	var value autoscalingv2.MetricValueStatus
	switch {
	case status.Resource != nil:
		value = status.Resource.Current
	case status.ContainerResource != nil:
		value = status.ContainerResource.Current
	case status.Pods != nil:
		value = status.Pods.Current
	case status.Object != nil:
		value = status.Object.Current
	case status.External != nil:
		value = status.External.Current
	}
	switch {
	case value.AverageUtilization != nil:
		return int64(*value.AverageUtilization)
	case value.AverageValue != nil:
		return value.AverageValue.MilliValue()
	case value.Value != nil:
		return value.Value.MilliValue()
	}
	return 0
}

// generator draws inputs.
type generator struct{ random *rand.Rand }

func (g generator) chance(percent int) bool { return g.random.IntN(100) < percent }

func (g generator) between(low, high int64) int64 { return low + g.random.Int64N(high-low+1) }

func (g generator) duration(most time.Duration) time.Duration {
	return time.Duration(g.random.Int64N(int64(most)))
}

func (g generator) autoscaler(name string) *autoscalingv2.HorizontalPodAutoscaler {
	minimum := int32(g.between(1, 4))
	var specs []autoscalingv2.MetricSpec
	for range g.between(1, 3) {
		specs = append(specs, g.metric())
	}
	hpa := autoscaler(minimum, minimum+int32(g.between(0, 10)), specs...)
	hpa.Name = name
	if g.chance(40) {
		up, down := g.rules(), g.rules()
		if g.chance(30) {
			up.Tolerance = resource.NewMilliQuantity(g.between(0, 600), resource.DecimalSI)
		}
		if g.chance(30) {
			down.Tolerance = resource.NewMilliQuantity(g.between(0, 600), resource.DecimalSI)
		}
		hpa = withBehavior(hpa, up, down)
	}
	return hpa
}

// rules draws a window and policies; what is left out is defaulted.
func (g generator) rules() *autoscalingv2.HPAScalingRules {
	r := &autoscalingv2.HPAScalingRules{}
	if g.chance(60) {
		window := int32(g.between(0, 2)) * 60
		r.StabilizationWindowSeconds = &window
	}
	if g.chance(60) {
		choices := []autoscalingv2.ScalingPolicySelect{autoscalingv2.MaxChangePolicySelect, autoscalingv2.MinChangePolicySelect, autoscalingv2.DisabledPolicySelect}
		choice := choices[g.random.IntN(len(choices))]
		r.SelectPolicy = &choice
	}
	for range g.between(0, 2) {
		policy := podsPolicy(int32(g.between(1, 4)), 60)
		if g.chance(50) {
			policy = percentPolicy(int32(g.between(1, 150)), 60)
		}
		r.Policies = append(r.Policies, policy)
	}
	return r
}

func (g generator) metric() autoscalingv2.MetricSpec {
	name := []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceCPU, corev1.ResourceMemory}[g.random.IntN(3)]
	percent, milli := int32(g.between(10, 150)), g.between(100, 1500)
	switch g.random.IntN(9) {
	case 0, 1, 2:
		return utilization(name, percent)
	case 3:
		return averageResource(name, milli)
	case 4:
		return containerUtilization(name, []string{"main", "side"}[g.random.IntN(2)], percent)
	case 5:
		return podsMetric("qps", milli)
	case 6:
		return objectMetric("hits", averageTarget(milli))
	case 7:
		return externalMetric("queue", []autoscalingv2.MetricTarget{averageTarget(milli), valueTarget(milli)}[g.random.IntN(2)])
	}
	return objectMetric("hits", valueTarget(milli))
}

// input draws pods with real times, their samples, and what the package is
// told about them instead of times.
func (g generator) input(hpa *autoscalingv2.HorizontalPodAutoscaler) (Input, []metricsapi.PodMetrics) {
	in := Input{HPA: hpa, Selector: selector, Usage: map[string]Usage{}, PodMetric: map[string]map[string]int64{"qps": {}}}
	if g.chance(3) {
		in.Selector = labels.Everything()
	}
	pods := g.between(0, 9)
	in.SpecReplicas = int32(max(0, pods+g.between(-2, 2)))
	if b := boundsOf(hpa); g.chance(75) {
		in.SpecReplicas = min(max(in.SpecReplicas, b.min), b.max)
	}
	in.StatusReplicas = int32(max(0, pods+g.between(-1, 1)))
	both, sampled, troubled := g.chance(30), 100, 0
	if g.chance(50) {
		sampled, troubled = 80, 12
	}
	var samples []metricsapi.PodMetrics
	level := g.between(10, 900)
	for i := range pods {
		pod, usage, sample := g.pod(fmt.Sprintf("pod-%d", i), both, troubled, level)
		in.Pods = append(in.Pods, pod)
		if g.chance(sampled) {
			in.Usage[pod.Name] = usage
			if in.Selector.Matches(podLabels(pod)) && pod.Namespace == namespace {
				samples = append(samples, sample)
			}
		}
		if g.chance(sampled) {
			in.PodMetric["qps"][pod.Name] = g.between(0, 2*level)
		}
	}
	if g.chance(85) {
		in.External = map[string]resource.Quantity{"queue": *resource.NewMilliQuantity(g.between(0, 12000), resource.DecimalSI)}
	}
	if g.chance(85) {
		in.Object = map[string]resource.Quantity{"hits": *resource.NewMilliQuantity(g.between(0, 12000), resource.DecimalSI)}
	}
	return in, samples
}

// pod draws one pod and its sample. Some percent of the pods are in each kind
// of trouble.
func (g generator) pod(name string, both bool, troubled int, level int64) (*corev1.Pod, Usage, metricsapi.PodMetrics) {
	now := time.Now()
	pod := runningPod(name, g.between(1, 10)*100, 0)
	if both {
		pod = runningPod(name, g.between(1, 10)*100, g.between(1, 5)*100)
	}
	for i := range pod.Spec.Containers {
		requests := pod.Spec.Containers[i].Resources.Requests
		requests[corev1.ResourceMemory] = *resource.NewQuantity(g.between(1, 8)<<20, resource.BinarySI)
		if troubled > 0 && g.chance(1) {
			delete(requests, corev1.ResourceCPU)
		}
	}
	start := now.Add(-g.duration(20 * time.Minute))
	changed := start.Add(g.duration(now.Sub(start) + 1))
	if g.chance(30) {
		changed = start.Add(g.duration(min(now.Sub(start)+1, time.Minute)))
	}
	pod.Status.StartTime = &metav1.Time{Time: start}
	pod.Status.Conditions[0].LastTransitionTime = metav1.Time{Time: changed}
	g.trouble(pod, troubled)

	window, taken := 30*time.Second, now.Add(-g.duration(2*time.Minute))
	usage := Usage{
		Containers:  map[string]corev1.ResourceList{},
		Warming:     start.Add(cpuInitializationPeriod).After(now),
		StaleSample: taken.Before(changed.Add(window)),
		NeverReady:  start.Add(initialReadinessDelay).After(changed),
	}
	sample := metricsapi.PodMetrics{
		ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: name, Labels: pod.Labels},
		Timestamp:  metav1.Time{Time: taken}, Window: metav1.Duration{Duration: window},
	}
	for _, container := range pod.Spec.Containers {
		used := cpu(g.between(0, 2*level))
		used[corev1.ResourceMemory] = *resource.NewQuantity(g.between(0, 16)<<20, resource.BinarySI)
		if troubled > 0 && g.chance(3) {
			delete(used, corev1.ResourceCPU)
		}
		usage.Containers[container.Name] = used
		sample.Containers = append(sample.Containers, metricsapi.ContainerMetrics{Name: container.Name, Usage: used})
	}
	return pod, usage, sample
}

// trouble makes some pods other than running and Ready.
func (g generator) trouble(pod *corev1.Pod, percent int) {
	if g.chance(percent) {
		pod.Status.Phase = []corev1.PodPhase{corev1.PodPending, corev1.PodFailed, corev1.PodSucceeded}[g.random.IntN(3)]
	}
	if g.chance(percent) {
		pod.DeletionTimestamp = &metav1.Time{Time: time.Now()}
	}
	if g.chance(percent) {
		pod.Status.Conditions[0].Status = corev1.ConditionFalse
	}
	if g.chance(percent / 4) {
		pod.Status.Conditions[0].Status = corev1.ConditionUnknown
	}
	if g.chance(percent / 4) {
		pod.Status.Conditions = nil
	}
	if g.chance(percent / 4) {
		pod.Labels = map[string]string{"app": "db"}
	}
	if g.chance(percent / 4) {
		pod.Namespace = "other"
	}
}
