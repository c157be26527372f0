// Package replicaset is the arithmetic of the Kubernetes 1.36 ReplicaSet
// controller as pure functions on API objects: how many pods one reconcile
// creates or deletes, which ones, and what status it reports. The ranking of
// victims is the real one (pkg/controller ActivePodsWithRanks); the rest is held
// to the real controller by the tests in ../conformance.
package replicaset

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	"k8s.io/kubernetes/pkg/features"
)

// Delta returns how many pods one reconcile of rs creates (positive) or deletes
// (negative), at most 500 either way. pods are those that rs owns; Failed,
// Succeeded and terminating ones do not count. A ReplicaSet that is being
// deleted, or has no spec.replicas, changes nothing. It mirrors manageReplicas
// (pkg/controller/replicaset/replica_set.go).
func Delta(rs *appsv1.ReplicaSet, pods []*corev1.Pod) int {
	if rs.DeletionTimestamp != nil || rs.Spec.Replicas == nil {
		return 0
	}
	active := 0
	for _, pod := range pods {
		if controller.IsPodActive(pod) {
			active++
		}
	}
	delta := int(*rs.Spec.Replicas) - active
	return max(-replicaset.BurstReplicas, min(replicaset.BurstReplicas, delta))
}

// Status returns the status that a reconcile of rs reports for pods, those it
// owns, when its creations and deletions succeed. It mirrors calculateStatus
// (pkg/controller/replicaset/replica_set_utils.go).
//
// available decides whether a Ready pod has been so for spec.minReadySeconds; it
// is asked only if that is above 0, and nil means yes. No clock is read.
func Status(rs *appsv1.ReplicaSet, pods []*corev1.Pod, available func(*corev1.Pod) bool) appsv1.ReplicaSetStatus {
	status := appsv1.ReplicaSetStatus{ObservedGeneration: rs.Generation}
	for _, condition := range rs.Status.Conditions {
		if condition.Type != appsv1.ReplicaSetReplicaFailure {
			status.Conditions = append(status.Conditions, condition)
		}
	}
	template := labels.Set(rs.Spec.Template.Labels).AsSelectorPreValidated()
	terminating := int32(0)
	for _, pod := range pods {
		if controller.IsPodTerminating(pod) {
			terminating++
		}
		if !controller.IsPodActive(pod) {
			continue
		}
		status.Replicas++
		if template.Matches(labels.Set(pod.Labels)) {
			status.FullyLabeledReplicas++
		}
		if !podutil.IsPodReady(pod) {
			continue
		}
		status.ReadyReplicas++
		if rs.Spec.MinReadySeconds <= 0 || available == nil || available(pod) {
			status.AvailableReplicas++
		}
	}
	if utilfeature.DefaultFeatureGate.Enabled(features.DeploymentReplicaSetTerminatingReplicas) {
		status.TerminatingReplicas = &terminating
	}
	return status
}
