package kubelet

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	scheduling "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/apis/core/v1/helper/qos"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	kubelettypes "k8s.io/kubernetes/pkg/kubelet/types"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/kubelet/rule"
)

// linux is the operating system of nodes that do not say theirs.
const linux = "linux"

// admit decides whether the kubelet of node runs pod beside others, which are all
// of its pods that it has admitted and that have not ended. It is the real
// kubelet's predicate handler, with three things around it: the operating system
// is the node's, where the real one asks for the one that it was compiled for;
// pressure is known from rules; nothing is preempted for critical pods.
func admit(pod *corev1.Pod, node *corev1.Node, others []*corev1.Pod, pressure []corev1.NodeConditionType) *rule.Refusal {
	if refusal := underPressure(pod, pressure); refusal != nil {
		return refusal
	}
	system := node.Labels[corev1.LabelOSStable]
	if system == "" {
		system = linux
	}
	if wanted, ok := pod.Labels[corev1.LabelOSStable]; ok && wanted != system {
		return &rule.Refusal{Reason: lifecycle.PodOSSelectorNodeLabelDoesNotMatch, Message: "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label"}
	}
	if pod.Spec.OS != nil && string(pod.Spec.OS.Name) != system {
		return &rule.Refusal{Reason: lifecycle.PodOSNotSupported, Message: "Failed to admit pod as the OS field doesn't match node OS"}
	}
	asked := *pod
	asked.Spec.OS = nil
	asked.Labels = nil
	handler := lifecycle.NewPredicateAdmitHandler(
		// The handler writes its own system into the labels, and asks once more if
		// only they did not match: it gets a copy each time.
		func(context.Context, bool) (*corev1.Node, error) {
			out := node.DeepCopy()
			if out.Labels == nil {
				out.Labels = make(map[string]string, 1)
			}
			out.Labels[corev1.LabelOSStable] = system
			return out, nil
		},
		unrecovered{},
		func(*framework.NodeInfo, *lifecycle.PodAdmitAttributes) error { return nil })
	result := handler.Admit(&lifecycle.PodAdmitAttributes{Pod: &asked, OtherPods: others})
	if result.Admit {
		return nil
	}
	return &rule.Refusal{Reason: result.Reason, Message: result.Message}
}

// unrecovered makes no room for a pod that does not fit.
type unrecovered struct{}

func (unrecovered) HandleAdmissionFailure(_ context.Context, _ *corev1.Pod, reasons []lifecycle.PredicateFailureReason) ([]lifecycle.PredicateFailureReason, error) {
	return reasons, nil
}

const evicted = "Evicted"

// underPressure mirrors the admission of the eviction manager
// (pkg/kubelet/eviction/eviction_manager.go, Admit).
func underPressure(pod *corev1.Pod, pressure []corev1.NodeConditionType) *rule.Refusal {
	if len(pressure) == 0 || kubelettypes.IsCriticalPod(pod) {
		return nil
	}
	if len(pressure) == 1 && pressure[0] == corev1.NodeMemoryPressure {
		taint := corev1.Taint{Key: corev1.TaintNodeMemoryPressure, Effect: corev1.TaintEffectNoSchedule}
		if qos.GetPodQOS(pod) != corev1.PodQOSBestEffort ||
			scheduling.TolerationsTolerateTaint(klog.Background(), pod.Spec.Tolerations, &taint, utilfeature.DefaultFeatureGate.Enabled(features.TaintTolerationComparisonOperators)) {
			return nil
		}
	}
	return &rule.Refusal{Reason: evicted, Message: fmt.Sprintf("The node had condition: %v. ", pressure)}
}
