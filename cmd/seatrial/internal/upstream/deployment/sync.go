package deployment

import (
	"fmt"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"
)

// Write is one write of a ReplicaSet by the Deployment controller.
type Write struct {
	// ReplicaSet is the name of the ReplicaSet that is updated, empty with Create.
	ReplicaSet string
	// Create asks for a new ReplicaSet of the Deployment's own pod template.
	Create bool
	// Replicas is the value written to spec.replicas. It may equal the present
	// one, when only Annotations change.
	Replicas int32
	// MinReadySeconds is the ReplicaSet's own spec.minReadySeconds from then on.
	MinReadySeconds int32
	// Annotations are the desired-replicas and max-replicas annotations that the
	// write records; later reconciles recognise a scaling event by them.
	Annotations map[string]string
}

// Sync returns the writes that one reconcile of d makes, in the order in which
// it makes them, all computed from the one view given: nil when there is nothing
// to do. It mirrors DeploymentController.syncDeployment
// (pkg/controller/deployment/deployment_controller.go).
//
// sets are the ReplicaSets that d owns, with their status; the new one is found
// by the real EqualIgnoreHash on spec.template, the oldest if there are several.
// Age is creationTimestamp, then name: a model without clocks must still order
// its ReplicaSets by it. pods, by ReplicaSet name, is read by the Recreate
// strategy alone, which waits for pods of old ReplicaSets that are neither Failed
// nor Succeeded, terminating ones included. Objects must be defaulted. Inputs are
// not changed.
//
// The error names what is not defaulted, an unknown strategy, or the deprecated
// rollback annotation, which is not modelled.
func Sync(d *appsv1.Deployment, sets []*appsv1.ReplicaSet, pods map[string][]*corev1.Pod) ([]Write, error) {
	if err := validate(d, sets); err != nil {
		return nil, err
	}
	selector := d.Spec.Selector
	if d.DeletionTimestamp != nil ||
		selector != nil && len(selector.MatchLabels) == 0 && len(selector.MatchExpressions) == 0 {
		return nil, nil
	}
	s := split(d, sets)
	if s.keepUp() && !d.Spec.Paused {
		// What follows looks at the ReplicaSets again, as they were before that
		// write: the next one conflicts, and the reconcile is tried anew.
		return s.writes, nil
	}
	if d.Spec.Paused || s.scalingEvent() {
		s.scale()
		return s.writes, nil
	}
	switch d.Spec.Strategy.Type {
	case appsv1.RecreateDeploymentStrategyType:
		err := s.recreate(pods)
		return s.writes, err
	case appsv1.RollingUpdateDeploymentStrategyType:
		err := s.roll()
		return s.writes, err
	}
	return nil, fmt.Errorf("deployment %s/%s: unknown strategy %q", d.Namespace, d.Name, d.Spec.Strategy.Type)
}

// validate refuses what defaulting and validation by the API server exclude and
// the arithmetic below could not take.
func validate(d *appsv1.Deployment, sets []*appsv1.ReplicaSet) error {
	where := fmt.Sprintf("deployment %s/%s", d.Namespace, d.Name)
	if d.Spec.Replicas == nil {
		return fmt.Errorf("%s: spec.replicas is not set", where)
	}
	if d.Spec.Strategy.Type == appsv1.RollingUpdateDeploymentStrategyType {
		rolling := d.Spec.Strategy.RollingUpdate
		if rolling == nil || rolling.MaxSurge == nil || rolling.MaxUnavailable == nil {
			return fmt.Errorf("%s: spec.strategy.rollingUpdate is not set", where)
		}
		if _, _, err := deploymentutil.ResolveFenceposts(rolling.MaxSurge, rolling.MaxUnavailable, *d.Spec.Replicas); err != nil {
			return fmt.Errorf("%s: spec.strategy.rollingUpdate: %w", where, err)
		}
	}
	if _, ok := d.Annotations[appsv1.DeprecatedRollbackTo]; ok {
		return fmt.Errorf("%s: annotation %s is not supported", where, appsv1.DeprecatedRollbackTo)
	}
	for _, set := range sets {
		if set.Spec.Replicas == nil {
			return fmt.Errorf("%s: replicaset %s: spec.replicas is not set", where, set.Name)
		}
	}
	return nil
}

// state is the view of one reconcile, and the writes made so far on it. Sets are
// replaced, never changed, when they are written.
type state struct {
	d      *appsv1.Deployment
	fresh  *appsv1.ReplicaSet   // the one of the Deployment's template; nil if there is none
	old    []*appsv1.ReplicaSet // all others, oldest first
	writes []Write
}

func split(d *appsv1.Deployment, sets []*appsv1.ReplicaSet) *state {
	all := append([]*appsv1.ReplicaSet(nil), sets...)
	s := &state{d: d, fresh: deploymentutil.FindNewReplicaSet(d, all)}
	s.old = make([]*appsv1.ReplicaSet, 0, len(all)+1)
	for _, set := range all {
		if set != s.fresh {
			s.old = append(s.old, set)
		}
	}
	return s
}

