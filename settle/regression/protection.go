package regression

import (
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// protections are the finalizers that an API server's admission (StorageObjectInUseProtection) gives to
// volumes and claims, and the controllers of kube-controller-manager take away from what is deleted
// when nobody uses it. An API server alone has no such controllers, and what is deleted would stay.
var protections = map[schema.GroupVersionKind]struct {
	finalizer string
	used      func(*Regression, *unstructured.Unstructured) (bool, error)
}{
	corev1.SchemeGroupVersion.WithKind("PersistentVolumeClaim"): {"kubernetes.io/pvc-protection", (*Regression).mounted},
	corev1.SchemeGroupVersion.WithKind("PersistentVolume"):      {"kubernetes.io/pv-protection", bound},
}

// release takes the finalizer of a protection from what is deleted and not used. From the first
// deletion of a kind on it is asked about after each step, since what uses a claim may go later.
func (r *Regression) release() error {
	for kind := range r.protected {
		p := protections[kind]
		all := &unstructured.UnstructuredList{}
		all.SetGroupVersionKind(kind.GroupVersion().WithKind(kind.Kind + "List"))
		if err := r.live.List(r.Context(), all); err != nil {
			return err
		}
		for i := range all.Items {
			o := &all.Items[i]
			if o.GetDeletionTimestamp() == nil || !controllerutil.RemoveFinalizer(o, p.finalizer) {
				continue
			}
			used, err := p.used(r, o)
			if err == nil && !used {
				err = r.live.Update(r.Context(), o)
			}
			if client.IgnoreNotFound(err) != nil && !apierrors.IsConflict(err) { // the cluster has the controllers
				return err
			}
		}
	}
	return nil
}

// deleted notes that something of a kind was deleted, and releases it.
func (r *Regression) deleted(kind schema.GroupVersionKind) error {
	if _, ok := protections[kind]; !ok {
		return nil
	}
	if r.protected == nil {
		r.protected = map[schema.GroupVersionKind]bool{}
	}
	r.protected[kind] = true
	return r.release()
}

// mounted tells whether a pod uses a claim: one that has a node, as the controller has it
// (pkg/controller/volume/pvcprotection, podUsesPVC).
func (r *Regression) mounted(claim *unstructured.Unstructured) (bool, error) {
	all := &unstructured.UnstructuredList{}
	all.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("PodList"))
	if err := r.live.List(r.Context(), all, client.InNamespace(claim.GetNamespace())); err != nil {
		return false, err
	}
	for _, o := range all.Items {
		var p corev1.Pod
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &p); err != nil {
			return false, err
		}
		over := p.DeletionTimestamp != nil && p.DeletionGracePeriodSeconds != nil && *p.DeletionGracePeriodSeconds == 0
		for _, v := range p.Spec.Volumes {
			switch {
			case p.Spec.NodeName == "":
			case v.PersistentVolumeClaim != nil && v.PersistentVolumeClaim.ClaimName == claim.GetName(),
				v.Ephemeral != nil && !over && p.Name+"-"+v.Name == claim.GetName() && metav1.IsControlledBy(claim, &p):
				return true, nil
			}
		}
	}
	return false, nil
}

// bound tells whether a volume is bound to a claim (pkg/controller/volume/pvprotection, isBeingUsed).
func bound(_ *Regression, volume *unstructured.Unstructured) (bool, error) {
	phase, _, err := unstructured.NestedString(volume.Object, "status", "phase")
	return phase == string(corev1.VolumeBound), err
}
