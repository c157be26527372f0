package environment

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// fenceposts are how many pods more and fewer than it wants a Deployment may have at a time.
func fenceposts(d *appsv1.Deployment, wanted int32) (surge, missing int32) {
	rolling := d.Spec.Strategy.RollingUpdate
	if d.Spec.Strategy.Type != appsv1.RollingUpdateDeploymentStrategyType || rolling == nil {
		return 0, 0
	}
	more, _ := intstr.GetScaledValueFromIntOrPercent(rolling.MaxSurge, int(wanted), true)
	fewer, _ := intstr.GetScaledValueFromIntOrPercent(rolling.MaxUnavailable, int(wanted), false) // what is wrong was refused
	if more == 0 && fewer == 0 {
		fewer = 1
	}
	return int32(more), min(int32(fewer), wanted) //nolint:gosec // they were that
}

func size(sets ...*appsv1.ReplicaSet) (n int32) {
	for _, s := range sets {
		n += *s.Spec.Replicas
	}
	return n
}

func available(sets ...*appsv1.ReplicaSet) (n int32) {
	for _, s := range sets {
		n += s.Status.AvailableReplicas
	}
	return n
}

// inUse are the ReplicaSets that ask for pods.
func inUse(sets []*appsv1.ReplicaSet) []*appsv1.ReplicaSet {
	return keep(sets, func(s *appsv1.ReplicaSet) bool { return *s.Spec.Replicas > 0 })
}

// grown is how large the fresh ReplicaSet may be now.
func (r *rollout) grown(s *appsv1.ReplicaSet) int32 {
	if r.d.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType {
		return r.wanted
	}
	all := size(r.all()...)
	if s != r.fresh {
		all += size(s)
	}
	if room := r.wanted + r.surge - all; room > 0 {
		return *s.Spec.Replicas + min(room, r.wanted-*s.Spec.Replicas)
	}
	return *s.Spec.Replicas
}

// roll replaces pods a few at a time.
func (r *rollout) roll() *Step {
	if r.fresh == nil {
		return r.create()
	}
	if step := r.keepUp(); step != nil {
		return step
	}
	switch is := size(r.fresh); {
	case is > r.wanted:
		return r.resize(r.fresh, r.wanted, false)
	case is < r.wanted:
		if step := r.resize(r.fresh, r.grown(r.fresh), false); step != nil {
			return step
		}
	}
	return r.shrink()
}

// shrink has the old ReplicaSets have fewer pods: first those that are not available.
func (r *rollout) shrink() *Step {
	old := inUse(r.old)
	least := r.wanted - r.missing
	spare := size(r.all()...) - least - (size(r.fresh) - available(r.fresh))
	if len(old) == 0 || spare <= 0 {
		return nil
	}
	for _, s := range old {
		if away := min(spare, size(s)-available(s)); away > 0 {
			return r.resize(s, size(s)-away, false)
		}
	}
	spare = available(old...) + available(r.fresh) - least
	for _, s := range old {
		if away := min(spare, size(s)); away > 0 {
			return r.resize(s, size(s)-away, false)
		}
	}
	return nil
}

// recreate ends all old pods before it begins new ones.
func (r *rollout) recreate() *Step {
	if r.fresh != nil {
		if step := r.keepUp(); step != nil {
			return step
		}
	}
	for _, s := range inUse(r.old) {
		return r.resize(s, 0, false)
	}
	for _, p := range list[*corev1.Pod](r.world, pods, r.d.Namespace) {
		if !ended(p) && slices.ContainsFunc(r.old, func(s *appsv1.ReplicaSet) bool { return metav1.IsControlledBy(p, s) }) {
			return nil // it is waited for
		}
	}
	if r.fresh == nil {
		return r.create()
	}
	return r.resize(r.fresh, r.wanted, false)
}

// scaled tells whether the Deployment wants another number of pods than its ReplicaSets know.
func (r *rollout) scaled() bool {
	return slices.ContainsFunc(inUse(r.all()), func(s *appsv1.ReplicaSet) bool {
		n, err := strconv.Atoi(s.Annotations[desiredReplicas])
		return err == nil && n >= 0 && int32(n) != r.wanted //nolint:gosec // it was one
	})
}

// scale has the ReplicaSets share another number of pods.
func (r *rollout) scale() *Step {
	used := inUse(r.all())
	switch {
	case len(r.all()) == 0:
		return nil
	case len(used) == 1:
		return r.resize(used[0], r.wanted, false)
	case len(used) == 0:
		return r.resize(cmp.Or(r.fresh, r.all()[0]), r.wanted, false)
	case r.saturated():
		for _, s := range inUse(r.old) {
			return r.resize(s, 0, false)
		}
	case r.d.Spec.Strategy.Type == appsv1.RollingUpdateDeploymentStrategyType:
		return r.share(used)
	}
	return nil
}

// saturated tells whether the fresh ReplicaSet has all that is wanted.
func (r *rollout) saturated() bool {
	return r.fresh != nil && size(r.fresh) == r.wanted && r.fresh.Annotations[desiredReplicas] == strconv.Itoa(int(r.wanted)) && available(r.fresh) == r.wanted
}

// share scales all in proportion; what does not divide is the largest's.
func (r *rollout) share(used []*appsv1.ReplicaSet) *Step {
	allowed := int32(0)
	if r.wanted > 0 {
		allowed = r.wanted + r.surge
	}
	change := allowed - size(used...)
	slices.SortStableFunc(used, func(a, b *appsv1.ReplicaSet) int { return cmp.Compare(size(b), size(a)) })
	sizes, changed := make([]int32, len(used)), int32(0)
	for i, s := range used {
		part := int32(0)
		switch {
		case change > 0:
			part = min(r.part(s), change-changed)
		case change < 0:
			part = max(r.part(s), change-changed)
		}
		sizes[i] = size(s) + part
		changed += part
	}
	sizes[0] = max(sizes[0]+change-changed, 0)
	for i, s := range used {
		if step := r.resize(s, sizes[i], true); step != nil {
			return step
		}
	}
	return nil
}

// part is the change of a ReplicaSet that keeps its proportion.
func (r *rollout) part(s *appsv1.ReplicaSet) int32 {
	if r.wanted == 0 {
		return -size(s)
	}
	before, err := strconv.ParseInt(s.Annotations[maxReplicas], 10, 32)
	if err != nil || before <= 0 {
		before = int64(r.d.Status.Replicas)
	}
	if before == 0 {
		return 0
	}
	return int32(math.Round(float64(size(s)*(r.wanted+r.surge))/float64(before))) - size(s)
}
