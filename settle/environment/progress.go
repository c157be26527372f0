package environment

import (
	"cmp"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// The reasons of a Deployment's conditions.
const (
	minimumAvailable   = "MinimumReplicasAvailable"
	minimumUnavailable = "MinimumReplicasUnavailable"
	setCreated         = "NewReplicaSetCreated"
	setUpdated         = "ReplicaSetUpdated"
	setAvailable       = "NewReplicaSetAvailable"
	paused             = "DeploymentPaused"
	resumed            = "DeploymentResumed"
)

// report updates the status of the Deployment, nil if it is what it should be. Progress is
// noted where pods are replaced.
func (r *rollout) report(progress bool) *Step {
	d, all := r.d.DeepCopy(), r.all()
	s := &d.Status
	s.ObservedGeneration = d.Generation
	s.Replicas, s.UpdatedReplicas, s.ReadyReplicas = 0, 0, 0
	for _, set := range all {
		s.Replicas += set.Status.Replicas
		s.ReadyReplicas += set.Status.ReadyReplicas
	}
	if r.fresh != nil {
		s.UpdatedReplicas = r.fresh.Status.Replicas
	}
	s.AvailableReplicas = available(all...)
	s.UnavailableReplicas = max(size(all...)-s.AvailableReplicas, 0)
	if s.AvailableReplicas >= r.wanted-r.missing {
		conclude(s, appsv1.DeploymentAvailable, corev1.ConditionTrue, minimumAvailable, "Deployment has minimum availability.")
	} else {
		conclude(s, appsv1.DeploymentAvailable, corev1.ConditionFalse, minimumUnavailable, "Deployment does not have minimum availability.")
	}
	if progress {
		r.progress(s)
	}
	if equality.Semantic.DeepEqual(r.d.Status, d.Status) {
		return nil
	}
	return &Step{Text: "update the status of " + Path(deployments, d), Request: Update(deployments, d, "status")}
}

// progress notes how far a rollout is. The messages name no ReplicaSet, as those of Kubernetes
// do: they would tell states apart by the last rollout but one.
func (r *rollout) progress(s *appsv1.DeploymentStatus) {
	was := r.d.Status
	is := conclusion(&was, appsv1.DeploymentProgressing)
	switch {
	case is != nil && is.Reason == setAvailable && s.Replicas == s.UpdatedReplicas: // it was over, and is
	case r.complete(s):
		conclude(s, appsv1.DeploymentProgressing, corev1.ConditionTrue, setAvailable, "The new ReplicaSet has successfully progressed.")
	case is == nil:
		conclude(s, appsv1.DeploymentProgressing, corev1.ConditionTrue, setCreated, "Created new replica set")
	case s.UpdatedReplicas > was.UpdatedReplicas, s.Replicas-s.UpdatedReplicas < was.Replicas-was.UpdatedReplicas,
		s.ReadyReplicas > was.ReadyReplicas, s.AvailableReplicas > was.AvailableReplicas:
		conclude(s, appsv1.DeploymentProgressing, corev1.ConditionTrue, setUpdated, "The new ReplicaSet is progressing.")
	}
}

// complete tells whether all pods are of the template, and available.
func (r *rollout) complete(s *appsv1.DeploymentStatus) bool {
	return s.UpdatedReplicas == r.wanted && s.Replicas == r.wanted && s.AvailableReplicas == r.wanted && s.ObservedGeneration >= r.d.Generation
}

// noticePause notes that a Deployment was paused, or goes on.
func (r *rollout) noticePause() *Step {
	is := conclusion(&r.d.Status, appsv1.DeploymentProgressing)
	noted := is != nil && is.Reason == paused
	if noted == r.d.Spec.Paused {
		return nil
	}
	reason, message := paused, "Deployment is paused"
	if noted {
		reason, message = resumed, "Deployment is resumed"
	}
	d := r.d.DeepCopy()
	conclude(&d.Status, appsv1.DeploymentProgressing, corev1.ConditionUnknown, reason, message)
	return &Step{Text: "note that " + Path(deployments, d) + " is " + map[bool]string{true: "resumed", false: "paused"}[noted], Request: Update(deployments, d, "status")}
}

func conclusion(s *appsv1.DeploymentStatus, t appsv1.DeploymentConditionType) *appsv1.DeploymentCondition {
	if i := slices.IndexFunc(s.Conditions, func(c appsv1.DeploymentCondition) bool { return c.Type == t }); i >= 0 {
		return &s.Conditions[i]
	}
	return nil
}

// conclude sets a condition, which are in the order of their types. One of the same status
// and reason stays, with its message.
func conclude(s *appsv1.DeploymentStatus, t appsv1.DeploymentConditionType, is corev1.ConditionStatus, reason, message string) {
	c := appsv1.DeploymentCondition{Type: t, Status: is, Reason: reason, Message: message, LastTransitionTime: now(), LastUpdateTime: now()}
	switch old := conclusion(s, t); {
	case old == nil:
		s.Conditions = append(s.Conditions, c)
		slices.SortFunc(s.Conditions, func(a, b appsv1.DeploymentCondition) int { return cmp.Compare(a.Type, b.Type) })
	case old.Status != is || old.Reason != reason:
		*old = c
	}
}
