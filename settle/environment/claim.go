package environment

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Binder binds each PersistentVolumeClaim to a volume of its own, as if one were provisioned
// at once. There are no PersistentVolume objects.
func Binder() Actor { return binder{} }

type binder struct{}

func (binder) Name() string                     { return "volume binder" }
func (binder) Reads() []schema.GroupVersionKind { return reads(claims) }

func (binder) Steps(w World) (steps []Step) {
	for _, c := range list[*corev1.PersistentVolumeClaim](w, claims, "") {
		if c.DeletionTimestamp != nil {
			continue
		}
		if c.Spec.VolumeName == "" {
			c := c.DeepCopy()
			c.Spec.VolumeName = "pvc-" + string(c.UID)
			steps = append(steps, Step{Class: Path(claims, c), Text: "provision " + Path(claims, c), Request: Update(claims, c, "")})
			continue
		}
		bound := c.DeepCopy()
		bound.Status.Phase, bound.Status.AccessModes = corev1.ClaimBound, c.Spec.AccessModes
		bound.Status.Capacity = corev1.ResourceList{corev1.ResourceStorage: c.Spec.Resources.Requests[corev1.ResourceStorage]}
		if !equality.Semantic.DeepEqual(c.Status, bound.Status) {
			steps = append(steps, Step{Class: Path(claims, c), Text: "bind " + Path(claims, c), Request: Update(claims, bound, "status")})
		}
	}
	return steps
}
