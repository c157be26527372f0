package environment

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Namespaces deletes what is in a namespace that is deleted, and lets that go then.
func Namespaces() Actor { return namespaceController{} }

type namespaceController struct{}

func (namespaceController) Name() string                     { return "namespace controller" }
func (namespaceController) Reads() []schema.GroupVersionKind { return nil }

func (namespaceController) Steps(w World) (steps []Step) {
	for _, n := range list[*corev1.Namespace](w, namespaces, "") {
		if n.DeletionTimestamp == nil || !slices.Contains(n.Spec.Finalizers, corev1.FinalizerKubernetes) {
			continue
		}
		empty := true
		for o := range w.Objects() {
			if o.Meta().GetNamespace() != n.Name {
				continue
			}
			empty = false
			if o.Meta().GetDeletionTimestamp() == nil {
				r := w.Resource(o)
				steps = append(steps, Step{Class: o.Key(), Text: "delete " + Path(r, o.Meta()), Request: Delete(r, o.Meta(), "Background", nil)})
			}
		}
		if !empty {
			continue
		}
		n := n.DeepCopy()
		n.Spec.Finalizers = slices.DeleteFunc(n.Spec.Finalizers, func(f corev1.FinalizerName) bool { return f == corev1.FinalizerKubernetes })
		steps = append(steps, Step{Class: Path(namespaces, n), Text: "finalize " + Path(namespaces, n), Request: Update(namespaces, n, "finalize")})
	}
	return steps
}
