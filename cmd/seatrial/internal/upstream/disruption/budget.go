// Package disruption is the arithmetic of Kubernetes 1.36 PodDisruptionBudgets as
// pure functions on API objects: the counts and status that the disruption
// controller computes, and the decision of the eviction subresource. Both are
// unexported there; the tests in ../conformance hold these to the real
// controller and the real subresource.
package disruption

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	pdbhelper "k8s.io/component-helpers/apps/poddisruptionbudget"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
)

// Expected returns the number of pods that pdb counts on and the number of them
// that must be healthy. It mirrors getExpectedPodCount and getExpectedScale
// (pkg/controller/disruption/disruption.go): percentages are of the summed
// scales of the pods' controllers and round up for both fields; an integer
// minAvailable counts the pods themselves; maxUnavailable goes before
// minAvailable; neither gives 0, 0.
//
// Of pods only those in the namespace and under the selector of pdb count, in
// whatever phase, terminating ones included. scaleOf returns a key of a pod's
// top-level controller (the Deployment, not its ReplicaSet) and that one's
// spec.replicas. Where it returns false, a pod without a controller owner
// reference is passed over and any other is an error, as in the real controller.
func Expected(pdb *policyv1.PodDisruptionBudget, pods []*corev1.Pod,
	scaleOf func(*corev1.Pod) (controller string, replicas int32, ok bool),
) (expected, desiredHealthy int32, err error) {
	matched, err := matching(pdb, pods)
	if err != nil {
		return 0, 0, err
	}
	return expectedOf(pdb, matched, scaleOf)
}

func expectedOf(pdb *policyv1.PodDisruptionBudget, matched []*corev1.Pod,
	scaleOf func(*corev1.Pod) (string, int32, bool),
) (expected, desiredHealthy int32, err error) {
	limit := pdb.Spec.MaxUnavailable
	switch {
	case limit != nil:
	case pdb.Spec.MinAvailable == nil:
		return 0, 0, nil
	case pdb.Spec.MinAvailable.Type == intstr.Int:
		return int32(len(matched)), pdb.Spec.MinAvailable.IntVal, nil
	default:
		limit = pdb.Spec.MinAvailable
	}
	expected, err = expectedScale(matched, scaleOf)
	if err != nil {
		return 0, 0, err
	}
	if mutation.On("pdb-counts-pods") {
		expected = int32(len(matched))
	}
	pods, err := intstr.GetScaledValueFromIntOrPercent(limit, int(expected), !mutation.On("pdb-percent-rounds-down"))
	if err != nil {
		return 0, 0, err
	}
	if pdb.Spec.MaxUnavailable == nil {
		return expected, int32(pods), nil
	}
	return expected, max(expected-int32(pods), 0), nil
}

// expectedScale sums the scales of the distinct controllers of pods.
func expectedScale(pods []*corev1.Pod, scaleOf func(*corev1.Pod) (string, int32, bool)) (int32, error) {
	seen := make(map[string]bool)
	sum := int32(0)
	for _, pod := range pods {
		controller, replicas, ok := scaleOf(pod)
		if !ok {
			if metav1.GetControllerOfNoCopy(pod) == nil {
				continue
			}
			return 0, fmt.Errorf("found no controllers for pod %q", pod.Name)
		}
		if !seen[controller] {
			seen[controller] = true
			sum += replicas
		}
	}
	return sum, nil
}

// Status returns the status that one reconcile of pdb leaves. It mirrors trySync,
// countHealthyPods, buildDisruptedPodMap, updatePdbStatus and failSafe
// (pkg/controller/disruption/disruption.go). pods and scaleOf are those of
// [Expected].
//
// No clock is read: a pod approved for eviction stays in DisruptedPods, and
// unhealthy, until it is terminating or gone (the real entry lapses after two
// minutes), and a condition that changes carries a zero time. If the counts
// cannot be computed, the status is the present one with no disruption allowed
// and the condition SyncFailed.
func Status(pdb *policyv1.PodDisruptionBudget, pods []*corev1.Pod,
	scaleOf func(*corev1.Pod) (controller string, replicas int32, ok bool),
) policyv1.PodDisruptionBudgetStatus {
	next := pdb.DeepCopy()
	matched, err := matching(pdb, pods)
	if err != nil {
		return failed(next, err)
	}
	expected, desired, err := expectedOf(pdb, matched, scaleOf)
	if err != nil {
		return failed(next, err)
	}
	disrupted := make(map[string]metav1.Time)
	healthy := int32(0)
	for _, pod := range matched {
		if pod.DeletionTimestamp != nil {
			continue
		}
		if approved, ok := pdb.Status.DisruptedPods[pod.Name]; ok {
			disrupted[pod.Name] = approved
		} else if podutil.IsPodReady(pod) || mutation.On("pdb-counts-unready") {
			healthy++
		}
	}
	allowed := max(healthy-desired, 0)
	if expected <= 0 {
		allowed = 0
	}
	now := &pdb.Status
	if now.CurrentHealthy == healthy && now.DesiredHealthy == desired && now.ExpectedPods == expected &&
		now.DisruptionsAllowed == allowed && apiequality.Semantic.DeepEqual(now.DisruptedPods, disrupted) &&
		now.ObservedGeneration == pdb.Generation && pdbhelper.ConditionsAreUpToDate(pdb) {
		// The real controller writes nothing, so that the text of the condition stays.
		return next.Status
	}
	next.Status = policyv1.PodDisruptionBudgetStatus{
		ObservedGeneration: pdb.Generation,
		DisruptedPods:      disrupted,
		DisruptionsAllowed: allowed,
		CurrentHealthy:     healthy,
		DesiredHealthy:     desired,
		ExpectedPods:       expected,
		Conditions:         next.Status.Conditions,
	}
	pdbhelper.UpdateDisruptionAllowedCondition(next)
	forgetTime(next, pdb)
	return next.Status
}

func failed(pdb *policyv1.PodDisruptionBudget, err error) policyv1.PodDisruptionBudgetStatus {
	before := pdb.DeepCopy()
	pdb.Status.DisruptionsAllowed = 0
	apimeta.SetStatusCondition(&pdb.Status.Conditions, metav1.Condition{
		Type:               policyv1.DisruptionAllowedCondition,
		Status:             metav1.ConditionFalse,
		Reason:             policyv1.SyncFailedReason,
		Message:            err.Error(),
		ObservedGeneration: pdb.Status.ObservedGeneration,
	})
	forgetTime(pdb, before)
	return pdb.Status
}

// forgetTime undoes the clock reading that the real condition helper makes when
// the status of the condition changes: before is the budget before the change.
func forgetTime(pdb, before *policyv1.PodDisruptionBudget) {
	condition := apimeta.FindStatusCondition(pdb.Status.Conditions, policyv1.DisruptionAllowedCondition)
	if condition == nil {
		return
	}
	last := apimeta.FindStatusCondition(before.Status.Conditions, policyv1.DisruptionAllowedCondition)
	if last == nil || last.Status != condition.Status {
		condition.LastTransitionTime = metav1.Time{}
	}
}

func matching(pdb *policyv1.PodDisruptionBudget, pods []*corev1.Pod) ([]*corev1.Pod, error) {
	selector, err := metav1.LabelSelectorAsSelector(pdb.Spec.Selector)
	if err != nil {
		return nil, err
	}
	matched := make([]*corev1.Pod, 0, len(pods))
	for _, pod := range pods {
		if pod.Namespace == pdb.Namespace && selector.Matches(labels.Set(pod.Labels)) {
			matched = append(matched, pod)
		}
	}
	return matched, nil
}
