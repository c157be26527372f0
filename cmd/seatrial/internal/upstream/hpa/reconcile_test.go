package hpa

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/features"
)

func reconcile(t *testing.T, in Input) Output {
	t.Helper()
	out, err := Reconcile(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The numbers of the cases named Test… are those of the tests of that name in
// horizontal_test.go of Kubernetes 1.36.3.
func TestDesired(t *testing.T) {
	onCPU := func(percent int32) *autoscalingv2.HorizontalPodAutoscaler {
		return autoscaler(2, 6, utilization(corev1.ResourceCPU, percent))
	}
	for _, c := range []struct {
		name   string
		in     Input
		change func(in *Input)
		want   int32
		limit  string
	}{
		{name: "TestScaleUp", in: workload(onCPU(30), 1000, 300, 500, 700), want: 5, limit: "DesiredWithinRange"},
		{name: "TestScaleUpUnreadyLessScale", in: workload(onCPU(30), 1000, 300, 500, 700), change: unready(0), want: 4, limit: "DesiredWithinRange"},
		{name: "TestScaleUpHotCpuLessScale", in: workload(onCPU(30), 1000, 300, 500, 700), change: warming(0), want: 4, limit: "DesiredWithinRange"},
		{name: "TestScaleUpUnreadyNoScale", in: workload(onCPU(30), 1000, 400, 500, 700), change: unready(1, 2), want: 3, limit: "DesiredWithinRange"},
		{name: "TestScaleDownIncludeUnreadyPods", in: workload(onCPU(50), 1000, 100, 300, 500, 250, 250), change: unready(3, 4), want: 2, limit: "DesiredWithinRange"},
		{name: "TestScaleDownIgnoresDeletionPods", in: workload(onCPU(50), 1000, 100, 300, 500, 250, 250, 0, 0), change: terminating(5, 6), want: 3, limit: "DesiredWithinRange"},
		{name: "TestMissingMetrics", in: workload(onCPU(100), 1000, 400, 95, 0, 0), change: missing(2, 3), want: 3, limit: "DesiredWithinRange"},
		{name: "TestScaleUpCM", in: perPod(autoscaler(2, 6, podsMetric("qps", 15000)), 20000, 10000, 30000), want: 4, limit: "DesiredWithinRange"},
		{name: "TestScaleUpPerPodCMExternal", in: external(autoscaler(2, 6, externalMetric("qps", averageTarget(2222))), 3, 3, 8600), want: 4, limit: "DesiredWithinRange"},
		{name: "start-up use of three pods doubles them", in: workload(autoscaler(3, 6, utilization(corev1.ResourceCPU, 50)), 800, 800, 800, 800), want: 6, limit: "DesiredWithinRange"},
		{name: "six warm pods at 37 % shrink to five", in: workload(autoscaler(3, 6, utilization(corev1.ResourceCPU, 50)), 800, 300, 300, 300, 300, 300, 300), want: 5, limit: "DesiredWithinRange"},
		{name: "a missing sample stops growth from one pod", in: workload(autoscaler(1, 6, utilization(corev1.ResourceCPU, 50)), 800, 800, 0), change: missing(1), want: 2, limit: "DesiredWithinRange"},
		{name: "a surge pod counts", in: workload(autoscaler(1, 6, utilization(corev1.ResourceCPU, 100)), 1000, 600, 600), change: spec(1), want: 2, limit: "DesiredWithinRange"},
		{name: "a surge pod counts, but half the target is one pod", in: workload(autoscaler(1, 6, utilization(corev1.ResourceCPU, 100)), 1000, 500, 500), change: spec(1), want: 1, limit: "DesiredWithinRange"},
		{name: "a surge pod of three at 70 % of the target counts", in: workload(autoscaler(1, 6, utilization(corev1.ResourceCPU, 100)), 1000, 700, 700, 700), change: spec(2), want: 3, limit: "DesiredWithinRange"},
		{name: "a surge pod of three at 66 % of the target does not", in: workload(autoscaler(1, 6, utilization(corev1.ResourceCPU, 100)), 1000, 660, 660, 660), change: spec(2), want: 2, limit: "DesiredWithinRange"},
		{name: "a surge pod within tolerance does not", in: workload(autoscaler(1, 6, utilization(corev1.ResourceCPU, 100)), 1000, 950, 950), change: spec(1), want: 1, limit: "DesiredWithinRange"},
		{name: "outside tolerance an average external value ignores status", in: external(autoscaler(1, 9, externalMetric("qps", averageTarget(1000))), 4, 5, 3600), want: 4, limit: "DesiredWithinRange"},
		{name: "within tolerance an average external value adopts status", in: external(autoscaler(1, 9, externalMetric("qps", averageTarget(1000))), 4, 5, 4600), want: 5, limit: "DesiredWithinRange"},
		{name: "above the maximum no metric is asked", in: workload(onCPU(30), 1000, 0, 0), change: spec(9), want: 6, limit: AboveMaximum},
		{name: "below the minimum no metric is asked", in: workload(onCPU(30), 1000, 900), want: 2, limit: BelowMinimum},
		{name: "growth ends at four from one", in: workload(autoscaler(1, 100, utilization(corev1.ResourceCPU, 10)), 100, 900), want: 4, limit: "ScaleUpLimit"},
		{name: "growth ends at the double", in: workload(autoscaler(1, 100, utilization(corev1.ResourceCPU, 10)), 100, 900, 900, 900), want: 6, limit: "ScaleUpLimit"},
		{name: "growth ends at the maximum", in: workload(autoscaler(1, 5, utilization(corev1.ResourceCPU, 10)), 100, 900, 900, 900), want: 5, limit: "TooManyReplicas"},
		{name: "shrinking ends at the minimum", in: workload(onCPU(50), 1000, 1, 1, 1, 1), want: 2, limit: "TooFewReplicas"},
		{name: "TestUpscaleCap", in: workload(withBehavior(autoscaler(1, 100, utilization(corev1.ResourceCPU, 10)), rules(0, percentPolicy(700, 60)), nil), 100, 100, 200, 300), want: 24, limit: "ScaleUpLimit"},
		{name: "disabled growth", in: workload(withBehavior(autoscaler(1, 9, utilization(corev1.ResourceCPU, 10)), disabled(), nil), 100, 100, 100), want: 2, limit: "ScaleUpLimit"},
		{name: "the largest of two metrics wins", in: workload(autoscaler(1, 9, utilization(corev1.ResourceCPU, 50), externalMetric("qps", averageTarget(1000))), 1000, 250, 250), change: qps(5000), want: 4, limit: "ScaleUpLimit"},
		{name: "an invalid metric does not stop growth", in: workload(autoscaler(1, 9, externalMetric("qps", averageTarget(1000)), utilization(corev1.ResourceCPU, 50)), 1000, 900, 900), want: 4, limit: "DesiredWithinRange"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.change != nil {
				c.change(&c.in)
			}
			out := reconcile(t, c.in)
			if out.Desired != c.want || out.Limited != c.limit {
				t.Errorf("desired %d, limited by %s; want %d, %s", out.Desired, out.Limited, c.want, c.limit)
			}
		})
	}
}

func TestNoMetric(t *testing.T) {
	hpa := autoscaler(1, 6, utilization(corev1.ResourceCPU, 50))
	for _, c := range []struct {
		name            string
		in              Input
		change          func(in *Input)
		reason, message string
	}{
		{"zero replicas", workload(hpa, 1000), nil, "ScalingDisabled", "scaling is disabled since the replica count of the target is zero"},
		{"no selector", workload(hpa, 1000, 900, 900), func(in *Input) { in.Selector = labels.Everything() }, "InvalidSelector", "the HPA target's scale is missing a selector"},
		{"ambiguous", workload(hpa, 1000, 900, 900), func(in *Input) { in.Ambiguous = true }, "AmbiguousSelector", "pods by selector app=web are controlled by multiple HPAs"},
		{"no metrics", workload(hpa, 1000, 900, 900), missing(0, 1), "FailedGetResourceMetric", "the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: no metrics returned from resource metrics API"},
		{"no pods", workload(hpa, 1000, 900, 900), func(in *Input) { in.Pods = nil }, "FailedGetResourceMetric", "the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: no metrics returned from resource metrics API"},
		{"all unready", workload(hpa, 1000, 900, 900), unready(0, 1), "FailedGetResourceMetric", "the HPA was unable to compute the replica count: failed to get cpu utilization: did not receive metrics for targeted pods (pods might be unready)"},
		{"no request", workload(hpa, 1000, 900, 900), func(in *Input) { in.Pods[1].Spec.Containers[0].Resources.Requests = nil }, "FailedGetResourceMetric", "the HPA was unable to compute the replica count: failed to get cpu utilization: missing request for cpu in container main of Pod pod-1"},
		{"no external metric", workload(autoscaler(1, 6, externalMetric("qps", averageTarget(1))), 1000, 900, 900), nil, "FailedGetExternalMetric", "the HPA was unable to compute the replica count: unable to get external metric test/qps/&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{},}: no metrics returned from external metrics API"},
		{"an invalid metric stops shrinking", workload(autoscaler(1, 9, externalMetric("qps", averageTarget(1)), utilization(corev1.ResourceCPU, 50)), 1000, 100, 100), nil, "FailedGetExternalMetric", "the HPA was unable to compute the replica count: unable to get external metric test/qps/&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{},}: no metrics returned from external metrics API"},
		{"an unknown metric", workload(autoscaler(1, 6, autoscalingv2.MetricSpec{Type: "Guess"}), 1000, 900, 900), nil, "InvalidMetricSourceType", "the HPA was unable to compute the replica count: unknown metric source type \"Guess\""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.change != nil {
				c.change(&c.in)
			}
			out := reconcile(t, c.in)
			got := []string{string(out.Active), out.Reason, out.Message}
			if diff := cmp.Diff([]string{string(metav1.ConditionFalse), c.reason, c.message}, got); diff != "" {
				t.Errorf("condition (-want +got):\n%s", diff)
			}
			if out.Desired != c.in.SpecReplicas || out.State.High != "" {
				t.Errorf("desired %d, remembered %q; want no change", out.Desired, out.State.High)
			}
		})
	}
	if _, err := Reconcile(context.Background(), Input{}); err == nil {
		t.Error("no HPA gives no error")
	}
}