func (s *state) replicas() int32 { return *s.d.Spec.Replicas }

// all returns the old ReplicaSets, then the new one, in a slice of its own.
func (s *state) all() []*appsv1.ReplicaSet {
	all := make([]*appsv1.ReplicaSet, 0, len(s.old)+1)
	all = append(all, s.old...)
	if s.fresh != nil {
		all = append(all, s.fresh)
	}
	return all
}

// scalingEvent mirrors isScalingEvent (sync.go): an active ReplicaSet records
// another desired count than the Deployment has now.
func (s *state) scalingEvent() bool {
	logger := klog.Background()
	for _, set := range controller.FilterActiveReplicaSets(s.all()) {
		if desired, ok := deploymentutil.GetDesiredReplicasAnnotation(logger, set); ok && desired != s.replicas() {
			return true
		}
	}
	return false
}

// keepUp mirrors what getNewReplicaSet (sync.go) does to a ReplicaSet that is
// there: it has the minReadySeconds of the Deployment. Old ones keep theirs. It
// returns whether it wrote.
func (s *state) keepUp() bool {
	if s.fresh == nil || s.fresh.Spec.MinReadySeconds == s.d.Spec.MinReadySeconds {
		return false
	}
	written := *s.fresh
	written.Spec.MinReadySeconds = s.d.Spec.MinReadySeconds
	recorded := map[string]string{}
	for _, key := range []string{deploymentutil.DesiredReplicasAnnotation, deploymentutil.MaxReplicasAnnotation} {
		if value, ok := written.Annotations[key]; ok {
			recorded[key] = value
		}
	}
	s.writes = append(s.writes, Write{
		ReplicaSet: written.Name, Replicas: *written.Spec.Replicas, MinReadySeconds: written.Spec.MinReadySeconds, Annotations: recorded,
	})
	s.fresh = &written
	return true
}

func (s *state) annotations() map[string]string {
	surge := deploymentutil.MaxSurge(*s.d)
	return map[string]string{
		deploymentutil.DesiredReplicasAnnotation: strconv.Itoa(int(s.replicas())),
		deploymentutil.MaxReplicasAnnotation:     strconv.Itoa(int(s.replicas() + surge)),
	}
}

// resize mirrors scaleReplicaSet (sync.go): it writes when the size changes and,
// if force is set, when only the annotations do. It returns the set as written
// and whether the size changed.
func (s *state) resize(set *appsv1.ReplicaSet, replicas int32, force bool) (*appsv1.ReplicaSet, bool) {
	sized := *set.Spec.Replicas != replicas
	if !sized {
		limit := s.replicas() + deploymentutil.MaxSurge(*s.d)
		if !force || !deploymentutil.ReplicasAnnotationsNeedUpdate(set, s.replicas(), limit) {
			return set, false
		}
	}
	written := *set
	written.Spec.Replicas = &replicas
	s.writes = append(s.writes, Write{ReplicaSet: set.Name, Replicas: replicas, MinReadySeconds: set.Spec.MinReadySeconds, Annotations: s.annotations()})
	return &written, sized
}

// create mirrors the creating half of getNewReplicaSet (sync.go).
func (s *state) create() error {
	none := int32(0)
	set := &appsv1.ReplicaSet{}
	set.Spec.Replicas = &none
	replicas, err := deploymentutil.NewRSNewReplicas(s.d, append(s.all(), set), set)
	if err != nil {
		return fmt.Errorf("deployment %s/%s: %w", s.d.Namespace, s.d.Name, err)
	}
	set.Spec.Replicas = &replicas
	s.fresh = set
	s.writes = append(s.writes, Write{Create: true, Replicas: replicas, MinReadySeconds: s.d.Spec.MinReadySeconds, Annotations: s.annotations()})
	return nil
}

// recreate mirrors rolloutRecreate (recreate.go).
func (s *state) recreate(pods map[string][]*corev1.Pod) error {
	scaled := false
	for _, set := range controller.FilterActiveReplicaSets(s.old) {
		s.resize(set, 0, false)
		scaled = true
	}
	if scaled || s.oldPodsRunning(pods) {
		return nil
	}
	if s.fresh == nil {
		return s.create()
	}
	s.resize(s.fresh, s.replicas(), false)
	return nil
}

// oldPodsRunning mirrors the function of that name (recreate.go).
func (s *state) oldPodsRunning(pods map[string][]*corev1.Pod) bool {
	if deploymentutil.GetActualReplicaCountForReplicaSets(s.old) > 0 {
		return true
	}
	for _, set := range s.old {
		for _, pod := range pods[set.Name] {
			if pod.Status.Phase != corev1.PodFailed && pod.Status.Phase != corev1.PodSucceeded {
				return true
			}
		}
	}
	return false
}
