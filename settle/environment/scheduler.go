package environment

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// nodeName is where the Scheduler has pods run.
const nodeName = "node-1"

// Scheduler binds pods to one node, which has room for all of them. There need be no Node
// object.
func Scheduler() Actor { return scheduler{} }

type scheduler struct{}

func (scheduler) Name() string                     { return "scheduler" }
func (scheduler) Reads() []schema.GroupVersionKind { return reads(pods) }

func (scheduler) Steps(w World) (steps []Step) {
	for _, p := range list[*corev1.Pod](w, pods, "") {
		if p.Spec.NodeName != "" || terminating(p) || len(p.Spec.SchedulingGates) > 0 {
			continue
		}
		b := corev1.Binding{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Binding"}, ObjectMeta: metav1.ObjectMeta{Namespace: p.Namespace, Name: p.Name, UID: p.UID},
			Target: corev1.ObjectReference{Kind: "Node", Name: nodeName},
		}
		steps = append(steps, Step{Class: Path(pods, p), Text: "bind " + Path(pods, p), Request: kubestate.Request{
			Verb: "create", Resource: pods.Resource, Namespace: p.Namespace, Name: p.Name, Subresource: "binding", Body: encode(b),
		}})
	}
	return steps
}