func TestTrace(t *testing.T) {
	in := workload(autoscaler(1, 9, externalMetric("qps", averageTarget(1000)), utilization(corev1.ResourceCPU, 50)), 1000, 900, 900)
	want := []Metric{
		{
			Name: "external metric qps(&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{},})", Target: 1000,
			Problem: "unable to get external metric test/qps/&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{},}: no metrics returned from external metrics API",
		},
		{Name: "cpu resource utilization (percentage of request)", Current: 90, Target: 50, Ratio: 1.8, Proposal: 4},
	}
	out := reconcile(t, in)
	if diff := cmp.Diff(want, out.Metrics); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	if out.Deciding != 1 || out.Recommended != 4 || out.Reason != "ValidMetricFound" {
		t.Errorf("deciding %d, recommended %d, reason %s; want 1, 4, ValidMetricFound", out.Deciding, out.Recommended, out.Reason)
	}
}

func TestTolerancePerDirection(t *testing.T) {
	if !utilfeature.DefaultFeatureGate.Enabled(features.HPAConfigurableTolerance) || utilfeature.DefaultFeatureGate.Enabled(features.HPAScaleToZero) {
		t.Fatal("the feature gates are not those that the package documents")
	}
	hpa := autoscaler(1, 9, utilization(corev1.ResourceCPU, 50))
	if got := tolerancesOf(hpa).String(); got != "[down:10.0%, up:10.0%]" {
		t.Errorf("without behavior %s", got)
	}
	up, down := rules(0), rules(0)
	up.Policies, down.Policies = nil, nil
	up.Tolerance, down.Tolerance = resource.NewMilliQuantity(500, resource.DecimalSI), resource.NewMilliQuantity(0, resource.DecimalSI)
	if got := tolerancesOf(withBehavior(hpa, up, down)).String(); got != "[down:0.0%, up:50.0%]" {
		t.Errorf("with behavior %s", got)
	}
	if out := reconcile(t, workload(hpa, 1000, 700, 700)); out.Desired != 2 {
		t.Errorf("at 140 %% of the target with a tolerance of 50 %%: %d, want 2", out.Desired)
	}
	if err := checkTolerances(); err != nil {
		t.Error(err)
	}
}

