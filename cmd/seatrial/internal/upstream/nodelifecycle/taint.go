// Package nodelifecycle is what the Kubernetes 1.36 node lifecycle controller,
// the taint eviction controller and the DefaultTolerationSeconds admission
// plugin do to nodes and pods, as functions on API objects that read no clock.
// The taint helpers and the matching of tolerations are the real ones; the rest
// is held to the real controllers and plugin by the tests in ../conformance.
package nodelifecycle

import (
	corev1 "k8s.io/api/core/v1"
	taintutils "k8s.io/kubernetes/pkg/util/taints"
)

// conditionTaints are the keys of the taints by which the controller shows node
// conditions: nodeConditionToTaintKeyStatusMap
// (pkg/controller/nodelifecycle/node_lifecycle_controller.go).
var conditionTaints = map[corev1.NodeConditionType]map[corev1.ConditionStatus]string{
	corev1.NodeReady: {
		corev1.ConditionFalse:   corev1.TaintNodeNotReady,
		corev1.ConditionUnknown: corev1.TaintNodeUnreachable,
	},
	corev1.NodeMemoryPressure:     {corev1.ConditionTrue: corev1.TaintNodeMemoryPressure},
	corev1.NodeDiskPressure:       {corev1.ConditionTrue: corev1.TaintNodeDiskPressure},
	corev1.NodeNetworkUnavailable: {corev1.ConditionTrue: corev1.TaintNodeNetworkUnavailable},
	corev1.NodePIDPressure:        {corev1.ConditionTrue: corev1.TaintNodePIDPressure},
}

// TaintsFor returns the whole list of taints that node ends up with: the
// controller's own as its conditions and spec.unschedulable ask for them, every
// other taint as it is. It is [NoExecute] after [NoSchedule]; the controller
// writes the two separately, the second one only as its rate limit per zone
// allows.
func TaintsFor(node *corev1.Node) []corev1.Taint {
	return noExecute(node, NoSchedule(node))
}

// NoSchedule returns the taints of node after the controller's NoSchedule pass
// alone (doNoScheduleTaintingPass), which shows the Ready and pressure
// conditions and spec.unschedulable. Taints that stay keep their order, new ones
// follow in the order of the conditions. No new taint carries a time.
func NoSchedule(node *corev1.Node) []corev1.Taint {
	var wanted []corev1.Taint
	for _, condition := range node.Status.Conditions {
		if key, ok := conditionTaints[condition.Type][condition.Status]; ok {
			wanted = append(wanted, corev1.Taint{Key: key, Effect: corev1.TaintEffectNoSchedule})
		}
	}
	if node.Spec.Unschedulable {
		wanted = append(wanted, corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule})
	}
	own := taintutils.TaintSetFilter(node.Spec.Taints, ownNoSchedule)
	add, remove := taintutils.TaintSetDiff(wanted, own)
	return swap(node.Spec.Taints, add, remove)
}

// NoExecute returns the taints of node after the controller's NoExecute pass
// alone (processTaintBaseEviction, doNoExecuteTaintingPass): not-ready where
// Ready is False, unreachable where it is Unknown, neither where it is True. A
// node without a Ready condition keeps the taints it has: the real controller
// first gives it the condition Unknown, after its grace period.
func NoExecute(node *corev1.Node) []corev1.Taint {
	return noExecute(node, node.Spec.Taints)
}

func noExecute(node *corev1.Node, taints []corev1.Taint) []corev1.Taint {
	notReady := &corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoExecute}
	unreachable := &corev1.Taint{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute}
	switch ready(node) {
	case corev1.ConditionTrue:
		return swap(taints, nil, []*corev1.Taint{unreachable, notReady})
	case corev1.ConditionFalse:
		return swap(taints, []*corev1.Taint{notReady}, []*corev1.Taint{unreachable})
	case corev1.ConditionUnknown:
		return swap(taints, []*corev1.Taint{unreachable}, []*corev1.Taint{notReady})
	}
	return swap(taints, nil, nil)
}

// ready returns the status of the Ready condition, empty if there is none.
func ready(node *corev1.Node) corev1.ConditionStatus {
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			return condition.Status
		}
	}
	return ""
}

// ownNoSchedule reports whether the NoSchedule pass owns the taint.
func ownNoSchedule(taint *corev1.Taint) bool {
	if taint.Effect != corev1.TaintEffectNoSchedule {
		return false
	}
	switch taint.Key {
	case corev1.TaintNodeUnschedulable, corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable,
		corev1.TaintNodeNetworkUnavailable, corev1.TaintNodeMemoryPressure,
		corev1.TaintNodeDiskPressure, corev1.TaintNodePIDPressure:
		return true
	}
	return false
}

// swap returns a list of its own: taints without those of remove, then those of
// add that are not there already, by key and effect.
func swap(taints []corev1.Taint, add, remove []*corev1.Taint) []corev1.Taint {
	next := make([]corev1.Taint, 0, len(taints)+len(add))
	for i := range taints {
		gone := false
		for _, taint := range remove {
			gone = gone || taint.MatchTaint(&taints[i])
		}
		if !gone {
			next = append(next, taints[i])
		}
	}
	for _, taint := range add {
		if !taintutils.TaintExists(next, taint) {
			next = append(next, *taint)
		}
	}
	return next
}
