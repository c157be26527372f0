// Package kubelet is the admission of pods by the Kubernetes 1.36 kubelet as a
// function on API objects. The checks themselves are the real ones
// (pkg/scheduler AdmissionCheck, the taint helpers); the order around them and
// the wording of refusals are written here, because the real handler asks for
// the operating system that it was compiled for, and its package links the
// kubelet's runtime client. They are held to that handler by the tests in
// ../conformance.
package kubelet

import (
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	scheduling "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"
	v1helper "k8s.io/kubernetes/pkg/apis/core/v1/helper"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"
	schedutil "k8s.io/kubernetes/pkg/scheduler/util"
)

const linux = "linux"

// The reasons of a refusal that are not the name of a scheduler plugin
// (pkg/kubelet/lifecycle/predicate.go). A lack of a resource is OutOf and the
// resource's name.
const (
	selectorMismatch    = "PodOSSelectorNodeLabelDoesNotMatch"
	systemNotSupported  = "PodOSNotSupported"
	groupsNotSupported  = "SupplementalGroupsPolicyNotSupported"
	insufficientPrefix  = "OutOf"
	configSource        = "kubernetes.io/config.source" // pkg/kubelet/types/pod_update.go
	configFromAPIServer = "api"
)

// Admit decides whether the kubelet of node runs pod, beside others: all pods on
// the node that are neither Failed nor Succeeded, terminating ones included. If
// not, the pod becomes Failed with that reason and message, and is not retried.
//
// It mirrors predicateAdmitHandler.Admit (pkg/kubelet/lifecycle/predicate.go):
// the operating system, then resources, node affinity and selector, node name,
// host ports, and NoExecute taints, of which the first failure is the reason.
// Extended resources that the node does not have are passed over. The node's
// operating system is its kubernetes.io/os label, Linux without one.
//
// The preemption by which the kubelet makes room for pods of system priority is
// left out: such a pod is rejected like any other. Inputs are not changed.
func Admit(pod *corev1.Pod, node *corev1.Node, others []*corev1.Pod) (ok bool, reason, message string) {
	system, labelled := node.Labels[corev1.LabelOSStable]
	if !labelled {
		// A kubelet labels its node so.
		system = linux
		labels := maps.Clone(node.Labels)
		if labels == nil {
			labels = make(map[string]string, 1)
		}
		labels[corev1.LabelOSStable] = system
		copied := *node
		copied.Labels = labels
		node = &copied
	}
	if wanted, ok := pod.Labels[corev1.LabelOSStable]; ok && wanted != system {
		return false, selectorMismatch,
			"Failed to admit pod as the `kubernetes.io/os` label doesn't match node label"
	}
	if pod.Spec.OS != nil && string(pod.Spec.OS.Name) != system {
		return false, systemNotSupported, "Failed to admit pod as the OS field doesn't match node OS"
	}
	if strictGroups(pod) && !supportsStrictGroups(node) {
		return false, groupsNotSupported,
			"SupplementalGroupsPolicy=Strict is not supported in this node"
	}
	info := framework.NewNodeInfo(others...)
	info.SetNode(node)
	return general(withoutMissing(pod, info), info)
}

// general mirrors generalFilter and the naming of its first failure.
func general(pod *corev1.Pod, info *framework.NodeInfo) (ok bool, reason, message string) {
	if failures := scheduler.AdmissionCheck(pod, info, false); len(failures) > 0 {
		failure := failures[0]
		if lack := failure.InsufficientResource; lack != nil {
			return false, insufficientPrefix + string(lack.ResourceName), fmt.Sprintf(
				"Node didn't have enough resource: %s, requested: %d, used: %d, capacity: %d",
				lack.ResourceName, lack.Requested, lack.Used, lack.Capacity)
		}
		return false, failure.Name, predicateFailed(failure.Name, failure.Reason)
	}
	if static(pod) {
		return true, "", ""
	}
	noExecute := func(taint *corev1.Taint) bool { return taint.Effect == corev1.TaintEffectNoExecute }
	_, untolerated := scheduling.FindMatchingUntoleratedTaint(klog.Background(), info.Node().Spec.Taints, pod.Spec.Tolerations,
		noExecute, utilfeature.DefaultFeatureGate.Enabled(features.TaintTolerationComparisonOperators))
	if untolerated {
		return false, tainttoleration.Name, predicateFailed(tainttoleration.Name, tainttoleration.ErrReasonNotMatch)
	}
	return true, "", ""
}

func predicateFailed(name, why string) string {
	return fmt.Sprintf("Predicate %s failed: %s", name, why)
}

// static reports whether the kubelet has the pod from elsewhere than the API
// server: such a pod runs in spite of taints.
func static(pod *corev1.Pod) bool {
	source, known := pod.Annotations[configSource]
	return known && source != configFromAPIServer
}

func strictGroups(pod *corev1.Pod) bool {
	security := pod.Spec.SecurityContext
	return security != nil && security.SupplementalGroupsPolicy != nil &&
		*security.SupplementalGroupsPolicy == corev1.SupplementalGroupsPolicyStrict
}

func supportsStrictGroups(node *corev1.Node) bool {
	declared := node.Status.Features
	return declared != nil && declared.SupplementalGroupsPolicy != nil && *declared.SupplementalGroupsPolicy
}

// withoutMissing mirrors removeMissingExtendedResources: requests of extended
// resources that the node does not have, or that a resource claim serves, are
// taken out of a copy of pod.
func withoutMissing(pod *corev1.Pod, info *framework.NodeInfo) *corev1.Pod {
	if !requestsMissing(pod, pod.Spec.Containers, info) && !requestsMissing(pod, pod.Spec.InitContainers, info) {
		return pod
	}
	stripped := pod.DeepCopy()
	for _, containers := range [][]corev1.Container{stripped.Spec.Containers, stripped.Spec.InitContainers} {
		for i := range containers {
			requests := containers[i].Resources.Requests
			maps.DeleteFunc(requests, func(name corev1.ResourceName, _ resource.Quantity) bool {
				return missing(pod, containers[i].Name, name, info)
			})
		}
	}
	return stripped
}

func requestsMissing(pod *corev1.Pod, containers []corev1.Container, info *framework.NodeInfo) bool {
	for i := range containers {
		for name := range containers[i].Resources.Requests {
			if missing(pod, containers[i].Name, name, info) {
				return true
			}
		}
	}
	return false
}

func missing(pod *corev1.Pod, container string, name corev1.ResourceName, info *framework.NodeInfo) bool {
	if schedutil.IsDRAExtendedResourceName(name) && claimed(pod, container, name) {
		return true
	}
	if !v1helper.IsExtendedResourceName(name) {
		return false
	}
	_, found := info.Allocatable.ScalarResources[name]
	return !found
}

// claimed reports whether a resource claim serves the container's request.
func claimed(pod *corev1.Pod, container string, name corev1.ResourceName) bool {
	if !utilfeature.DefaultFeatureGate.Enabled(features.DRAExtendedResource) || pod.Status.ExtendedResourceClaimStatus == nil {
		return false
	}
	for _, mapping := range pod.Status.ExtendedResourceClaimStatus.RequestMappings {
		if mapping.ResourceName == string(name) && mapping.ContainerName == container {
			return true
		}
	}
	return false
}
