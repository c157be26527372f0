package environment

import (
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/seatrial/seatrial/settle/kubestate"
)

func resource(gv schema.GroupVersion, kind, plural string, namespaced bool) kubestate.Resource {
	return kubestate.Resource{Kind: gv.WithKind(kind), Resource: gv.WithResource(plural), Namespaced: namespaced}
}

// The kinds that actors read and write.
var (
	pods         = resource(corev1.SchemeGroupVersion, "Pod", "pods", true)
	claims       = resource(corev1.SchemeGroupVersion, "PersistentVolumeClaim", "persistentvolumeclaims", true)
	configMaps   = resource(corev1.SchemeGroupVersion, "ConfigMap", "configmaps", true)
	secrets      = resource(corev1.SchemeGroupVersion, "Secret", "secrets", true)
	namespaces   = resource(corev1.SchemeGroupVersion, "Namespace", "namespaces", false)
	deployments  = resource(appsv1.SchemeGroupVersion, "Deployment", "deployments", true)
	replicaSets  = resource(appsv1.SchemeGroupVersion, "ReplicaSet", "replicasets", true)
	statefulSets = resource(appsv1.SchemeGroupVersion, "StatefulSet", "statefulsets", true)
	revisions    = resource(appsv1.SchemeGroupVersion, "ControllerRevision", "controllerrevisions", true)
	jobs         = resource(batchv1.SchemeGroupVersion, "Job", "jobs", true)
)

// reads are the kinds of resources.
func reads(all ...kubestate.Resource) (kinds []schema.GroupVersionKind) {
	for _, r := range all {
		kinds = append(kinds, r.Kind)
	}
	return kinds
}

// list has the objects of a resource in a namespace, or in all if that is empty. They are not
// to be changed.
func list[T metav1.Object](w World, r kubestate.Resource, namespace string) (all []T) {
	for o := range w.Under(r.Prefix(namespace)) {
		if v, ok := o.Value().(T); ok {
			all = append(all, v)
		}
	}
	return all
}

// controlled are those of all whose controller is owner.
func controlled[T metav1.Object](owner metav1.Object, all []T) []T {
	return keep(all, func(o T) bool { return metav1.IsControlledBy(o, owner) })
}

func keep[T any](all []T, f func(T) bool) (some []T) {
	for _, o := range all {
		if f(o) {
			some = append(some, o)
		}
	}
	return some
}

func count[T any](all []T, f func(T) bool) int32 { return int32(len(keep(all, f))) } //nolint:gosec // there are not that many

// claim are those of all that an owner controls and selects; or the step by which it comes to
// control one that has no controller, or leaves one that it does not select: as the
// ControllerRefManager of kube-controller-manager does it.
func claim[T metav1.Object](r, of kubestate.Resource, owner metav1.Object, by *metav1.LabelSelector, all []T) (own []T, step *Step) {
	selector, err := metav1.LabelSelectorAsSelector(by)
	if err != nil {
		return nil, nil
	}
	ends := owner.GetDeletionTimestamp() != nil
	for _, o := range all {
		is, matches := metav1.GetControllerOfNoCopy(o), selector.Matches(labels.Set(o.GetLabels()))
		switch {
		case is != nil && is.UID == owner.GetUID() && matches:
			own = append(own, o)
		case ends || is != nil && is.UID != owner.GetUID():
		case is != nil:
			left := slices.DeleteFunc(slices.Clone(o.GetOwnerReferences()), func(r metav1.OwnerReference) bool { return r.UID == owner.GetUID() })
			return nil, &Step{Text: "release " + Path(r, o), Request: Patch(r, o, map[string]any{"ownerReferences": left})}
		case matches && o.GetDeletionTimestamp() == nil:
			owners := append(slices.Clone(o.GetOwnerReferences()), *metav1.NewControllerRef(owner, of.Kind))
			return nil, &Step{Text: "adopt " + Path(r, o), Request: Patch(r, o, map[string]any{"ownerReferences": owners})}
		}
	}
	return own, nil
}

// now is the time at which everything happens.
func now() metav1.Time { return metav1.NewTime(kubestate.Epoch.In(time.UTC)) }

func pointer[T any](v T) *T { return &v }

func value[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}