func TestAmbiguous(t *testing.T) {
	pods := workload(autoscaler(1, 2), 1, 1).Pods
	other := labels.SelectorFromSet(labels.Set{"app": "db"})
	if Ambiguous(selector, pods, []labels.Selector{other}) || Ambiguous(selector, nil, []labels.Selector{selector}) || Ambiguous(other, pods, []labels.Selector{selector}) {
		t.Error("ambiguous without a common pod")
	}
	if !Ambiguous(selector, pods, []labels.Selector{other, selector}) {
		t.Error("a common pod is not ambiguous")
	}
}

func spec(replicas int32) func(in *Input) { return func(in *Input) { in.SpecReplicas = replicas } }

// unready makes pods that were never ready.
func unready(indices ...int) func(in *Input) {
	return func(in *Input) {
		for _, i := range indices {
			in.Pods[i].Status.Conditions[0].Status = corev1.ConditionFalse
			usage := in.Usage[in.Pods[i].Name]
			usage.NeverReady = true
			in.Usage[in.Pods[i].Name] = usage
		}
	}
}

// warming makes Ready pods whose sample began before they were.
func warming(indices ...int) func(in *Input) {
	return func(in *Input) {
		for _, i := range indices {
			usage := in.Usage[in.Pods[i].Name]
			usage.Warming, usage.StaleSample = true, true
			in.Usage[in.Pods[i].Name] = usage
		}
	}
}

