package apiserver

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	"k8s.io/kubernetes/pkg/apis/apps"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	"k8s.io/kubernetes/pkg/apis/core"
)

// atMost is an admission plugin by which waiting times that manifests ask for are
// shortened where objects enter the API server: whoever waits for them sees the shorter
// ones, and the manifests stay as they are.
type atMost struct {
	*admission.Handler
	seconds map[string]int64
}

const atMostName = "SeatrialAtMost"

// durations shorten one field, by its name, wherever an object has it.
var durations = map[string]func(object runtime.Object, most int64){
	"tolerationSeconds": func(object runtime.Object, most int64) {
		if pod, ok := object.(*core.Pod); ok {
			for i := range pod.Spec.Tolerations {
				shorten(pod.Spec.Tolerations[i].TolerationSeconds, most)
			}
		}
	},
	"stabilizationWindowSeconds": func(object runtime.Object, most int64) {
		for _, rules := range scalingRules(object) {
			shorten(rules.StabilizationWindowSeconds, most)
		}
	},
	"periodSeconds": func(object runtime.Object, most int64) {
		for _, rules := range scalingRules(object) {
			for i := range rules.Policies {
				shorten(&rules.Policies[i].PeriodSeconds, most)
			}
		}
	},
	"minReadySeconds": func(object runtime.Object, most int64) {
		switch o := object.(type) {
		case *apps.Deployment:
			shorten(&o.Spec.MinReadySeconds, most)
		case *apps.ReplicaSet:
			shorten(&o.Spec.MinReadySeconds, most)
		case *apps.StatefulSet:
			shorten(&o.Spec.MinReadySeconds, most)
		case *apps.DaemonSet:
			shorten(&o.Spec.MinReadySeconds, most)
		}
	},
}

// scalingRules are those of an autoscaler.
func scalingRules(object runtime.Object) []*autoscaling.HPAScalingRules {
	hpa, ok := object.(*autoscaling.HorizontalPodAutoscaler)
	if !ok || hpa.Spec.Behavior == nil {
		return nil
	}
	all := []*autoscaling.HPAScalingRules{hpa.Spec.Behavior.ScaleUp, hpa.Spec.Behavior.ScaleDown}
	return slices.DeleteFunc(all, func(r *autoscaling.HPAScalingRules) bool { return r == nil })
}

// shorten bounds what is given.
func shorten[N int32 | int64](seconds *N, most int64) {
	if seconds != nil && int64(*seconds) > most {
		*seconds = N(most)
	}
}

// Admit shortens what an object has.
func (a *atMost) Admit(_ context.Context, request admission.Attributes, _ admission.ObjectInterfaces) error {
	if request.GetSubresource() == "" {
		for field, most := range a.seconds {
			durations[field](request.GetObject(), most)
		}
	}
	return nil
}

// addAtMost adds the plugin to a server that is to shorten something.
func addAtMost(s *options.ServerRunOptions, seconds map[string]int64) error {
	if len(seconds) == 0 {
		return nil
	}
	for field, most := range seconds {
		if durations[field] == nil {
			return fmt.Errorf("%q cannot be shortened: there are %s", field, strings.Join(slices.Sorted(maps.Keys(durations)), ", "))
		}
		if most < 0 || most == 0 && field == "periodSeconds" {
			return fmt.Errorf("%s cannot be %d", field, most)
		}
	}
	generic := s.Admission.GenericAdmission
	generic.Plugins.Register(atMostName, func(io.Reader) (admission.Interface, error) {
		return &atMost{admission.NewHandler(admission.Create, admission.Update), seconds}, nil
	})
	generic.RecommendedPluginOrder = append(slices.Clone(generic.RecommendedPluginOrder), atMostName)
	return nil
}
