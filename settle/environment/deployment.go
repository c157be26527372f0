package environment

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/dump"
	"k8s.io/apimachinery/pkg/util/rand"
)

// Deployments has each Deployment have a ReplicaSet of its template with as many pods as it
// asks for, and no other with any, by way of its strategy.
//
// Not as in Kubernetes: nothing counts revisions (they would grow for ever), so that of
// old ReplicaSets beyond the limit those go first that are first by name; a rollout has no
// deadline.
func Deployments() Actor { return deploymentController{} }

type deploymentController struct{}

func (deploymentController) Name() string { return "deployment controller" }
func (deploymentController) Reads() []schema.GroupVersionKind {
	return reads(deployments, replicaSets, pods)
}

func (deploymentController) Steps(w World) (steps []Step) {
	for _, d := range list[*appsv1.Deployment](w, deployments, "") {
		sets, step := claim(replicaSets, deployments, d, d.Spec.Selector, list[*appsv1.ReplicaSet](w, replicaSets, d.Namespace))
		if step == nil {
			step = newRollout(w, d, sets).next()
		}
		if step != nil {
			step.Class = Path(deployments, d)
			steps = append(steps, *step)
		}
	}
	return steps
}

// What ReplicaSets note of their Deployment.
const (
	desiredReplicas = "deployment.kubernetes.io/desired-replicas"
	maxReplicas     = "deployment.kubernetes.io/max-replicas"
	revisionNumber  = "deployment.kubernetes.io/revision"
)

// rollout is one look at a Deployment.
type rollout struct {
	world World
	d     *appsv1.Deployment
	// fresh is the ReplicaSet of its template, nil if there is none; old are the others.
	fresh *appsv1.ReplicaSet
	old   []*appsv1.ReplicaSet
	// wanted is how many pods there are to be, surge how many more there may be at a time,
	// and missing how many fewer.
	wanted, surge, missing int32
}

func newRollout(w World, d *appsv1.Deployment, sets []*appsv1.ReplicaSet) *rollout {
	r := &rollout{world: w, d: d, wanted: value(d.Spec.Replicas, 1)}
	r.surge, r.missing = fenceposts(d, r.wanted)
	for _, s := range sets {
		if r.fresh == nil && equality.Semantic.DeepEqual(bare(&s.Spec.Template), bare(&d.Spec.Template)) {
			r.fresh = s
			continue
		}
		r.old = append(r.old, s)
	}
	return r
}

// bare is a template without the label that is made of its hash.
func bare(t *corev1.PodTemplateSpec) *corev1.PodTemplateSpec {
	t = t.DeepCopy()
	delete(t.Labels, appsv1.DefaultDeploymentUniqueLabelKey)
	return t
}

// all are the ReplicaSets, the fresh one last.
func (r *rollout) all() []*appsv1.ReplicaSet {
	if r.fresh == nil {
		return r.old
	}
	return append(slices.Clone(r.old), r.fresh)
}

// next is the next write, nil if there is none to make: syncDeployment of
// kube-controller-manager, whose several writes are one step each.
func (r *rollout) next() *Step {
	selector := r.d.Spec.Selector
	if selector == nil || len(selector.MatchLabels)+len(selector.MatchExpressions) == 0 {
		return nil
	}
	if r.d.DeletionTimestamp != nil {
		return r.report(false)
	}
	if step := r.noticePause(); step != nil {
		return step
	}
	var step *Step
	switch {
	case r.d.Spec.Paused, r.scaled():
		if step = r.scale(); step == nil && r.d.Spec.Paused {
			step = r.clean()
		}
		if step == nil {
			step = r.report(false)
		}
		return step
	case r.d.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType:
		step = r.recreate()
	default:
		step = r.roll()
	}
	if step == nil {
		step = r.report(true)
	}
	if step == nil && r.complete(&r.d.Status) {
		step = r.clean()
	}
	return step
}

// keepUp has the fresh ReplicaSet know what the Deployment says beside its template.
func (r *rollout) keepUp() *Step {
	s := r.fresh.DeepCopy()
	s.Annotations = r.annotated(s.Annotations)
	s.Spec.MinReadySeconds = r.d.Spec.MinReadySeconds
	if s.Spec.MinReadySeconds == r.fresh.Spec.MinReadySeconds && maps.Equal(s.Annotations, r.fresh.Annotations) {
		return nil
	}
	return &Step{Text: "update " + Path(replicaSets, s), Request: Update(replicaSets, s, "")}
}

