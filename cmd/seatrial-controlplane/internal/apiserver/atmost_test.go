package apiserver

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	"k8s.io/kubernetes/pkg/apis/apps"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	"k8s.io/kubernetes/pkg/apis/core"
)

// TestAtMost: what is longer than it may be is shortened, and what is shorter, or not
// given, stays.
func TestAtMost(t *testing.T) {
	long, short, window := int64(600), int64(0), int32(300)
	pod := &core.Pod{Spec: core.PodSpec{Tolerations: []core.Toleration{{TolerationSeconds: &long}, {TolerationSeconds: &short}, {}}}}
	hpa := &autoscaling.HorizontalPodAutoscaler{Spec: autoscaling.HorizontalPodAutoscalerSpec{Behavior: &autoscaling.HorizontalPodAutoscalerBehavior{
		ScaleDown: &autoscaling.HPAScalingRules{StabilizationWindowSeconds: &window, Policies: []autoscaling.HPAScalingPolicy{{PeriodSeconds: 60}, {PeriodSeconds: 1}}},
	}}}
	deployment := &apps.Deployment{Spec: apps.DeploymentSpec{MinReadySeconds: 60}}
	a := &atMost{seconds: map[string]int64{"tolerationSeconds": 1, "stabilizationWindowSeconds": 0, "periodSeconds": 2, "minReadySeconds": 5}}
	for _, object := range []runtime.Object{pod, hpa, deployment} {
		request := admission.NewAttributesRecord(object, nil, core.SchemeGroupVersion.WithKind("Any"), "", "", core.SchemeGroupVersion.WithResource("any"), "", admission.Create, nil, false, nil)
		if err := a.Admit(t.Context(), request, nil); err != nil {
			t.Fatal(err)
		}
	}
	if long != 1 || short != 0 || pod.Spec.Tolerations[2].TolerationSeconds != nil {
		t.Errorf("tolerations %+v", pod.Spec.Tolerations)
	}
	if rules := hpa.Spec.Behavior.ScaleDown; window != 0 || rules.Policies[0].PeriodSeconds != 2 || rules.Policies[1].PeriodSeconds != 1 {
		t.Errorf("window %d, policies %+v", window, rules.Policies)
	}
	if deployment.Spec.MinReadySeconds != 5 {
		t.Errorf("minReadySeconds %d", deployment.Spec.MinReadySeconds)
	}
}

// TestAtMostRefused: fields that are not known, and seconds that cannot be.
func TestAtMostRefused(t *testing.T) {
	for _, wrong := range []map[string]int64{{"seconds": 1}, {"minReadySeconds": -1}, {"periodSeconds": 0}} {
		if err := addAtMost(options.NewServerRunOptions(), wrong); err == nil {
			t.Errorf("%v is accepted", wrong)
		}
	}
	s := options.NewServerRunOptions()
	before := len(s.Admission.GenericAdmission.RecommendedPluginOrder)
	if err := addAtMost(s, map[string]int64{"minReadySeconds": 1}); err != nil {
		t.Error(err)
	}
	if after := options.NewServerRunOptions().Admission.GenericAdmission.RecommendedPluginOrder; len(after) != before {
		t.Errorf("another server has %d plugins, of %d", len(after), before)
	}
}
