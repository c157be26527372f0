package hpa

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// loadOn is work on the container main of a pod that requests 100m.
func loadOn(limitMilli, sideMilli int64) Load {
	pod := runningPod("any", 100, sideMilli)
	if limitMilli > 0 {
		pod.Spec.Containers[0].Resources.Limits = cpu(limitMilli)
	}
	return Load{Pod: pod, Resource: corev1.ResourceCPU}
}

func loadSteps(t *testing.T, hpa *autoscalingv2.HorizontalPodAutoscaler, load Load) []int64 {
	t.Helper()
	steps, err := LoadSteps(context.Background(), hpa, load)
	if err != nil {
		t.Fatal(err)
	}
	return steps
}

func TestPerPod(t *testing.T) {
	for _, c := range []struct {
		total       int64
		ready       int32
		limit, want int64
	}{
		{1000, 3, 0, 333}, {1000, 3, 300, 300}, {0, 3, 0, 0}, {1000, 0, 0, 0}, {2, 3, 0, 0},
	} {
		if got := loadOn(c.limit, 0).PerPod(c.total, c.ready); got != c.want {
			t.Errorf("%d over %d with limit %d: %d, want %d", c.total, c.ready, c.limit, got, c.want)
		}
	}
}

// The values follow from utilisation = floor(100·use/100m), the dead band 0.1
// and the target 50: one pod keeps its number up to 55 % and asks for two from
// 56 %; two pods ask for one up to 25 %, for two from 26 %, for three
// (the maximum) from 56 %; three for one, two, three from 0, 17 and 34 %.
func TestLoadSteps(t *testing.T) {
	hpa := autoscaler(1, 3, utilization(corev1.ResourceCPU, 50))
	around := func(totals ...int64) []int64 {
		var all []int64
		for _, total := range totals {
			all = append(all, total-1, total, total+1)
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	for _, c := range []struct {
		name string
		hpa  *autoscalingv2.HorizontalPodAutoscaler
		load Load
		want []int64
	}{
		{"no limit", hpa, loadOn(0, 0), around(56, 101, 2*26, 2*56, 3*17, 3*34)},
		{"a limit below the dead band's end", hpa, loadOn(50, 0), around(2*26, 3*17, 3*34)},
		{"an idle container dilutes", hpa, loadOn(0, 100), around(2*56, 2*101, 2*2*26, 2*2*56, 2*3*17, 2*3*34)},
		{"the worker's own metric", autoscaler(1, 3, containerUtilization(corev1.ResourceCPU, "main", 50)), loadOn(0, 100), around(56, 101, 2*26, 2*56, 3*17, 3*34)},
		{"the idle container's metric", autoscaler(1, 3, containerUtilization(corev1.ResourceCPU, "side", 50)), loadOn(0, 100), nil},
		{"another resource's metric", autoscaler(1, 3, utilization(corev1.ResourceMemory, 50)), loadOn(0, 0), nil},
		{"no request", hpa, Load{Pod: &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main"}}}}, Resource: corev1.ResourceCPU}, nil},
		{"an average value", autoscaler(1, 2, averageResource(corev1.ResourceCPU, 50)), loadOn(0, 0), around(56, 2*26)},
		{"fixed size", autoscaler(2, 2, utilization(corev1.ResourceCPU, 50)), loadOn(0, 0), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, loadSteps(t, c.hpa, c.load)); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLoadStepsMissNothing asks for every total one by one.
func TestLoadStepsMissNothing(t *testing.T) {
	for _, hpa := range []*autoscalingv2.HorizontalPodAutoscaler{
		autoscaler(1, 5, utilization(corev1.ResourceCPU, 60)),
		autoscaler(2, 6, utilization(corev1.ResourceCPU, 130), averageResource(corev1.ResourceCPU, 70)),
		withBehavior(autoscaler(1, 4, utilization(corev1.ResourceCPU, 35)), &autoscalingv2.HPAScalingRules{Tolerance: resource.NewMilliQuantity(300, resource.DecimalSI)}, &autoscalingv2.HPAScalingRules{Tolerance: resource.NewMilliQuantity(0, resource.DecimalSI)}),
	} {
		load := loadOn(190, 30)
		steps := loadSteps(t, hpa, load)
		b := boundsOf(hpa)
		var want []int64
		for replicas := b.min; replicas <= b.max; replicas++ {
			l := newLoaded(hpa, b, load, replicas)
			last := l.desired(context.Background(), 0)
			for total := int64(1); total <= 1200; total++ {
				if desired := l.desired(context.Background(), load.PerPod(total, replicas)); desired != last {
					want, last = append(want, total-1, total, total+1), desired
				}
			}
		}
		slices.Sort(want)
		if diff := cmp.Diff(slices.Compact(want), steps); diff != "" {
			t.Errorf("steps (-one by one +ours):\n%s", diff)
		}
	}
}

func TestLoadStepsOfMemory(t *testing.T) {
	hpa := autoscaler(1, 2, utilization(corev1.ResourceMemory, 50))
	pod := runningPod("any", 100, 0)
	pod.Spec.Containers[0].Resources.Requests[corev1.ResourceMemory] = resource.MustParse("1Gi")
	// Milli bytes: 56 % of 1 Gi, rounded up, for one pod; 26 % twice for two.
	gib := int64(1<<30) * 1000
	one, two := (gib*56+99)/100, (gib*26+99)/100*2
	want := []int64{two - 1, two, two + 1, one - 1, one, one + 1}
	if diff := cmp.Diff(want, loadSteps(t, hpa, Load{Pod: pod, Resource: corev1.ResourceMemory})); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

func TestLoadOfPodWithSidecar(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	load := loadOn(900, 0)
	load.Pod.Spec.InitContainers = []corev1.Container{{Name: "once"}, {Name: "proxy", RestartPolicy: &always}}
	load.Pod.Spec.Resources = &corev1.ResourceRequirements{Limits: cpu(400)}
	want := Usage{Containers: map[string]corev1.ResourceList{"main": cpu(400), "proxy": cpu(0)}}
	if diff := cmp.Diff(want, load.Usage(5000, 2)); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
}

func TestLoadStepsErrors(t *testing.T) {
	hpa := autoscaler(1, 3, utilization(corev1.ResourceCPU, 50))
	if _, err := LoadSteps(context.Background(), nil, loadOn(0, 0)); err == nil {
		t.Error("no HPA gives no error")
	}
	if _, err := LoadSteps(context.Background(), hpa, Load{}); err == nil {
		t.Error("no pod gives no error")
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := LoadSteps(cancelled, hpa, loadOn(0, 0)); err == nil {
		t.Error("a cancelled context gives no error")
	}
}

func BenchmarkLoadSteps(b *testing.B) {
	for _, maximum := range []int32{20, 50} {
		b.Run(fmt.Sprintf("%d replicas", maximum), func(b *testing.B) {
			hpa := autoscaler(1, maximum, utilization(corev1.ResourceCPU, 50))
			for b.Loop() {
				if _, err := LoadSteps(context.Background(), hpa, loadOn(0, 0)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
