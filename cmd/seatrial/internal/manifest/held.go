package manifest

import (
	"encoding/json"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// HeldAnnotation marks a pod whose controller is not read, although it is of a kind
// that is modelled: it is held as given. Its value says why.
const HeldAnnotation = "seatrial.dev/held"

// HeldBy is the controller of a pod that a check holds as it is given: one that
// is bound to a node and has not ended, and whose controller is of a kind that
// is not modelled. It is nil for any other pod. The controller of a static pod
// is its Node.
func HeldBy(p *corev1.Pod) *metav1.OwnerReference {
	owner := metav1.GetControllerOf(p)
	if owner != nil && p.Annotations[HeldAnnotation] == "" && owner.Kind == "ReplicaSet" {
		return nil
	}
	if owner == nil || p.Spec.NodeName == "" || Ended(p) {
		return nil
	}
	return owner
}

// Ended tells whether a pod's containers have ended for good.
func Ended(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
}

// leaveHeld lists the controllers of held pods, each once. One that is in the
// input itself stands in the list already.
func (in *Input) leaveHeld() {
	at := map[string]int{}
	for i, left := range in.LeftOut {
		if left.Field == "" {
			at[left.Name] = i
		}
	}
	for _, o := range in.Pods {
		owner := HeldBy(o.Value)
		if owner == nil || owner.Kind == "Node" {
			continue
		}
		id := Source{Kind: owner.Kind, Namespace: o.Value.Namespace, Name: owner.Name}
		i, listed := at[id.identity()]
		if !listed {
			i = len(in.LeftOut)
			at[id.identity()] = i
			reason := fmt.Sprintf("kind %s is not modelled", owner.Kind)
			if why := o.Value.Annotations[HeldAnnotation]; why != "" {
				reason = why
			}
			in.LeftOut = append(in.LeftOut, LeftOut{
				Name: id.identity(), Location: o.Source.Position("metadata.ownerReferences"),
				Reason: reason, Kind: owner.Kind, Namespace: o.Value.Namespace,
			})
		}
		in.LeftOut[i].held = append(in.LeftOut[i].held, o.Value)
	}
	for i := range in.LeftOut {
		if n := len(in.LeftOut[i].held); n == 1 {
			in.LeftOut[i].Reason += "; its pod is held as given"
		} else if n > 1 {
			in.LeftOut[i].Reason += fmt.Sprintf("; its %d pods are held as given", n)
		}
	}
}

// heldMatters says why it could matter that the controller of held pods is left
// out even if none of them goes; empty if it cannot.
func (j *judge) heldMatters(left LeftOut) string {
	if ends := slices.ContainsFunc(left.held, func(p *corev1.Pod) bool {
		return p.Spec.RestartPolicy != corev1.RestartPolicyAlways && p.Spec.RestartPolicy != "" || p.Spec.ActiveDeadlineSeconds != nil
	}); ends {
		return "what ends by itself gives its room back"
	}
	var object map[string]any
	if len(left.Raw) > 0 && json.Unmarshal(left.Raw, &object) == nil {
		wanted, _ := dig(object, "spec", "replicas").(float64)
		if left.Kind == "DaemonSet" {
			wanted, _ = dig(object, "status", "desiredNumberScheduled").(float64)
		}
		if int(wanted) > len(left.held) {
			return fmt.Sprintf("it wants %d", int(wanted))
		}
	}
	if left.Kind == "DaemonSet" && j.pools {
		return "it brings pods to the nodes of the Scenario's pools"
	}
	if slices.ContainsFunc(left.held, func(p *corev1.Pod) bool { return p.DeletionTimestamp != nil }) {
		return "it creates a new one for the pod that is being deleted"
	}
	return ""
}
