package environment

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// podOf is a pod of a template, named after its owner.
func podOf(t *corev1.PodTemplateSpec, owner metav1.Object, of kubestate.Resource) *corev1.Pod {
	p := &corev1.Pod{Spec: *t.Spec.DeepCopy()}
	p.Namespace, p.GenerateName = owner.GetNamespace(), owner.GetName()+"-"
	p.Labels, p.Annotations, p.Finalizers = maps.Clone(t.Labels), maps.Clone(t.Annotations), slices.Clone(t.Finalizers)
	p.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(owner, of.Kind)}
	return p
}

// condition is that of a type, nil if a pod has none.
func condition(p *corev1.Pod, t corev1.PodConditionType) *corev1.PodCondition {
	if i := slices.IndexFunc(p.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == t }); i >= 0 {
		return &p.Status.Conditions[i]
	}
	return nil
}

func ready(p *corev1.Pod) bool {
	c := condition(p, corev1.PodReady)
	return c != nil && c.Status == corev1.ConditionTrue
}

func terminating(p *corev1.Pod) bool { return p.DeletionTimestamp != nil }

// ended tells whether a pod runs no more, whatever happens.
func ended(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
}

// active tells whether a pod counts as a replica.
func active(p *corev1.Pod) bool { return !ended(p) && !terminating(p) }