func terminating(indices ...int) func(in *Input) {
	return func(in *Input) {
		for _, i := range indices {
			in.Pods[i].DeletionTimestamp = &metav1.Time{Time: longAgo}
		}
		in.SpecReplicas -= int32(len(indices))
	}
}

func missing(indices ...int) func(in *Input) {
	return func(in *Input) {
		for _, i := range indices {
			delete(in.Usage, in.Pods[i].Name)
		}
	}
}

func qps(milli int64) func(in *Input) {
	return func(in *Input) {
		in.External = map[string]resource.Quantity{"qps": *resource.NewMilliQuantity(milli, resource.DecimalSI)}
	}
}

func perPod(hpa *autoscalingv2.HorizontalPodAutoscaler, levels ...int64) Input {
	in := workload(hpa, 1000, make([]int64, len(levels))...)
	in.PodMetric = map[string]map[string]int64{"qps": {}}
	for i, pod := range in.Pods {
		in.PodMetric["qps"][pod.Name] = levels[i]
	}
	return in
}

func external(hpa *autoscalingv2.HorizontalPodAutoscaler, specReplicas, statusReplicas int32, milli int64) Input {
	in := Input{HPA: hpa, SpecReplicas: specReplicas, StatusReplicas: statusReplicas, Selector: selector, State: State{Known: true}}
	qps(milli)(&in)
	return in
}

func disabled() *autoscalingv2.HPAScalingRules {
	policy := autoscalingv2.DisabledPolicySelect
	return &autoscalingv2.HPAScalingRules{SelectPolicy: &policy}
}
