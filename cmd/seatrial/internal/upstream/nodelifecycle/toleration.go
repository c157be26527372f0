package nodelifecycle

import (
	"math"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	v1helper "k8s.io/kubernetes/pkg/apis/core/v1/helper"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
)

// defaultTolerationSeconds is the default of the API server's
// --default-not-ready-toleration-seconds and
// --default-unreachable-toleration-seconds.
const defaultTolerationSeconds = 300

// Tolerates returns how long pod may stay on node. ok says that pod tolerates
// all NoExecute taints of node; after is the number of seconds, from the moment
// the taints are seen, until the pod is deleted: 0 where ok is false, nil for
// ever. It mirrors processPodOnNode and getMinTolerationTime
// (pkg/controller/tainteviction/taint_eviction.go): of the first toleration that
// matches each taint, the least tolerationSeconds counts, and 0 or less is at
// once.
func Tolerates(pod *corev1.Pod, node *corev1.Node) (ok bool, after *int64) {
	taints := make([]corev1.Taint, 0, len(node.Spec.Taints))
	for _, taint := range node.Spec.Taints {
		if taint.Effect == corev1.TaintEffectNoExecute {
			taints = append(taints, taint)
		}
	}
	if len(taints) == 0 {
		return true, nil
	}
	ok, used := v1helper.GetMatchingTolerations(klog.Background(), taints, pod.Spec.Tolerations)
	if !ok || mutation.On("taint-eviction-ignores-tolerations") {
		return false, new(int64)
	}
	least := int64(math.MaxInt64)
	for _, toleration := range used {
		if toleration.TolerationSeconds != nil {
			least = min(least, *toleration.TolerationSeconds)
		}
	}
	switch {
	case least <= 0:
		return true, new(int64)
	case least == math.MaxInt64:
		return true, nil
	}
	// The real code counts in nanoseconds: what overflows to below zero is for
	// ever there, too.
	delay := time.Duration(least) * time.Second
	if delay < 0 {
		return true, nil
	}
	seconds := int64(delay / time.Second)
	return true, &seconds
}

// WithDefaultTolerations adds to pod the tolerations of 300 s for not-ready and
// unreachable nodes that the DefaultTolerationSeconds admission plugin
// (plugin/pkg/admission/defaulttolerationseconds) gives every pod without its
// own.
func WithDefaultTolerations(pod *corev1.Pod) {
	has := map[string]bool{}
	for _, toleration := range pod.Spec.Tolerations {
		if toleration.Effect != corev1.TaintEffectNoExecute && toleration.Effect != "" {
			continue
		}
		has[toleration.Key] = true
	}
	for _, key := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		if has[key] || has[""] {
			continue
		}
		seconds := int64(defaultTolerationSeconds)
		pod.Spec.Tolerations = append(pod.Spec.Tolerations, corev1.Toleration{
			Key:               key,
			Operator:          corev1.TolerationOpExists,
			Effect:            corev1.TaintEffectNoExecute,
			TolerationSeconds: &seconds,
		})
	}
}
