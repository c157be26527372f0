package disruption

import (
	"fmt"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	pdbhelper "k8s.io/component-helpers/apps/poddisruptionbudget"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
)

// disruptedPodsMax is MaxDisruptedPodSize of
// pkg/registry/core/pod/storage/eviction.go.
const disruptedPodsMax = 2000

const refusal = "Cannot evict pod as it would violate the pod's disruption budget."

// Admission is the answer of the eviction subresource.
type Admission struct {
	// Allowed means that the pod is deleted, after Update has been written.
	Allowed bool
	// Code is the HTTP status: 200 (201 on the wire), 403 where the status of
	// the budget is corrupt, 429, 500.
	Code int
	// Message is the message of the returned Status, empty when allowed.
	Message string
	// Cause is the message of the returned Status' DisruptionBudget cause, which
	// says why the budget refuses.
	Cause string
	// Update is the budget whose status is written before the pod is deleted;
	// nil when none is.
	Update *policyv1.PodDisruptionBudget
	// PDB is the name of the one budget that was asked, if any was.
	PDB string
}

// Evict decides the eviction of pod. It mirrors EvictionREST.Create and
// checkAndDecrement (pkg/registry/core/pod/storage/eviction.go), without
// conflicts between writers. A Pending, Succeeded, Failed or terminating pod is
// deleted without asking a budget. pdbs are the budgets as stored, with the
// status they have now; only those in the pod's namespace and over its labels
// count, and more than one is an error 500. A budget that allows the eviction
// has its allowance lowered, and the pod noted in DisruptedPods, at once; no
// clock is read and the time noted is zero. Inputs are not changed.
func Evict(pod *corev1.Pod, pdbs []*policyv1.PodDisruptionBudget) Admission {
	switch pod.Status.Phase {
	case corev1.PodPending, corev1.PodSucceeded, corev1.PodFailed:
		return Admission{Allowed: true, Code: http.StatusOK}
	}
	if !pod.DeletionTimestamp.IsZero() {
		return Admission{Allowed: true, Code: http.StatusOK}
	}
	matched := budgets(pod, pdbs)
	if mutation.On("eviction-ignores-budgets") {
		matched = nil
	}
	if mutation.On("eviction-first-budget") && len(matched) > 1 {
		matched = matched[:1]
	}
	switch len(matched) {
	case 0:
		return Admission{Allowed: true, Code: http.StatusOK}
	case 1:
	default:
		return Admission{
			Code:    http.StatusInternalServerError,
			Message: "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
		}
	}
	pdb := matched[0]
	if !podutil.IsPodReady(pod) {
		policy := pdb.Spec.UnhealthyPodEvictionPolicy
		always := policy != nil && *policy == policyv1.AlwaysAllow || mutation.On("eviction-always-allows-unhealthy")
		if always || pdb.Status.CurrentHealthy >= pdb.Status.DesiredHealthy && pdb.Status.DesiredHealthy > 0 {
			return Admission{Allowed: true, Code: http.StatusOK, PDB: pdb.Name}
		}
	}
	return take(pod, pdb)
}

// take mirrors checkAndDecrement.
func take(pod *corev1.Pod, pdb *policyv1.PodDisruptionBudget) Admission {
	denied := Admission{Code: http.StatusTooManyRequests, Message: refusal, PDB: pdb.Name}
	switch {
	case pdb.Status.ObservedGeneration < pdb.Generation:
		denied.Cause = fmt.Sprintf("The disruption budget %s is still being processed by the server.", pdb.Name)
		return denied
	case pdb.Status.DisruptionsAllowed < 0:
		return forbidden(pdb, "pdb disruptions allowed is negative")
	case len(pdb.Status.DisruptedPods) > disruptedPodsMax:
		return forbidden(pdb, "DisruptedPods map too big - too many evictions not confirmed by PDB controller")
	case pdb.Status.DisruptionsAllowed == 0:
		denied.Cause = cause(pdb)
		return denied
	}
	next := pdb.DeepCopy()
	next.Status.DisruptionsAllowed--
	if mutation.On("eviction-not-counted") {
		next.Status.DisruptionsAllowed++
	}
	if next.Status.DisruptionsAllowed == 0 {
		pdbhelper.UpdateDisruptionAllowedCondition(next)
		forgetTime(next, pdb)
	}
	if next.Status.DisruptedPods == nil {
		next.Status.DisruptedPods = make(map[string]metav1.Time, 1)
	}
	next.Status.DisruptedPods[pod.Name] = metav1.Time{}
	return Admission{Allowed: true, Code: http.StatusOK, Update: next, PDB: pdb.Name}
}

func forbidden(pdb *policyv1.PodDisruptionBudget, why string) Admission {
	return Admission{
		Code:    http.StatusForbidden,
		Message: fmt.Sprintf("poddisruptionbudget.policy %q is forbidden: %s", pdb.Name, why),
		PDB:     pdb.Name,
	}
}

// cause says why a budget with nothing left refuses, in the words of the real
// subresource, which users search for.
func cause(pdb *policyv1.PodDisruptionBudget) string {
	condition := apimeta.FindStatusCondition(pdb.Status.Conditions, policyv1.DisruptionAllowedCondition)
	told := condition != nil && condition.Status == metav1.ConditionFalse && condition.Message != ""
	switch {
	case told && condition.Reason == policyv1.SyncFailedReason:
		return fmt.Sprintf("The disruption budget %s does not allow evicting pods currently because it failed sync: %s", pdb.Name, condition.Message)
	case pdb.Status.CurrentHealthy <= pdb.Status.DesiredHealthy:
		return fmt.Sprintf("The disruption budget %s needs %d healthy pods and has %d currently", pdb.Name, pdb.Status.DesiredHealthy, pdb.Status.CurrentHealthy)
	case told:
		return fmt.Sprintf("The disruption budget %s does not allow evicting pods currently (%s): %s", pdb.Name, condition.Reason, condition.Message)
	}
	return fmt.Sprintf("The disruption budget %s does not allow evicting pods currently", pdb.Name)
}

func budgets(pod *corev1.Pod, pdbs []*policyv1.PodDisruptionBudget) []*policyv1.PodDisruptionBudget {
	var matched []*policyv1.PodDisruptionBudget
	for _, pdb := range pdbs {
		selector, err := metav1.LabelSelectorAsSelector(pdb.Spec.Selector)
		// The real subresource passes over a selector that is not valid, too.
		if err == nil && pdb.Namespace == pod.Namespace && selector.Matches(labels.Set(pod.Labels)) {
			matched = append(matched, pdb)
		}
	}
	return matched
}
