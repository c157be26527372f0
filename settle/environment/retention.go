package environment

import (
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// What a StatefulSet does with claims: it makes those of a pod before the pod, and has them
// be collected when its persistentVolumeClaimRetentionPolicy says so.

// claimOf is the claim of a pod that a template asks for; nil if there is none.
func (o *ordered) claimOf(t *corev1.PersistentVolumeClaim, p *corev1.Pod) *corev1.PersistentVolumeClaim {
	if c := o.world.Get(claims.Prefix(p.Namespace) + t.Name + "-" + p.Name); c != nil {
		is, _ := c.Value().(*corev1.PersistentVolumeClaim)
		return is
	}
	return nil
}

// supply makes a claim that a pod lacks; wait: it has one that goes first.
func (o *ordered) supply(p *corev1.Pod) (step *Step, wait bool) {
	for i := range o.s.Spec.VolumeClaimTemplates {
		t := &o.s.Spec.VolumeClaimTemplates[i]
		switch is := o.claimOf(t, p); {
		case is != nil && is.DeletionTimestamp != nil:
			return nil, true
		case is != nil:
		default:
			c := t.DeepCopy()
			c.Name, c.Namespace, c.Status = t.Name+"-"+p.Name, p.Namespace, corev1.PersistentVolumeClaimStatus{}
			c.Labels = maps.Clone(t.Labels)
			if c.Labels == nil {
				c.Labels = map[string]string{}
			}
			if o.s.Spec.Selector != nil {
				maps.Copy(c.Labels, o.s.Spec.Selector.MatchLabels)
			}
			c.OwnerReferences = o.owners(c, p)
			return &Step{Text: "create " + Path(claims, c), Request: Create(claims, c)}, true
		}
	}
	return nil, false
}

// owners are those that a claim of a pod is to have: none, or the StatefulSet or the pod with
// which it is to go.
func (o *ordered) owners(c *corev1.PersistentVolumeClaim, p *corev1.Pod) []metav1.OwnerReference {
	others := slices.DeleteFunc(slices.Clone(c.OwnerReferences), func(r metav1.OwnerReference) bool {
		return r.UID == o.s.UID || r.Kind == pods.Kind.Kind && r.Name == p.Name || r.Kind == statefulSets.Kind.Kind && r.Name == o.s.Name
	})
	policy := o.s.Spec.PersistentVolumeClaimRetentionPolicy
	if policy == nil {
		return others
	}
	away := slices.Contains(o.condemned, p)
	switch {
	case away && policy.WhenScaled == appsv1.DeletePersistentVolumeClaimRetentionPolicyType:
		return append(others, *metav1.NewControllerRef(p, pods.Kind))
	case policy.WhenDeleted == appsv1.DeletePersistentVolumeClaimRetentionPolicyType && (!away || policy.WhenScaled != appsv1.DeletePersistentVolumeClaimRetentionPolicyType):
		return append(others, *metav1.NewControllerRef(o.s, statefulSets.Kind))
	}
	return others
}

// retain has the claims of a pod belong to whom they are to go with; nil if they do.
func (o *ordered) retain(p *corev1.Pod) *Step {
	for i := range o.s.Spec.VolumeClaimTemplates {
		is := o.claimOf(&o.s.Spec.VolumeClaimTemplates[i], p)
		if is == nil || is.DeletionTimestamp != nil {
			continue
		}
		if c := is.DeepCopy(); !equality.Semantic.DeepEqual(o.owners(is, p), is.OwnerReferences) {
			c.OwnerReferences = o.owners(is, p)
			return &Step{Text: "change the owners of " + Path(claims, c), Request: Update(claims, c, "")}
		}
	}
	return nil
}
