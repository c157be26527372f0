package deployment

import (
	"sort"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"
)

// roll mirrors rolloutRolling (rolling.go). A ReplicaSet that is created does
// not end the reconcile: old ones may be scaled down on the same view.
func (s *state) roll() error {
	if s.fresh == nil {
		if err := s.create(); err != nil {
			return err
		}
	}
	scaled, err := s.growFresh()
	if err != nil || scaled {
		return err
	}
	s.shrinkOld()
	return nil
}

// growFresh mirrors reconcileNewReplicaSet (rolling.go), which also shrinks the
// new ReplicaSet when it is larger than the Deployment.
func (s *state) growFresh() (bool, error) {
	current := *s.fresh.Spec.Replicas
	switch {
	case current == s.replicas():
		return false, nil
	case current > s.replicas():
		_, scaled := s.resize(s.fresh, s.replicas(), false)
		return scaled, nil
	}
	replicas, err := deploymentutil.NewRSNewReplicas(s.d, s.all(), s.fresh)
	if err != nil {
		return false, err
	}
	_, scaled := s.resize(s.fresh, replicas, false)
	return scaled, nil
}

// shrinkOld mirrors reconcileOldReplicaSets (rolling.go): pods that are not
// available go first, then available ones as far as maxUnavailable allows. One
// ReplicaSet may be written by both.
func (s *state) shrinkOld() {
	old := controller.FilterActiveReplicaSets(s.old)
	if deploymentutil.GetReplicaCountForReplicaSets(old) == 0 {
		return
	}
	available := s.replicas() - deploymentutil.MaxUnavailable(*s.d)
	freshUnavailable := *s.fresh.Spec.Replicas - s.fresh.Status.AvailableReplicas
	limit := deploymentutil.GetReplicaCountForReplicaSets(s.all()) - available - freshUnavailable
	if limit <= 0 {
		return
	}
	sort.Sort(controller.ReplicaSetsByCreationTimestamp(old))
	if s.dropUnavailable(old, limit) {
		s.dropAvailable(old, available)
	}
}

// dropUnavailable mirrors cleanupUnhealthyReplicas (rolling.go). The sets it
// writes are replaced in old. It returns false where the real one fails: the
// status of an old ReplicaSet, lagging behind a scale-down, counts more
// available pods than it shall have. The controller then gives up this
// reconcile's scale-down without an error.
func (s *state) dropUnavailable(old []*appsv1.ReplicaSet, limit int32) bool {
	dropped := int32(0)
	for i, set := range old {
		if dropped >= limit {
			break
		}
		current := *set.Spec.Replicas
		if current == 0 || current == set.Status.AvailableReplicas {
			continue
		}
		drop := min(limit-dropped, current-set.Status.AvailableReplicas)
		if drop < 0 {
			return false
		}
		old[i], _ = s.resize(set, current-drop, false)
		dropped += drop
	}
	return true
}

// dropAvailable mirrors scaleDownOldReplicaSetsForRollingUpdate (rolling.go).
func (s *state) dropAvailable(old []*appsv1.ReplicaSet, available int32) {
	present := deploymentutil.GetAvailableReplicaCountForReplicaSets(old) + s.fresh.Status.AvailableReplicas
	limit := present - available
	dropped := int32(0)
	for _, set := range old {
		if dropped >= limit {
			return
		}
		current := *set.Spec.Replicas
		if current == 0 {
			continue
		}
		drop := min(current, limit-dropped)
		s.resize(set, current-drop, false)
		dropped += drop
	}
}

// scale mirrors the method of that name (sync.go), which runs for a paused
// Deployment and on a scaling event. A single active ReplicaSet takes the whole
// count; beside a saturated new one the old ones go; otherwise all active ones
// are resized in proportion.
func (s *state) scale() {
	old := append(make([]*appsv1.ReplicaSet, 0, len(s.old)+1), s.old...)
	if only := deploymentutil.FindActiveOrLatest(s.fresh, old); only != nil {
		s.resize(only, s.replicas(), false)
		return
	}
	if deploymentutil.IsSaturated(s.d, s.fresh) {
		// FindActiveOrLatest has left old newest first, and so do the writes come.
		for _, set := range controller.FilterActiveReplicaSets(old) {
			s.resize(set, 0, false)
		}
		return
	}
	if deploymentutil.IsRollingUpdate(s.d) {
		s.scaleInProportion(append(old, s.fresh))
	}
}

// scaleInProportion shares what may be added up to replicas + maxSurge (or must
// go) among the active ones of sets, largest first, by each one's share; what
// rounding leaves goes to the largest. Nil members of sets are passed over.
func (s *state) scaleInProportion(sets []*appsv1.ReplicaSet) {
	active := controller.FilterActiveReplicaSets(sets)
	allowed := int32(0)
	if s.replicas() > 0 {
		allowed = s.replicas() + deploymentutil.MaxSurge(*s.d)
	}
	change := allowed - deploymentutil.GetReplicaCountForReplicaSets(active)
	switch {
	case change > 0:
		sort.Sort(controller.ReplicaSetsBySizeNewer(active))
	case change < 0:
		sort.Sort(controller.ReplicaSetsBySizeOlder(active))
	}
	sizes := make([]int32, len(active))
	changed := int32(0)
	logger := klog.Background()
	for i, set := range active {
		sizes[i] = *set.Spec.Replicas
		if change != 0 {
			share := deploymentutil.GetReplicaSetProportion(logger, set, *s.d, change, changed)
			sizes[i] += share
			changed += share
		}
	}
	for i, set := range active {
		if i == 0 && change != 0 {
			sizes[i] = max(sizes[i]+change-changed, 0)
		}
		s.resize(set, sizes[i], true)
	}
}
