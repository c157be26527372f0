package deployment

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"
	"k8s.io/kubernetes/pkg/features"
)

// Status returns the status that a reconcile of d reports for its ReplicaSets.
// It mirrors calculateStatus (pkg/controller/deployment/sync.go). No clock is
// read: an Available condition that changes carries zero times, every other
// condition stays as it is. d and its ReplicaSets must be defaulted; if they are
// not, the status of d is returned unchanged.
func Status(d *appsv1.Deployment, sets []*appsv1.ReplicaSet) appsv1.DeploymentStatus {
	if validate(d, sets) != nil {
		return *d.Status.DeepCopy()
	}
	s := split(d, sets)
	all := s.all()
	available := deploymentutil.GetAvailableReplicaCountForReplicaSets(all)
	status := appsv1.DeploymentStatus{
		ObservedGeneration:  d.Generation,
		Replicas:            deploymentutil.GetActualReplicaCountForReplicaSets(all),
		UpdatedReplicas:     deploymentutil.GetActualReplicaCountForReplicaSets([]*appsv1.ReplicaSet{s.fresh}),
		ReadyReplicas:       deploymentutil.GetReadyReplicaCountForReplicaSets(all),
		AvailableReplicas:   available,
		UnavailableReplicas: max(deploymentutil.GetReplicaCountForReplicaSets(all)-available, 0),
		CollisionCount:      d.Status.CollisionCount,
		Conditions:          append([]appsv1.DeploymentCondition(nil), d.Status.Conditions...),
	}
	if utilfeature.DefaultFeatureGate.Enabled(features.DeploymentReplicaSetTerminatingReplicas) {
		status.TerminatingReplicas = deploymentutil.GetTerminatingReplicaCountForReplicaSets(all)
	}
	condition := appsv1.DeploymentCondition{
		Type:    appsv1.DeploymentAvailable,
		Status:  corev1.ConditionFalse,
		Reason:  deploymentutil.MinimumReplicasUnavailable,
		Message: "Deployment does not have minimum availability.",
	}
	if available >= s.replicas()-deploymentutil.MaxUnavailable(*d) {
		condition.Status = corev1.ConditionTrue
		condition.Reason = deploymentutil.MinimumReplicasAvailable
		condition.Message = "Deployment has minimum availability."
	}
	deploymentutil.SetDeploymentCondition(&status, condition)
	return status
}

// Complete reports whether the rollout of d is complete by the status of its
// ReplicaSets: all replicas updated and available, no old ones left. It is the
// real DeploymentComplete on [Status].
func Complete(d *appsv1.Deployment, sets []*appsv1.ReplicaSet) bool {
	if validate(d, sets) != nil {
		return false
	}
	status := Status(d, sets)
	return deploymentutil.DeploymentComplete(d, &status)
}
