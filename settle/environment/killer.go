package environment

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Killer may delete any pod, at any moment. It is a fault: nobody counts on it.
func Killer() Actor { return killer{} }

type killer struct{}

func (killer) Name() string                     { return "killer" }
func (killer) Reads() []schema.GroupVersionKind { return reads(pods) }

func (killer) Steps(w World) (steps []Step) {
	for _, p := range list[*corev1.Pod](w, pods, "") {
		if !terminating(p) {
			steps = append(steps, Step{Text: "delete " + Path(pods, p), Request: Delete(pods, p, "", nil)})
		}
	}
	return steps
}
