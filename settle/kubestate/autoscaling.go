package kubestate

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var autoscalingKinds = []builtin{{
	kind: autoscalingv2.SchemeGroupVersion.WithKind("HorizontalPodAutoscaler"), plural: "horizontalpodautoscalers",
	defaults: each(defaultAutoscaler), validate: check(validateAutoscaler),
}}

func defaultAutoscaler(a *autoscalingv2.HorizontalPodAutoscaler) {
	fillPointer(&a.Spec.MinReplicas, 1)
	if len(a.Spec.Metrics) == 0 {
		utilization := int32(80)
		a.Spec.Metrics = []autoscalingv2.MetricSpec{{
			Type: autoscalingv2.ResourceMetricSourceType,
			Resource: &autoscalingv2.ResourceMetricSource{
				Name:   corev1.ResourceCPU,
				Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &utilization},
			},
		}}
	}
	if b := a.Spec.Behavior; b != nil {
		whole := autoscalingv2.HPAScalingPolicy{Type: autoscalingv2.PercentScalingPolicy, Value: 100, PeriodSeconds: 15}
		defaultScaling(&b.ScaleUp, autoscalingv2.HPAScalingPolicy{Type: autoscalingv2.PodsScalingPolicy, Value: 4, PeriodSeconds: 15}, whole)
		fillPointer(&b.ScaleUp.StabilizationWindowSeconds, 0)
		defaultScaling(&b.ScaleDown, whole)
	}
}

func defaultScaling(r **autoscalingv2.HPAScalingRules, policies ...autoscalingv2.HPAScalingPolicy) {
	fillPointer(r, autoscalingv2.HPAScalingRules{})
	fillPointer(&(*r).SelectPolicy, autoscalingv2.MaxChangePolicySelect)
	if (*r).Policies == nil {
		(*r).Policies = policies
	}
}

func validateAutoscaler(a *autoscalingv2.HorizontalPodAutoscaler) field.ErrorList {
	at, s := field.NewPath("spec"), &a.Spec
	var all field.ErrorList
	if *s.MinReplicas < 1 {
		all = append(all, field.Invalid(at.Child("minReplicas"), *s.MinReplicas, "must be greater than or equal to 1"))
	}
	most := at.Child("maxReplicas")
	switch {
	case s.MaxReplicas == 0:
		all = append(all, field.Required(most, "must be set and greater than 0"))
	case s.MaxReplicas < 0:
		all = append(all, field.Invalid(most, s.MaxReplicas, "must be greater than or equal to 1"))
	}
	if s.MaxReplicas < *s.MinReplicas {
		all = append(all, field.Invalid(most, s.MaxReplicas, "must be greater than or equal to `minReplicas`"))
	}
	of := at.Child("scaleTargetRef")
	if s.ScaleTargetRef.Kind == "" {
		all = append(all, field.Required(of.Child("kind"), ""))
	}
	if s.ScaleTargetRef.Name == "" {
		all = append(all, field.Required(of.Child("name"), ""))
	}
	if gv, err := schema.ParseGroupVersion(s.ScaleTargetRef.APIVersion); err != nil {
		all = append(all, field.Invalid(of.Child("apiVersion"), s.ScaleTargetRef.APIVersion, err.Error()))
	} else if gv.Group == "" && s.ScaleTargetRef.Kind != "ReplicationController" {
		all = append(all, field.Invalid(of.Child("apiVersion"), s.ScaleTargetRef.APIVersion, "apiVersion must specify API group"))
	}
	for i, m := range s.Metrics {
		if m.Type == "" {
			all = append(all, field.Required(at.Child("metrics").Index(i).Child("type"), "must specify a metric source type"))
		}
	}
	return all
}
