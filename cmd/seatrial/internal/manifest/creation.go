package manifest

import (
	"context"
	"slices"

	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	podutil "k8s.io/kubernetes/pkg/api/pod"
	"k8s.io/kubernetes/pkg/apis/apps"
	appsvalidation "k8s.io/kubernetes/pkg/apis/apps/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/core/helper/qos"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/features"
)

// creation is the part of an API strategy that decides whether an object may
// be created. Most kinds have the real strategy. The packages of some link the
// API server's storage, and with it an etcd client; what creation does for
// these is written here around the same validation, and held to the real
// strategies by a test.
type creation interface {
	PrepareForCreate(ctx context.Context, obj runtime.Object)
	Validate(ctx context.Context, obj runtime.Object) field.ErrorList
}

// validateOnly is a creation that changes nothing before it validates: for
// kinds whose strategy needs a running API server around it.
type validateOnly func(obj runtime.Object) field.ErrorList

func (validateOnly) PrepareForCreate(context.Context, runtime.Object) {}

func (v validateOnly) Validate(_ context.Context, obj runtime.Object) field.ErrorList { return v(obj) }

// replicaSetCreation mirrors pkg/registry/apps/replicaset.
type replicaSetCreation struct{}

func (replicaSetCreation) PrepareForCreate(_ context.Context, obj runtime.Object) {
	set := obj.(*apps.ReplicaSet)
	set.Status = apps.ReplicaSetStatus{}
	set.Generation = 1
	podutil.DropDisabledTemplateFields(&set.Spec.Template, nil)
}

func (replicaSetCreation) Validate(_ context.Context, obj runtime.Object) field.ErrorList {
	set := obj.(*apps.ReplicaSet)
	return appsvalidation.ValidateReplicaSet(set, podutil.GetValidationOptionsFromPodTemplate(&set.Spec.Template, nil))
}

// serviceCreation mirrors normalizeClusterIPs in pkg/registry/core/service/storage:
// a Service that gives its address the old way gets it in the list too.
type serviceCreation struct{}

func (serviceCreation) PrepareForCreate(_ context.Context, obj runtime.Object) {
	service := obj.(*core.Service)
	if service.Spec.ClusterIP != "" && len(service.Spec.ClusterIPs) == 0 {
		service.Spec.ClusterIPs = []string{service.Spec.ClusterIP}
	}
}

func (serviceCreation) Validate(_ context.Context, obj runtime.Object) field.ErrorList {
	return corevalidation.ValidateServiceCreate(obj.(*core.Service))
}

// namespaceCreation mirrors pkg/registry/core/namespace.
type namespaceCreation struct{}

func (namespaceCreation) PrepareForCreate(_ context.Context, obj runtime.Object) {
	namespace := obj.(*core.Namespace)
	namespace.Status = core.NamespaceStatus{Phase: core.NamespaceActive}
	if !slices.Contains(namespace.Spec.Finalizers, core.FinalizerKubernetes) {
		namespace.Spec.Finalizers = append(namespace.Spec.Finalizers, core.FinalizerKubernetes)
	}
}

func (namespaceCreation) Validate(_ context.Context, obj runtime.Object) field.ErrorList {
	return corevalidation.ValidateNamespace(obj.(*core.Namespace))
}

// podCreation mirrors pkg/registry/core/pod, without its warnings. A condition
// that it adds has no time: a check has no clock.
type podCreation struct{}

func (podCreation) PrepareForCreate(_ context.Context, obj runtime.Object) {
	pod := obj.(*core.Pod)
	pod.Generation = 1
	pod.Status = core.PodStatus{Phase: core.PodPending, QOSClass: qos.GetPodQOS(pod)}
	podutil.DropDisabledPodFields(pod, nil)
	if len(pod.Spec.SchedulingGates) > 0 {
		pod.Status.Conditions = []core.PodCondition{{
			Type: core.PodScheduled, Status: core.ConditionFalse, Reason: "SchedulingGated",
			Message: "Scheduling is blocked due to non-empty scheduling gates",
		}}
	}
	mergeAffinityKeys(pod)
	mergeSpreadKeys(pod)
	applyAppArmorAnnotations(pod)
}