// annotated are annotations of a ReplicaSet with those of the Deployment.
func (r *rollout) annotated(annotations map[string]string) map[string]string {
	out := maps.Clone(annotations)
	if out == nil {
		out = map[string]string{}
	}
	for k, v := range r.d.Annotations {
		switch k {
		case corev1.LastAppliedConfigAnnotation, revisionNumber, "deployment.kubernetes.io/revision-history", desiredReplicas, maxReplicas, appsv1.DeprecatedRollbackTo:
		default:
			out[k] = v
		}
	}
	return out
}

// note has annotations say for how many pods in all a ReplicaSet is.
func (r *rollout) note(annotations map[string]string) map[string]string {
	out := maps.Clone(annotations)
	if out == nil {
		out = map[string]string{}
	}
	out[desiredReplicas], out[maxReplicas] = strconv.Itoa(int(r.wanted)), strconv.Itoa(int(r.wanted+r.surge))
	return out
}

// create makes the fresh ReplicaSet. If its name is another's, the next try has another.
func (r *rollout) create() *Step {
	hash := templateHash(&r.d.Spec.Template, r.d.Status.CollisionCount)
	template := bare(&r.d.Spec.Template)
	if template.Labels == nil {
		template.Labels = map[string]string{}
	}
	template.Labels[appsv1.DefaultDeploymentUniqueLabelKey] = hash
	selector := r.d.Spec.Selector.DeepCopy()
	if selector.MatchLabels == nil {
		selector.MatchLabels = map[string]string{}
	}
	selector.MatchLabels[appsv1.DefaultDeploymentUniqueLabelKey] = hash
	s := &appsv1.ReplicaSet{Spec: appsv1.ReplicaSetSpec{Replicas: new(int32), MinReadySeconds: r.d.Spec.MinReadySeconds, Selector: selector, Template: *template}}
	s.Name, s.Namespace = r.d.Name+"-"+hash, r.d.Namespace
	s.Labels, s.Annotations = maps.Clone(template.Labels), r.note(r.annotated(nil))
	s.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(r.d, deployments.Kind)}
	*s.Spec.Replicas = r.grown(s)
	if r.world.Get(replicaSets.Prefix(s.Namespace)+s.Name) != nil {
		d := r.d.DeepCopy()
		d.Status.CollisionCount = pointer(value(d.Status.CollisionCount, 0) + 1)
		return &Step{Text: "note that the name " + s.Name + " is another's", Request: Update(deployments, d, "status")}
	}
	return &Step{Text: fmt.Sprintf("create %s of %d", Path(replicaSets, s), *s.Spec.Replicas), Request: Create(replicaSets, s)}
}

// templateHash is the pod-template-hash of a template, as kube-controller-manager
// computes it.
func templateHash(t *corev1.PodTemplateSpec, collisions *int32) string {
	h := fnv.New32a()
	_, _ = fmt.Fprintf(h, "%v", dump.ForHash(*t)) // never fails
	if collisions != nil {
		b := make([]byte, 8)
		binary.LittleEndian.PutUint32(b, uint32(*collisions)) //nolint:gosec // it is not negative
		_, _ = h.Write(b)                                     // never fails
	}
	return rand.SafeEncodeString(strconv.FormatUint(uint64(h.Sum32()), 10))
}

// resize gives a ReplicaSet another size and, when all are scaled, notes for which size of
// the Deployment; nil if it has that already.
func (r *rollout) resize(s *appsv1.ReplicaSet, n int32, noted bool) *Step {
	is := s.DeepCopy()
	is.Spec.Replicas = &n
	if noted || n != *s.Spec.Replicas {
		is.Annotations = r.note(is.Annotations)
	}
	if n == *s.Spec.Replicas && maps.Equal(s.Annotations, is.Annotations) {
		return nil
	}
	return &Step{Text: fmt.Sprintf("scale %s from %d to %d", Path(replicaSets, s), *s.Spec.Replicas, n), Request: Update(replicaSets, is, "")}
}

// clean deletes old ReplicaSets beyond the limit of history.
func (r *rollout) clean() *Step {
	history := keep(r.old, func(s *appsv1.ReplicaSet) bool { return s.DeletionTimestamp == nil })
	if len(history) <= int(value(r.d.Spec.RevisionHistoryLimit, 10)) {
		return nil
	}
	s := slices.MinFunc(history, func(a, b *appsv1.ReplicaSet) int { return strings.Compare(a.Name, b.Name) })
	if s.Status.Replicas != 0 || *s.Spec.Replicas != 0 || s.Generation > s.Status.ObservedGeneration {
		return nil
	}
	return &Step{Text: "delete " + Path(replicaSets, s), Request: Delete(replicaSets, s, "", nil)}
}
