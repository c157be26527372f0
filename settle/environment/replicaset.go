package environment

import (
	"cmp"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ReplicaSets has each ReplicaSet have as many pods as it asks for, and say so in its status.
func ReplicaSets() Actor { return replicaSetController{} }

type replicaSetController struct{}

func (replicaSetController) Name() string                     { return "replicaset controller" }
func (replicaSetController) Reads() []schema.GroupVersionKind { return reads(replicaSets, pods) }

func (replicaSetController) Steps(w World) (steps []Step) {
	for _, s := range list[*appsv1.ReplicaSet](w, replicaSets, "") {
		if step := replicas(w, s); step != nil {
			step.Class = Path(replicaSets, s)
			steps = append(steps, *step)
		}
	}
	return steps
}

// replicas is what a ReplicaSet lacks: pods that it can have, new ones, fewer, or its status.
func replicas(w World, s *appsv1.ReplicaSet) *Step {
	all := keep(list[*corev1.Pod](w, pods, s.Namespace), active)
	own, step := claim(pods, replicaSets, s, s.Spec.Selector, all)
	if step != nil {
		return step
	}
	switch wanted := int(value(s.Spec.Replicas, 1)); {
	case s.DeletionTimestamp != nil, len(own) == wanted:
	case len(own) < wanted:
		p := podOf(&s.Spec.Template, s, replicaSets)
		return &Step{Text: "create a pod of " + Path(replicaSets, s), Request: Create(pods, p)}
	default:
		p := slices.MinFunc(own, dispensable)
		return &Step{Text: "delete " + Path(pods, p), Request: Delete(pods, p, "", nil)}
	}
	is := s.DeepCopy()
	t := &is.Status
	t.ObservedGeneration, t.Replicas = s.Generation, count(own, func(*corev1.Pod) bool { return true })
	t.ReadyReplicas, t.AvailableReplicas = count(own, ready), count(own, ready)
	selector := labels.SelectorFromSet(s.Spec.Template.Labels)
	t.FullyLabeledReplicas = count(own, func(p *corev1.Pod) bool { return selector.Matches(labels.Set(p.Labels)) })
	if equality.Semantic.DeepEqual(s.Status, is.Status) {
		return nil
	}
	return &Step{Text: "update the status of " + Path(replicaSets, s), Request: Update(replicaSets, is, "status")}
}

// dispensable has those pods first that are deleted first: ActivePodsWithRanks of
// kube-controller-manager without what depends on time and on nodes. Of pods that are equal
// in that, the one whose name was generated last goes.
func dispensable(a, b *corev1.Pod) int {
	order := map[corev1.PodPhase]int{corev1.PodPending: 0, corev1.PodUnknown: 1, corev1.PodRunning: 2}
	return cmp.Or(
		when(a.Spec.NodeName == "", b.Spec.NodeName == ""), cmp.Compare(order[a.Status.Phase], order[b.Status.Phase]),
		when(!ready(a), !ready(b)), cmp.Compare(cost(a), cost(b)), cmp.Compare(b.Name, a.Name),
	)
}

// when has that first for which it is true.
func when(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// cost is what users say that the deletion of a pod costs.
func cost(o metav1.Object) int64 {
	n, _ := strconv.ParseInt(o.GetAnnotations()[corev1.PodDeletionCost], 10, 32) // none, or wrong: 0
	return n
}