func (podCreation) Validate(_ context.Context, obj runtime.Object) field.ErrorList {
	pod := obj.(*core.Pod)
	options := podutil.GetValidationOptionsFromPodSpecAndMeta(&pod.Spec, nil, &pod.ObjectMeta, nil)
	options.ResourceIsPod = true
	return corevalidation.ValidatePodCreate(pod, options)
}

// mergeAffinityKeys narrows the selectors of the pod's affinity terms by the
// values that the pod has for their matchLabelKeys and mismatchLabelKeys.
func mergeAffinityKeys(pod *core.Pod) {
	if !utilfeature.DefaultFeatureGate.Enabled(features.MatchLabelKeysInPodAffinity) || pod.Spec.Affinity == nil {
		return
	}
	merge := func(term *core.PodAffinityTerm) {
		mergeKeys(term.LabelSelector, term.MatchLabelKeys, metav1.LabelSelectorOpIn, pod.Labels)
		mergeKeys(term.LabelSelector, term.MismatchLabelKeys, metav1.LabelSelectorOpNotIn, pod.Labels)
	}
	all := func(required []core.PodAffinityTerm, preferred []core.WeightedPodAffinityTerm) {
		for i := range required {
			merge(&required[i])
		}
		for i := range preferred {
			merge(&preferred[i].PodAffinityTerm)
		}
	}
	if near := pod.Spec.Affinity.PodAffinity; near != nil {
		all(near.RequiredDuringSchedulingIgnoredDuringExecution, near.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	if apart := pod.Spec.Affinity.PodAntiAffinity; apart != nil {
		all(apart.RequiredDuringSchedulingIgnoredDuringExecution, apart.PreferredDuringSchedulingIgnoredDuringExecution)
	}
}

// mergeSpreadKeys does the same to topology spread constraints, where the
// feature gates say that the API server does it and not the scheduler.
func mergeSpreadKeys(pod *core.Pod) {
	if !utilfeature.DefaultFeatureGate.Enabled(features.MatchLabelKeysInPodTopologySpread) ||
		!utilfeature.DefaultFeatureGate.Enabled(features.MatchLabelKeysInPodTopologySpreadSelectorMerge) {
		return
	}
	for _, constraint := range pod.Spec.TopologySpreadConstraints {
		mergeKeys(constraint.LabelSelector, constraint.MatchLabelKeys, metav1.LabelSelectorOpIn, pod.Labels)
	}
}

// mergeKeys adds one requirement for each key that labels has. A selector that
// is nil matches nothing and stays so.
func mergeKeys(selector *metav1.LabelSelector, keys []string, operator metav1.LabelSelectorOperator, labels map[string]string) {
	if selector == nil {
		return
	}
	for _, key := range keys {
		if value, has := labels[key]; has {
			selector.MatchExpressions = append(selector.MatchExpressions,
				metav1.LabelSelectorRequirement{Key: key, Operator: operator, Values: []string{value}})
		}
	}
}

// applyAppArmorAnnotations gives containers the profile of their deprecated
// annotation where they have none of their own and it is valid and not the
// pod's. Validation compares the two.
func applyAppArmorAnnotations(pod *core.Pod) {
	if pod.Spec.OS != nil && pod.Spec.OS.Name == core.Windows {
		return
	}
	var ofPod *core.AppArmorProfile
	if pod.Spec.SecurityContext != nil {
		ofPod = pod.Spec.SecurityContext.AppArmorProfile
	}
	for container := range podutil.ContainerIter(&pod.Spec, podutil.AllFeatureEnabledContainers()) {
		annotation, has := pod.Annotations[core.DeprecatedAppArmorAnnotationKeyPrefix+container.Name]
		if !has || container.SecurityContext != nil && container.SecurityContext.AppArmorProfile != nil {
			continue
		}
		profile := podutil.ApparmorFieldForAnnotation(annotation)
		if profile == nil || apiequality.Semantic.DeepEqual(profile, ofPod) ||
			len(corevalidation.ValidateAppArmorProfileField(profile, &field.Path{})) > 0 {
			continue
		}
		if container.SecurityContext == nil {
			container.SecurityContext = &core.SecurityContext{}
		}
		container.SecurityContext.AppArmorProfile = profile
	}
}
